import type { Core } from '#agent/core';
import { History } from '#agent/history/sessions';
import { type OutsideRead, readForOthers } from '#agent/read-for-others';
import type { Session } from '#agent/session';
import type { Sessions } from '#agent/sessions';
import type { Result } from '#base/result';
import type { CheckpointSummary, RedoScope } from '#protocol/checkpoint';
import type { AbsolutePath, ArtifactId, CheckpointId, SessionId, Sha256 } from '#protocol/ids';
import type { BackgroundRow, SessionSummary } from '#protocol/panel-state';
import type { Mode } from '#protocol/settings';
import type { Sandbox } from '#sandbox/sandbox';
import type { Store } from '#store/store';

/** A session as the outside sees it. */
export type OutsideSession = Pick<Session, keyof Session>;

/** The sessions of the open folder, and what is kept of them. */
export interface FolderSessions {
  readonly folder: AbsolutePath;
  /** The sessions of this folder, the latest first. */
  sessions(): readonly SessionSummary[];
  /** Finds, names, puts away, exports and deletes sessions. */
  readonly history: Pick<History, keyof History>;
  /** Full access is taken only from `mode`, never from the settings. */
  createSession(options?: { readonly mode?: Mode; readonly modelId?: string }): OutsideSession;
  /** Opens (or returns the open) session; undefined when this folder has none by that id. */
  session(id: string): OutsideSession | undefined;
  /** A new session, open, of what another was before a turn, or after its last; fails in words for people. */
  fork(sessionId: string, turn?: number): Result<OutsideSession, string>;
  /** What the turns of a session changed, in order; the session needn't be open for it. */
  checkpoints(sessionId: string): readonly CheckpointSummary[];
  /** Whether its last undo can be taken back. */
  canRedo(sessionId: string, scope?: RedoScope): boolean;
  /** What runs beside a session, or has just ended; nothing where it isn't open here. */
  background(sessionId: string): readonly BackgroundRow[];
  /** One side of one file of a turn; undefined when there was no file, or its content is lost. */
  checkpointContent(
    checkpointId: string,
    path: string,
    side: 'before' | 'after',
  ): Promise<Uint8Array | undefined>;
  /** A content that is kept for undo, by its hash. */
  keptContent(sha256: string): Promise<Uint8Array | undefined>;
  /** The whole of a long output, for people: without secrets. */
  artifact(sessionId: string, artifactId: string): Promise<string | undefined>;
  /** Takes secrets out of what leaves the conversation, every string of a plain value. */
  redact<T>(value: T): T;
  /** What confines commands; probed at first use. */
  sandbox(): Promise<Pick<Sandbox, 'kind' | 'active' | 'words'>>;
  /** Reads for another extension's model: no session, no question, nothing recorded. Fails in words for a model. */
  readForOthers(read: OutsideRead, signal: AbortSignal): Promise<Result<string, string>>;
}

/** Ids come from outside: one that isn't known finds nothing. */
export function folderSessions(core: Core, sessions: Sessions): FolderSessions {
  const { workspace, store, checkpoints, redactor, sandbox } = core;
  return {
    folder: workspace.root,
    history: new History(core, sessions),
    sessions: () => sessions.list(),
    createSession: (wanted = {}) => sessions.create(wanted),
    session: (id) => sessions.get(id),
    fork: (id, turn) => sessions.fork(id, turn),
    checkpoints: (id) => checkpoints.list(id as SessionId),
    background: (id) => sessions.opened(id)?.background.rows() ?? [],
    canRedo: (id, scope) => checkpoints.canRedo(id as SessionId, scope),
    checkpointContent: (id, file, side) => checkpoints.content(id as CheckpointId, file, side),
    keptContent: (sha256) => checkpoints.kept(sha256 as Sha256),
    artifact: async (sessionId, artifactId) => redactor.value(artifactText(store, sessionId, artifactId)),
    redact: redactor.value,
    sandbox,
    readForOthers: (read, signal) => readForOthers(core, read, signal),
  };
}

function artifactText(store: Store, sessionId: string, artifactId: string): string | undefined {
  const bytes = store.artifacts.content(sessionId as SessionId, artifactId as ArtifactId);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
