import type { ApprovalAnswer, AnsweredBy, ApprovalRequest } from './approval';
import type { CheckpointSummary } from './checkpoint';
import type { AgentEvent, TurnProblem, TurnStatus } from './event';
import type { CallId, SessionId, TurnId } from './ids';
import type { Mention, Usage } from './message';
import type { Mode } from './settings';
import type { Todo } from './todo';
import type { GateLine, Risk } from './tool-call';
import type { ArtifactReference, Display, ResultCode, ResultStatus } from './tool-result';

export type CallState = 'gating' | 'waiting' | 'running' | ResultStatus;

export type TurnItem =
  | { readonly kind: 'text'; readonly key: string; readonly text: string; readonly reasoning: string; readonly streaming: boolean }
  | { readonly kind: 'call'; readonly key: string; readonly callId: CallId; readonly name: string; readonly summary: string; readonly state: CallState; readonly code?: ResultCode; readonly risk?: Risk; readonly display?: Display; readonly artifact?: ArtifactReference; readonly trace: readonly GateLine[]; readonly startedAt?: number; readonly ms?: number; readonly lastLine: string }
  | { readonly kind: 'message'; readonly key: string; readonly text: string; readonly queued: boolean }
  | { readonly kind: 'retry'; readonly key: string; readonly attempt: number; readonly attempts: number; readonly until: number; readonly reason: string };

export interface TranscriptTurn {
  readonly turnId: TurnId;
  readonly turn: number;
  readonly at: number;
  readonly prompt: string;
  readonly mentions: readonly Mention[];
  readonly items: readonly TurnItem[];
  readonly status: TurnStatus | 'running';
  readonly problem?: TurnProblem;
  readonly checkpoint?: CheckpointSummary;
}

export interface AnsweredApproval {
  readonly request: ApprovalRequest;
  readonly answer?: ApprovalAnswer;
  readonly by?: AnsweredBy;
}

/** A session as a person sees it: the fold of its events. */
export interface Transcript {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly mode: Mode;
  readonly modelId: string;
  readonly turns: readonly TranscriptTurn[];
  readonly approvals: readonly AnsweredApproval[];
  readonly todos: readonly Todo[];
  readonly usage: Usage;
  /** Sequence of the last event folded in. */
  readonly sequence: number;
  /** Files changed and neither kept nor undone, for the bar over the composer. */
  readonly reviewSince: number;
}
