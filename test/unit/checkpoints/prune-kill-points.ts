import type { PruneStep } from '#checkpoints/prune';

/** Every moment at which pruning the storage of prune-crash.test.ts is killed: a step, and which time it is reached. */
export const PRUNE_KILL_POINTS: readonly (readonly [step: PruneStep, nth: number])[] = [
  ...times('begun', 1),
  ...times('planned', 1),
  ...times('turn-forgotten', 14),
  ...times('undo-forgotten', 1),
  ...times('marked', 1),
  ...times('aside', 22),
  ...times('removed', 22),
  ...times('swept', 1),
  ...times('ended', 1),
];

function times(step: PruneStep, count: number): (readonly [PruneStep, number])[] {
  return Array.from({ length: count }, (_, index) => [step, index + 1] as const);
}
