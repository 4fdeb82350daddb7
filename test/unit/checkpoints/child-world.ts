import { join } from 'node:path';
import { BlobStore } from '#checkpoints/blobs';
import type { World } from '#checkpoints/world';
import { diskFiles } from '#disk/files';
import type { AbsolutePath, TurnId } from '#protocol/ids';
import { openStore } from '#store/store';
import { ensureSession, SESSION } from './hands';

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const clock = { now: () => 0, monotonic: () => 0 };

/** The only turn of a child. */
export const TURN = {
  sessionId: SESSION,
  ...{ turnId: 't' as TurnId, turn: 1, prompt: 'p', startSequence: 0, messageCount: 0, todos: [] },
};

/** What the checkpoints of a process of its own work with, on real files and a real store. */
export function childWorld(
  { folder, storage }: { readonly folder: string; readonly storage: string },
  onStep?: World['onStep'],
): { readonly world: World; close(): void } {
  const opened = openStore({ path: join(storage, 'belay.db'), log: quiet, clock });
  if (!opened.ok) throw new Error(opened.error.message);
  const world: World = {
    store: opened.value,
    blobs: new BlobStore(join(storage, 'blobs')),
    files: diskFiles(),
    documents: { dirtyText: () => undefined, dirtyPaths: () => [] },
    folder: folder as AbsolutePath,
    clock,
    random: { id: () => crypto.randomUUID() },
    log: quiet,
    ...(onStep ? { onStep } : {}),
  };
  ensureSession(world, SESSION);
  return { world, close: () => opened.value.close() };
}
