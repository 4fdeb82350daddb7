import type { CommandChange } from '#protocol/checkpoint';
import type { CheckpointId, Sha256 } from '#protocol/ids';
import { absolutePath } from './paths';
import type { World } from './world';

/** Command changes kept for one turn; an install makes tens of thousands, which nobody reads. */
const LISTED = 500;
/** Files up to this size are hashed, so that a conflict can say for certain who wrote what is there. */
const HASHED = 5 * 1024 * 1024;

/**
 * Records what a command changed. Files that Belay wrote to come first and never fall to the limit, since they are what a
 * conflict is about; only they are hashed.
 */
export async function noteCommandChanges(
  world: World,
  id: CheckpointId,
  changes: readonly CommandChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { store } = world;
  const ours = store.operations.touchedPaths(world.folder);
  const afterOperation = store.operations.last();
  const touched: { readonly change: CommandChange; readonly sha256: Sha256 | undefined }[] = [];
  for (const change of changes.filter(({ path }) => ours.has(path)))
    touched.push({ change, sha256: await hashOf(world, change) });
  const others = changes.filter(({ path }) => !ours.has(path));
  store.transaction(() => {
    for (const { change, sha256 } of touched)
      store.commandChanges.add(id, { ...change, afterOperation, sha256 });
    const room = Math.max(0, LISTED - store.commandChanges.count(id));
    for (const change of others.slice(0, room))
      store.commandChanges.add(id, { ...change, afterOperation, sha256: undefined });
    if (others.length > room) store.checkpoints.noteOmitted(id, others.length - room);
  });
}

async function hashOf(world: World, change: CommandChange): Promise<Sha256 | undefined> {
  if (change.operation === 'delete') return undefined;
  const read = await world.files.read(absolutePath(world.folder, change.path), { maxBytes: HASHED });
  return read.ok && !read.value.more ? read.value.sha256 : undefined;
}
