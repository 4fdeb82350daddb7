import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from './approval';
import type { CheckpointSummary, RestoreScope } from './checkpoint';
import type { CompactionCause, CompactionResult } from './compaction';
import type { CallId, CheckpointId, RequestId, SessionId, TurnId } from './ids';
import type { ContextUse, Mention, Usage } from './message';
import type { RulesFileRow } from './rules-file';
import type { Mode } from './settings';
import type { Todo } from './todo';
import type { GateLine, Risk } from './tool-call';
import type { ArtifactReference, Display, ResultCode, ResultStatus } from './tool-result';

/** How a turn ended. */
export type TurnStatus = 'done' | 'cancelled' | 'failed' | 'limit' | 'denied' | 'interrupted';

/** A hook's own words, words about one that failed, or why it blocked something. */
export type HookReportKind = 'message' | 'problem' | 'blocked';

/** What to tell a person about a failed turn: what happened, what was kept, what to do. */
export interface TurnProblem {
  readonly kind:
    | 'auth'
    | 'quota'
    | 'network'
    | 'provider'
    | 'empty'
    | 'loop'
    | 'limit'
    | 'hook'
    | 'store'
    | 'bug';
  readonly title: string;
  readonly detail: string;
}

/** A changed block of a file as it was when it was kept: its first line, 1-based, and how many. */
export interface KeptHunk {
  readonly path: string;
  readonly line: number;
  readonly lines: number;
}

/** What an undo or a redo changed. */
interface Restored {
  readonly operation: string;
  readonly turns: readonly number[];
  readonly checkpointIds: readonly CheckpointId[];
  readonly files: readonly string[];
}

/**
 * Everything that matters, recorded before anyone sees it. Every view is a fold of these.
 * Events carry hashes, sizes and redacted displays; what the model saw is in the messages.
 */
export type EventBody =
  | { readonly type: 'session.created'; readonly title: string }
  | { readonly type: 'session.titled'; readonly title: string }
  | {
      readonly type: 'session.rewound';
      readonly toSequence: number;
      readonly operation: string;
      readonly scope: RestoreScope;
      readonly turns: readonly number[];
    }
  | { readonly type: 'session.unwound'; readonly operation: string }
  /** What stands before it was taken over from another session: all before its turn `turn`, or without one all of it. */
  | {
      readonly type: 'session.forked';
      readonly from: SessionId;
      readonly title: string;
      readonly turn?: number;
    }
  | { readonly type: 'mode.changed'; readonly mode: Mode }
  | { readonly type: 'model.changed'; readonly modelId: string }
  | {
      readonly type: 'turn.started';
      readonly turnId: TurnId;
      readonly turn: number;
      readonly prompt: string;
      readonly mentions: readonly Mention[];
    }
  | { readonly type: 'message.queued'; readonly turnId: TurnId; readonly text: string }
  | { readonly type: 'message.delivered'; readonly turnId: TurnId; readonly text: string }
  | {
      readonly type: 'model.requested';
      readonly turnId: TurnId;
      readonly requestId: RequestId;
      readonly step: number;
      readonly modelId: string;
      readonly toolNames: readonly string[];
      readonly toolSchemaSha256: string;
      readonly activatedTools: readonly string[];
    }
  | {
      readonly type: 'model.retrying';
      readonly turnId: TurnId;
      readonly requestId: RequestId;
      readonly attempt: number;
      readonly attempts: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | {
      readonly type: 'model.completed';
      readonly turnId: TurnId;
      readonly requestId: RequestId;
      readonly text: string;
      readonly reasoning: string;
      readonly usage: Usage;
      readonly finish: string;
      /** How full the model's window is after it; absent where that isn't known. */
      readonly context?: ContextUse;
    }
  /** Which of the workspace's own rules files the model is told from here on; recorded when that changes. */
  | { readonly type: 'rules.loaded'; readonly turnId: TurnId; readonly files: readonly RulesFileRow[] }
  /** The older part of the conversation is being summarised. */
  | { readonly type: 'conversation.compacting'; readonly turnId: TurnId; readonly cause: CompactionCause }
  | {
      readonly type: 'conversation.compacted';
      readonly turnId: TurnId;
      readonly cause: CompactionCause;
      readonly how: CompactionResult;
      /** Tokens of the next request without it and with it, as far as they can be known. */
      readonly before: number;
      readonly after: number;
      /** What the summary itself took. */
      readonly usage?: Usage;
      /** Why there is no summary though one was wanted. */
      readonly problem?: string;
    }
  | {
      readonly type: 'tool.requested';
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly name: string;
      readonly inputSha256: string;
      readonly inputBytes: number;
    }
  | {
      readonly type: 'tool.gated';
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly summary: string;
      readonly trace: readonly GateLine[];
    }
  | { readonly type: 'approval.requested'; readonly turnId: TurnId; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval.answered';
      readonly turnId: TurnId;
      readonly approvalId: string;
      readonly callId: CallId;
      readonly answer: ApprovalAnswer;
      readonly by: AnsweredBy;
    }
  | {
      readonly type: 'tool.started';
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly name: string;
      readonly risk: Risk;
      readonly sideEffect: boolean;
      readonly schemaSha256: string;
    }
  | {
      readonly type: 'tool.completed';
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly name: string;
      readonly status: ResultStatus;
      readonly code?: ResultCode;
      readonly contentBytes: number;
      readonly contentSha256: string;
      readonly display?: Display;
      readonly artifact?: ArtifactReference;
      readonly trace: readonly GateLine[];
      readonly ms: number;
    }
  /** What a hook has for the person. A denied call's reason stands in its trace instead. */
  | {
      readonly type: 'hook.reported';
      readonly turnId: TurnId;
      readonly callId?: CallId;
      /** The moment it ran at: "PostToolUse". */
      readonly event: string;
      /** Its command, shortened, and where it stands. */
      readonly hook: string;
      readonly kind: HookReportKind;
      readonly text: string;
    }
  | { readonly type: 'tools.changed'; readonly version: number; readonly toolNames: readonly string[] }
  | { readonly type: 'todos.changed'; readonly todos: readonly Todo[] }
  | { readonly type: 'checkpoint.sealed'; readonly turnId: TurnId; readonly checkpoint: CheckpointSummary }
  | (Restored & { readonly type: 'checkpoint.undone' })
  | (Restored & { readonly type: 'checkpoint.redone' })
  /** Their earlier contents were removed to save space: they can't be undone any more. */
  | {
      readonly type: 'checkpoint.pruned';
      readonly turns: readonly number[];
      readonly checkpointIds: readonly CheckpointId[];
    }
  /** A part of a turn was taken back, or brought back: this is what is left of it. */
  | { readonly type: 'checkpoint.changed'; readonly turnId: TurnId; readonly checkpoint: CheckpointSummary }
  /** Seen and kept: the files named, the changed blocks named, or with neither all that there is. */
  | {
      readonly type: 'files.kept';
      readonly paths?: readonly string[];
      readonly hunks?: readonly KeptHunk[];
    }
  | {
      readonly type: 'turn.ended';
      readonly turnId: TurnId;
      readonly status: TurnStatus;
      readonly problem?: TurnProblem;
    };

/** A recorded event: its place in the session's log (1, 2, 3 …) and its moment (ms since 1970). */
export type SessionEvent = EventBody & {
  readonly sequence: number;
  readonly sessionId: SessionId;
  readonly at: number;
};

/** The recorded events of one type. */
export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

/** What is shown while it happens and not recorded: the recorded event that follows says it all again. */
export type LiveEvent =
  | {
      readonly type: 'live.text';
      readonly sessionId: SessionId;
      readonly turnId: TurnId;
      readonly requestId: RequestId;
      readonly kind: 'text' | 'reasoning';
      readonly delta: string;
    }
  | {
      readonly type: 'live.output';
      readonly sessionId: SessionId;
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly lastLine: string;
    };

/** One union outward: what a session tells the world. */
export type AgentEvent = SessionEvent | LiveEvent;

/** Whether it is shown only, not recorded. */
export function isLive(event: AgentEvent): event is LiveEvent {
  return event.type === 'live.text' || event.type === 'live.output';
}
