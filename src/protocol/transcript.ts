import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from './approval';
import type { SessionId, TurnId } from './ids';
import type { ContextUse, Usage } from './message';
import type { Mode } from './settings';
import type { Todo } from './todo';
import type { TranscriptTurn } from './turn';

/** A question and, once there is one, its answer. */
export interface AnsweredApproval {
  readonly turnId: TurnId;
  readonly request: ApprovalRequest;
  readonly answer?: ApprovalAnswer;
  readonly by?: AnsweredBy;
}

/** What a rewind took out of sight, kept so that its reverse can bring it back. */
export interface Covered {
  readonly operation: string;
  readonly turns: readonly TranscriptTurn[];
  readonly approvals: readonly AnsweredApproval[];
  readonly todos: readonly Todo[];
}

/** A session as a person sees it: the fold of its events. */
export interface Transcript {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly mode: Mode;
  readonly modelId: string;
  /** Oldest first; rewound ones are in `covered`. A long session is shown from its end: earlier turns come by pages. */
  readonly turns: readonly TranscriptTurn[];
  /** How many turns that count come before these. */
  readonly before: number;
  /** In the order they were asked. Without `by`: still waiting. */
  readonly approvals: readonly AnsweredApproval[];
  readonly todos: readonly Todo[];
  /** Tokens of the whole session, as far as providers said. */
  readonly usage: Usage;
  /** How full the model's window is; absent while that isn't known. */
  readonly context?: ContextUse;
  /** Sequence of the last event folded in. */
  readonly sequence: number;
  /** Changes of turns up to this number were kept: the bar over the composer shows later ones. */
  readonly reviewSince: number;
  readonly covered: readonly Covered[];
  /** The session that it branched off from. */
  readonly forkedFrom?: ForkedFrom;
}

/** Where a fork began. */
export interface ForkedFrom {
  readonly sessionId: SessionId;
  readonly title: string;
  /** The last turn that was taken over; absent when there was none. */
  readonly after?: TurnId;
}

/** A session of which nothing is known yet. */
export function emptyTranscript(sessionId: SessionId): Transcript {
  return {
    sessionId,
    title: '',
    mode: 'workspace-write',
    modelId: '',
    turns: [],
    before: 0,
    approvals: [],
    todos: [],
    usage: {},
    sequence: 0,
    reviewSince: 0,
    covered: [],
  };
}
