import type { Disposable } from '#base/disposable';
import type { Event } from '#base/emitter';
import type { Host } from '#host';
import type { Model } from '#models/model';
import type { CheckpointSummary, Conflict, RestoreOutcome, RestoreScope } from '#protocol/checkpoint';
import type { AgentEvent, TurnStatus } from '#protocol/event';
import type { AbsolutePath } from '#protocol/ids';
import type { Mention } from '#protocol/message';
import type { Mode } from '#protocol/settings';
import type { Transcript } from '#protocol/transcript';
import type { SessionSummary } from '#protocol/wire';

// The lead's sketch of the front door, so that the editor room can be written beside the core.
// The agent room fills it in; names may change only with the editor's use of them.

/** Where models come from: the editor adds `vscode.lm`, a scenario its scripted one. */
export interface ModelSource {
  /** Resolves an id like `anthropic/claude-x`; a sentence saying what to do when it can't. */
  get(modelId: string): Promise<{ readonly ok: true; readonly value: Model } | { readonly ok: false; readonly error: string }>;
}

export interface AppOptions {
  /** The open folder; its real path becomes the root of every session. */
  readonly folder: string;
  readonly models: ModelSource;
}

/** What an undo would do, before it does it. */
export interface RestorePreview {
  readonly turns: readonly number[];
  readonly files: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** Paths that commands changed in those turns: not undone (SPEC §8.10). */
  readonly notUndoable: readonly string[];
}

export interface AppSession {
  readonly id: string;
  /** Recorded events in order and live ones between them. */
  readonly onEvent: Event<AgentEvent>;
  transcript(): Transcript;
  /** Runs a turn; queues the text instead when one runs. Rejects only for bugs. */
  send(text: string, mentions: readonly Mention[]): Promise<TurnStatus>;
  stop(): void;
  /** Goes on after an interrupted, cancelled, failed or limited turn: a new turn with a note to the model. */
  resume(): Promise<TurnStatus>;
  readonly running: boolean;
  /** Another window holds this session's lease: read only here. */
  readonly elsewhere: boolean;
  takeOver(): void;
  setMode(mode: Mode): void;
  setModel(modelId: string): void;
  checkpoints(): readonly CheckpointSummary[];
  preview(turn: number, scope: RestoreScope, options?: { readonly only?: boolean }): Promise<RestorePreview>;
  /** To before `turn`. Refused while a turn runs. */
  undo(turn: number, scope: RestoreScope, options?: { readonly onConflict?: 'stop' | 'skip' | 'overwrite'; readonly only?: boolean }): Promise<RestoreOutcome>;
  redo(): Promise<RestoreOutcome>;
  readonly canRedo: boolean;
  /** Turns whose changes were neither kept nor undone, oldest first. */
  changesToReview(): readonly CheckpointSummary[];
  keepAll(): void;
}

/** The core, whole: one per open folder. */
export interface App extends Disposable {
  readonly folder: AbsolutePath;
  /** The sessions of this folder, the latest first. */
  sessions(): readonly SessionSummary[];
  /** The session list or a checkpoint changed. */
  readonly onDidChange: Event<void>;
  createSession(options?: { readonly mode?: Mode; readonly modelId?: string }): AppSession;
  /** Opens (or returns the open) session; undefined when there is none by that id. */
  session(id: string): AppSession | undefined;
  checkpointContent(checkpointId: string, path: string, side: 'before' | 'after'): Promise<Uint8Array | undefined>;
  artifact(sessionId: string, artifactId: string): Promise<string | undefined>;
  sandbox(): Promise<{ readonly active: boolean; readonly words: string }>;
  /** Messages about what was recovered or set aside at start, for one notice each. */
  readonly startNotices: readonly { readonly sessionId?: string; readonly title: string; readonly detail: string }[];
}

/** A core that can't start says why in words for people: database unreadable, no node:sqlite. */
export type CreateApp = (host: Host, options: AppOptions) => Promise<{ readonly ok: true; readonly value: App } | { readonly ok: false; readonly error: { readonly title: string; readonly detail: string } }>;
