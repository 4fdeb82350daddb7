import type { CheckpointSummary } from './checkpoint';
import type { CompactionResult } from './compaction';
import type { HookReportKind, TurnProblem, TurnStatus } from './event';
import type { CallId, TurnId } from './ids';
import type { Mention } from './message';
import type { RulesFileRow } from './rules-file';
import type { Todo } from './todo';
import type { GateLine, Risk } from './tool-call';
import type { ArtifactReference, Display, ResultCode, ResultStatus } from './tool-result';

/** How far a call got. */
export type CallState = 'gating' | 'waiting' | 'running' | ResultStatus;

/** One thing in a turn, in the order they came. */
export type TurnItem =
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly text: string;
      readonly reasoning: string;
      readonly streaming: boolean;
    }
  | CallItem
  | { readonly kind: 'message'; readonly key: string; readonly text: string; readonly queued: boolean }
  | {
      readonly kind: 'hook';
      readonly key: string;
      readonly event: string;
      readonly hook: string;
      readonly report: HookReportKind;
      readonly text: string;
    }
  | CompactionItem
  | { readonly kind: 'rules'; readonly key: string; readonly files: readonly RulesFileRow[] }
  | {
      readonly kind: 'retry';
      readonly key: string;
      readonly attempt: number;
      readonly attempts: number;
      readonly until: number;
      readonly reason: string;
    };

/** A place from which on the model gets less of what was said before. */
export interface CompactionItem {
  readonly kind: 'compaction';
  readonly key: string;
  /** Absent while it is under way. */
  readonly how?: CompactionResult;
  readonly before: number;
  readonly after: number;
  readonly problem?: string;
}

/** One tool call as a row: what it is, how far it got, why it was allowed. */
export interface CallItem {
  readonly kind: 'call';
  readonly key: string;
  readonly callId: CallId;
  readonly name: string;
  /** Empty until the gates have made it. */
  readonly summary: string;
  readonly state: CallState;
  readonly code?: ResultCode;
  readonly risk?: Risk;
  readonly display?: Display;
  readonly artifact?: ArtifactReference;
  readonly trace: readonly GateLine[];
  /** Milliseconds since 1970 of `tool.started`; absent when it never ran. */
  readonly startedAt?: number;
  readonly ms?: number;
  /** What it said last while it runs; empty afterwards. */
  readonly lastLine: string;
}

/** One turn as a person sees it. */
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
  /** The todo list when the turn began: a rewind to before it brings this back. */
  readonly todosBefore: readonly Todo[];
}
