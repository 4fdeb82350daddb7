import type { Journal } from '#checkpoints/journal';
import type { TurnId } from '#protocol/ids';
import type { ToolPorts } from '#tools/tool';
import type { CommandPlace } from './command-place';
import type { Core } from './core';
import type { SessionState } from './session-state';
import type { TurnHooks } from './turn-hooks';

/** What the calls of one turn share. */
export interface TurnTools {
  readonly core: Core;
  readonly session: SessionState;
  readonly turnId: TurnId;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly ports: ToolPorts;
  /** Where and how commands run. */
  readonly place: CommandPlace;
  readonly hooks: TurnHooks;
}
