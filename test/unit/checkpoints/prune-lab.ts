import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { BlobStore } from '#checkpoints/blobs';
import { type PruneStep, type PruneWorld, prune } from '#checkpoints/prune';
import type { Retention } from '#checkpoints/prune-plan';
import type { World } from '#checkpoints/world';

export const DAY = 24 * 60 * 60 * 1000;

/** The defaults of the settings. */
export const DEFAULTS: Retention = { days: 30, sessionMb: 100, totalMb: 1024, keepTurns: 5 };

export function pruneWorld(
  world: World,
  storage: string,
  onPruneStep?: (step: PruneStep) => void,
): PruneWorld {
  const owner = { id: 'pruner', pid: process.pid, host: 'here' };
  return { ...world, storage, owner, ...(onPruneStep ? { onPruneStep } : {}) };
}

/** Prunes what is so old that no other window can be about to use it. */
export function pruneOld(
  world: World,
  storage: string,
  retention: Partial<Retention> = {},
  onPruneStep?: (step: PruneStep) => void,
): ReturnType<typeof prune> {
  age(storage);
  return prune(pruneWorld(world, storage, onPruneStep), { retention: { ...DEFAULTS, ...retention } });
}

/** As if every blob had been written two hours ago. */
export function age(storage: string): void {
  const then = Date.now() / 1000 - 2 * 60 * 60;
  for (const name of blobNames(storage)) utimesSync(join(storage, 'blobs', name), then, then);
}

/** What lies in the blobs' folder, but for the sweep's own mark. */
export function blobNames(storage: string): string[] {
  const folder = join(storage, 'blobs');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name !== '.swept')
        .sort()
    : [];
}

/** Contents that somebody needs and that are gone; read as a new process reads them. */
export async function lost({ store }: Pick<World, 'store'>, storage: string): Promise<string[]> {
  const blobs = new BlobStore(join(storage, 'blobs'));
  const missing: string[] = [];
  for (const hash of store.references.standing()) if (!(await blobs.get(hash))) missing.push(hash);
  return missing;
}
