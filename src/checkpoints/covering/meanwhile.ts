import type { Disposable } from '#base/disposable';
import { absolutePath } from '#checkpoints/paths';
import type { RestorePlan } from '#checkpoints/plan';
import type { World } from '#checkpoints/world';
import type { CheckpointId, SessionId } from '#protocol/ids';

/** Knows who else may have changed files since it was made. */
export interface Others extends Disposable {
  /** `beside`: the commands that ran at the same time in this window. */
  since(beside: readonly string[]): (path: string) => boolean;
}

/** Begins to listen for what others do: saves in editors, other sessions of any window, their commands and undos. */
export function listenForOthers(
  world: World,
  { sessionId, checkpointId }: { readonly sessionId: SessionId; readonly checkpointId: CheckpointId },
): Others {
  const { store, documents, folder } = world;
  const saves = documents.watchSaves?.();
  const operation = store.operations.last();
  const restore = store.restores.last();
  const run = store.commandRuns.last();
  const isBesideThen = store.commandRuns.isBeside(folder, checkpointId, run);
  return {
    since(beside) {
      const isBeside = isBesideThen || store.commandRuns.isBeside(folder, checkpointId, run);
      if (beside.length > 0 || isBeside) return () => true;
      const written = store.operations.pathsOfOthers(folder, sessionId, operation);
      const plans = store.restores.plansOfOthers<RestorePlan>(folder, sessionId, restore);
      const restored = new Set(plans.flatMap(({ files }) => files.map(({ path }) => path)));
      const saved = saves?.paths() ?? new Set();
      return (path) => written.has(path) || restored.has(path) || saved.has(absolutePath(folder, path));
    },
    dispose: () => saves?.dispose(),
  };
}
