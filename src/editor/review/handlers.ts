import type { Actions } from '#editor/actions';
import { isFile, turnOf } from '#editor/tree-nodes';
import type { ReviewActions } from './commands';

/** Both loaded with the first use. */
interface World {
  readonly actions: () => Promise<Actions>;
  readonly review: () => Promise<ReviewActions>;
}

/** The commands of review and of undo in parts, by id without `belay.`. */
export function reviewCommands({
  actions,
  review,
}: World): Record<string, (...args: unknown[]) => Promise<void>> {
  return {
    'review.openFile': async (given) => (await review()).here(given, 'open'),
    'review.keepFile': async (given) => (await review()).here(given, 'keep'),
    'review.undoFile': async (given) => (await review()).here(given, 'undo'),
    'review.keepBlock': async (given) => (await review()).keepBlock(given),
    'review.undoBlock': async (given) => (await review()).undoBlock(given),
    undoRange: async () => (await actions()).changes.undoRange(),
    'checkpoint.undoFile': async (given) => {
      if (!isFile(given)) return (await review()).undoFileOfTurn(given);
      const { sessionId, checkpoint, change } = given;
      const { turn } = checkpoint;
      const request = { turn, last: turn, scope: 'files', paths: [change.path] } as const;
      await (await actions()).changes.undo(request, sessionId);
    },
    'checkpoint.undoUpTo': async (given) => {
      const { checkpoint, sessionId } = turnOf(given);
      await (await actions()).changes.undoRange(checkpoint.turn, sessionId);
    },
  };
}
