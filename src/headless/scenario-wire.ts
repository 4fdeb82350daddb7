import type { CheckpointSummary, RestoreOutcome } from '#protocol/checkpoint';
import type { SessionEvent, TurnStatus } from '#protocol/event';
import type { HandWork, PromptStep, Scenario, Step } from '#protocol/scenario';
import type { GateLine } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';

/**
 * What the scenario's parent (core-process.ts) tells the process that runs the core (scenario-worker.ts). Both are this program, so
 * neither parses what the other says.
 */
export type ToWorker =
  | {
      readonly type: 'start';
      readonly folder: string;
      readonly storage: string;
      readonly settings: Scenario['settings'];
      readonly trusted: boolean;
      /** The policy file's text. */
      readonly policy: string;
      /** The project's settings are accepted as they are: at the first start. */
      readonly accept: boolean;
      /** The settings' mode is to be taken: at the first start. */
      readonly setMode: boolean;
      /** The session to go on with after a restart. */
      readonly sessionId: string | undefined;
    }
  | { readonly type: 'prompt'; readonly step: PromptStep }
  | {
      readonly type: 'act';
      readonly step: Extract<
        Step,
        { undo: unknown } | { redo: unknown } | { mode: unknown } | { fork: unknown }
      >;
    }
  | { readonly type: 'go-to'; readonly sessionId: string }
  /** What became of the last turn, after the process that ran it was killed. */
  | { readonly type: 'report-turn' }
  | { readonly type: 'resume' }
  | { readonly type: 'finish' };

/** What that process tells on its way, and answers. */
export type FromWorker =
  | { readonly type: 'ready'; readonly sessionId: string }
  | { readonly type: 'request'; readonly request: RequestReport }
  | { readonly type: 'asked'; readonly asked: AskedReport }
  /** The core stands still at an event until `resume`. */
  | { readonly type: 'write'; readonly files: HandWork }
  | { readonly type: 'kill-me' }
  | { readonly type: 'turn-report'; readonly report: TurnReport; readonly unreached: readonly string[] }
  /** `sessionId`: the session that later steps run in, where it changed; `why`: what was asked can't be done. */
  | {
      readonly type: 'acted';
      readonly undo?: UndoReport;
      readonly sessionId?: string;
      readonly why?: string;
    }
  | { readonly type: 'finished'; readonly report: FinalReport }
  | { readonly type: 'failed'; readonly message: string };

/** What became of a turn. */
export interface TurnReport {
  readonly status: Exclude<TurnStatus, 'interrupted'>;
  /** What the model said, its replies joined by a blank line. */
  readonly text: string;
  readonly results: readonly CallReport[];
  /** Belay's own call ids → the scenario's. */
  readonly ids: Readonly<Record<string, string>>;
  readonly problem?: { readonly kind: string; readonly title: string; readonly detail: string };
}

/** One call with its one result. */
export interface CallReport extends Omit<ToolResult, 'version'> {
  /** The scenario's own id. */
  readonly id: string;
  readonly name: string;
  readonly trace: readonly GateLine[];
}

/** One question to a person, as the scenario answered it. */
export interface AskedReport {
  readonly tool: string;
  readonly subject: string;
  readonly summary: string;
  readonly suggestedRule: string | undefined;
  readonly concerns: readonly string[];
}

/** One request to the model. */
export interface RequestReport {
  readonly tools: readonly string[];
  readonly system: string;
  readonly messages: readonly RequestMessage[];
}

/** A message of a request, without what only Belay knows of it. */
export type RequestMessage =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
    }
  | {
      readonly role: 'tool';
      readonly id: string;
      readonly name: string;
      readonly status: string;
      readonly code: string | undefined;
      readonly content: string;
    };

/** What an undo or a redo came to. */
export interface UndoReport {
  readonly status: RestoreOutcome['status'];
  readonly conflicts: readonly { readonly path: string; readonly why: string }[];
  readonly turns: readonly number[];
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** What is left to tell when every step is done. */
export interface FinalReport {
  /** Of commands that ran in the background, those of the last core. */
  readonly pids: readonly number[];
  readonly events: readonly SessionEvent[];
  readonly checkpoints: readonly {
    readonly turn: number;
    readonly state: CheckpointSummary['state'];
    readonly files: readonly {
      readonly path: string;
      readonly op: string;
      readonly from?: string;
      readonly before: FileHash | FolderBits | LinkTarget | null;
      readonly after: FileHash | FolderBits | LinkTarget | null;
      readonly added: number;
      readonly removed: number;
    }[];
    /** What commands changed on disk: shown, not undoable. */
    readonly commandChanges: CheckpointSummary['commandChanges'];
  }[];
  readonly sandbox: string;
}

/** A folder of which the permission bits changed. */
export interface FolderBits {
  readonly mode: string;
}

/** A symbolic link, as it is written. */
export interface LinkTarget {
  readonly symlink: string;
}

/** A file as a report tells of it. */
export interface FileHash {
  readonly sha256: string;
  readonly bytes: number;
  readonly mode: string;
}
