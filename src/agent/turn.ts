import type { Compaction } from '#agent/compaction/compaction';
import type { ContextSize } from '#agent/compaction/context-size';
import type { GateContext, PassedCall } from '#gates/context';
import type { Model } from '#models/model';
import type { TurnProblem, TurnStatus } from '#protocol/event';
import type { SessionId, TurnId } from '#protocol/ids';
import type { GateLine, ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import type { ToolContext } from '#tools/tool';
import type { ToolView } from '#tools/toolbox';
import type { Conversation } from './conversation';
import type { SessionLog } from './session-log';
import type { TurnHooks } from './turn-hooks';

/** A turn while it runs: what loop, step and batch work with. */
export interface Turn {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly model: Model;
  /** Aborted when the person stops the turn. */
  readonly signal: AbortSignal;
  readonly maxSteps: number;
  readonly log: SessionLog;
  readonly conversation: Conversation;
  /** Keeps it within the model's window. */
  readonly compaction: Compaction;
  readonly size: ContextSize;
  readonly hooks: TurnHooks;
  newId<T extends string>(): T;
  /** What the next request shows; inside a step it doesn't move. */
  view(): ToolView;
  system(view: ToolView): string;
  gates(step: { readonly view: ToolView; readonly batch: readonly ToolCall[] }): GateContext;
  /** What one call acts with. */
  context(call: PassedCall): ToolContext;
  /** Runs the hooks of a call that ran; lines for its trace. */
  afterCall(call: PassedCall, ended: Ended): Promise<readonly GateLine[]>;
  /** Milliseconds, never going back. */
  now(): number;
  warn(message: string): void;
  /** Takes secrets out of what people see. */
  redact<T>(value: T): T;
  hasQueued(): boolean;
  /** Hands what was typed meanwhile to the model. */
  deliverQueued(): Promise<void>;
  /** Belay's own word to the model. */
  note(text: string): Promise<void>;
}

/** How a call ended, and how long it ran in milliseconds. */
export interface Ended {
  readonly result: ToolResult;
  readonly ms: number;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly status: TurnStatus;
  readonly problem?: TurnProblem;
}
