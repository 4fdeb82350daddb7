import type { CheckpointSummary, FileState } from '#protocol/checkpoint';
import type { NewCheckpoint } from '#store/checkpoints';
import type { StoredOperation } from '#store/file-operations';
import { composeEffects } from './chain';
import { sweepLeftovers } from './leftovers';
import { type LineStats, lineStats } from './lines';
import { CONTENT_LIMIT } from './look';
import { type NetEffect, netChanges, netEffects } from './net-changes';
import { absolutePath } from './paths';
import { fateOf, finishRename } from './settle';
import { summarize } from './summaries';
import type { World } from './world';

/**
 * Ends a turn's checkpoint: writes whose end isn't known are settled from the disk, net line counts worked out. Says what the turn
 * came to; undefined when nothing changed.
 */
export async function sealCheckpoint(
  world: World,
  checkpoint: NewCheckpoint,
  state: 'sealed' | 'interrupted',
): Promise<CheckpointSummary | undefined> {
  const { store } = world;
  const { id } = checkpoint;
  const found = store.operations.list(id);
  // Before an operation is dropped: it alone knows where a killed write may have left something.
  if (state === 'interrupted') await sweepLeftovers(world, pathsOf(found));
  const pending = found.filter(({ settled }) => settled === 'pending');
  for (const operation of pending) await settle(world, operation);
  if (state === 'interrupted') await keepLeft(world, found);
  const operations = pending.length === 0 ? found : store.operations.list(id);
  const lines = await netLines(world, operations);
  const files = netChanges(operations, (path) => lines.get(path));
  const changes = store.commandChanges.list(id);
  const cutOff = store.commandRuns.cutOff(id);
  store.commandRuns.close(id);
  const folders = store.folders.fates(id);
  const isEmpty = operations.length + changes.length + cutOff.length + folders.length === 0;
  const omittedCommands = store.checkpoints.seal(id, isEmpty ? 'empty' : state, files);
  return summarize({ ...checkpoint, state, files, omittedCommands }, operations, {
    changes,
    cutOff,
    folders: () => store.folders.changes(id),
  });
}

async function settle(world: World, operation: StoredOperation): Promise<void> {
  const { store, files, folder, log } = world;
  const judged = await fateOf(operation, files, folder);
  const fate =
    judged.kind === 'half' ? await finishRename(operation, judged.from, { files, root: folder }) : judged;
  log.warn(`journal: ${operation.kind} ${operation.path} was cut off: ${fate.kind}`);
  switch (fate.kind) {
    case 'never-happened':
      store.operations.drop(operation.id);
      break;
    case 'happened':
      store.operations.settle(operation.id, fate.after, { added: 0, removed: 0 });
      await noteContent(world, operation.path, fate.after);
      break;
    case 'unknown':
      store.operations.settleUnknown(operation.id);
      break;
  }
}

function pathsOf(operations: readonly StoredOperation[]): string[] {
  return operations.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

/** What a dead process had no time for: to keep what it wrote. */
async function keepLeft(world: World, operations: readonly StoredOperation[]): Promise<void> {
  for (const { path, after } of composeEffects(operations).values())
    if (after) await noteContent(world, path, after);
}

/** Keeps a content for as long as the file still has it. */
async function noteContent(world: World, path: string, state: FileState): Promise<void> {
  if (state.kind !== 'file') return;
  const read = await world.files.read(absolutePath(world.folder, path), { maxBytes: CONTENT_LIMIT });
  if (read.ok && !read.value.more && read.value.sha256 === state.sha256) world.blobs.note(read.value);
}

/** One operation knows its own lines; of several on one path only the first and the last content count. */
async function netLines(
  world: World,
  operations: readonly StoredOperation[],
): Promise<Map<string, LineStats>> {
  const lines = new Map<string, LineStats>();
  for (const net of netEffects(operations)) {
    const { effect, origin } = net;
    if (!effect.after || !needsCount(net)) continue;
    const before = await world.blobs.contentOf(origin?.before ?? effect.before);
    lines.set(effect.path, lineStats(before, await world.blobs.contentOf(effect.after)));
  }
  return lines;
}

/** A command's lines were counted when it ended, where there weren't too many. */
function needsCount({ operations }: NetEffect): boolean {
  return (
    operations.length > 1 ||
    operations.some(
      ({ kind, command, added, removed }) =>
        kind !== 'rename' && command === undefined && added === 0 && removed === 0,
    )
  );
}
