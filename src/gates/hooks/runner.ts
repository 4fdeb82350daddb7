import type { Rule } from '#gates/rules/rule';
import type { CallId } from '#protocol/ids';
import type { HookEvent, HookProblem } from './hook';
import type { HookReport } from './report';

/** A moment at which hooks may run. */
export interface HookOccasion {
  readonly event: HookEvent;
  /** What matchers are held against: a tool's names, or how the session started. Empty where every matcher fits. */
  readonly names: readonly string[];
  readonly callId?: CallId;
  /** What a hook is told on stdin besides what every hook is told; asked for only when one runs. */
  fields(): Promise<Readonly<Record<string, unknown>>>;
  /** Whether an `if` speaks of it. Absent where there is nothing that a rule could speak of: such hooks don't run. */
  meets?(condition: Rule): Promise<boolean>;
}

/** What came of an occasion. */
export interface HookOutcome {
  /** Of each hook that ran, in the order in which they are configured. */
  readonly reports: readonly HookReport[];
  /** What of the configuration couldn't be read and may have been a guard. */
  readonly problems: readonly HookProblem[];
}

/** Runs what is configured for an occasion, side by side, and hears all of it. */
export interface HookRunner {
  run(occasion: HookOccasion): Promise<HookOutcome>;
}
