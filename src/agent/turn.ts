import type { GateContext, PassedCall } from '#gates/context';
import type { Model } from '#models/model';
import type { TurnProblem, TurnStatus } from '#protocol/event';
import type { SessionId, TurnId } from '#protocol/ids';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolContext } from '#tools/tool';
import type { ToolView } from '#tools/toolbox';
import type { Conversation } from './conversation';
import type { SessionLog } from './session-log';

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
  newId<T extends string>(): T;
  /** What the next request shows; inside a step it doesn't move. */
  view(): ToolView;
  system(): string;
  gates(step: { readonly view: ToolView; readonly batch: readonly ToolCall[] }): GateContext;
  /** What one call acts with. */
  context(call: PassedCall): ToolContext;
  /** Milliseconds, never going back. */
  now(): number;
  warn(message: string): void;
  hasQueued(): boolean;
  /** Hands what was typed meanwhile to the model. */
  deliverQueued(): Promise<void>;
  /** Belay's own word to the model. */
  note(text: string): Promise<void>;
}

export interface TurnEnd {
  readonly status: TurnStatus;
  readonly problem?: TurnProblem;
}
