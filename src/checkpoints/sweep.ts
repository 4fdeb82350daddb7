import { writeFileSync } from 'node:fs';
import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#disk/stat';
import { isLeftover } from '#disk/temporary';
import type { Sha256 } from '#protocol/ids';
import { goingName } from './blobs';

/** A moment between two effects on the disk, at which tests die. */
export type SweepStep = 'marked' | 'aside' | 'removed' | 'back';

/** What a sweep is done with. */
export interface Sweep {
  /** Where the blobs lie, by hash. */
  readonly folder: string;
  /** What anybody needs, read now. */
  readonly standing: () => ReadonlySet<Sha256>;
  /** Asked between slices; throws when the sweep shall end here. */
  readonly goOn: () => Promise<void>;
  readonly onStep?: ((step: SweepStep) => void) | undefined;
}

/** What was taken away. */
export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/** Another window may have written a blob whose row isn't committed yet: so long nobody takes it for unused. */
const YOUNG = 60 * 60 * 1000;
/** Blobs between two pauses. */
const SLICE = 64;
const BLOB = /^[0-9a-f]{64}$/;
const GOING = /^([0-9a-f]{64})\.going$/;

/**
 * Deletes blobs that nobody needs, and may be killed anywhere. A blob is first taken aside by renaming, then looked at for the last
 * time: who wants to use one that lies there unused touches it first (`BlobStore`), so either the touch is seen here and the blob gets
 * its name back, or the other finds no blob and writes its own. Its age is told by the file system's own clock.
 */
export async function sweepBlobs(sweep: Sweep): Promise<Swept> {
  const names = await namesIn(sweep.folder);
  if (names.length === 0) return { blobs: 0, bytes: 0 };
  const standing = sweep.standing();
  const old = (await fileSystemNow(sweep.folder)) - YOUNG;
  sweep.onStep?.('marked');
  for (const name of names.filter(isLeftover)) await discardOld(join(sweep.folder, name), old);
  const candidates = [...candidatesIn(names, standing)];
  let [blobs, bytes] = [0, 0];
  for (const [index, hash] of candidates.entries()) {
    if (index % SLICE === 0) await sweep.goOn();
    const freed = await takeAway(join(sweep.folder, hash), { old, isNeeded: standing.has(hash) }, sweep);
    if (freed === undefined) continue;
    blobs++;
    bytes += freed;
  }
  return { blobs, bytes };
}

/** Unused ones, and those that a killed sweep left aside, used or not. */
function candidatesIn(names: readonly string[], standing: ReadonlySet<Sha256>): Set<Sha256> {
  const found = new Set<Sha256>();
  for (const name of names) {
    const aside = GOING.exec(name)?.[1] as Sha256 | undefined;
    if (aside !== undefined) found.add(aside);
    else if (BLOB.test(name) && !standing.has(name as Sha256)) found.add(name as Sha256);
  }
  return found;
}

/** What a killed write of a blob left beside it. */
async function discardOld(path: string, old: number): Promise<void> {
  const there = await stat(path).catch(ignoreMissing);
  if (there?.isFile() && there.mtimeMs < old) await unlink(path).catch(ignoreMissing);
}

interface Judgement {
  readonly old: number;
  readonly isNeeded: boolean;
}

/** Bytes that were freed; undefined when the blob stays, or is gone already. */
async function takeAway(
  path: string,
  { old, isNeeded }: Judgement,
  { onStep }: Sweep,
): Promise<number | undefined> {
  const aside = goingName(path);
  if (!isNeeded) {
    // A young one isn't even taken aside: its writer is about to use it.
    const there = await stat(path).catch(ignoreMissing);
    if (there && (!there.isFile() || there.mtimeMs >= old)) return undefined;
    if (there) await rename(path, aside).catch(ignoreMissing);
    onStep?.('aside');
  }
  const found = await stat(aside).catch(ignoreMissing);
  if (!found) return undefined;
  if (isNeeded || found.mtimeMs >= old) {
    // Whoever wrote it anew meanwhile wrote the same.
    const isBack = await stat(path).catch(ignoreMissing);
    await (isBack ? unlink(aside) : rename(aside, path)).catch(ignoreMissing);
    onStep?.('back');
    return undefined;
  }
  const isGone = await unlink(aside).then(() => true, ignoreMissing);
  onStep?.('removed');
  return isGone ? found.size : undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

/** The moment as the disk's own clock has it: a network disk's differs from ours, and ours may be set. */
async function fileSystemNow(folder: string): Promise<number> {
  const marker = join(folder, '.swept');
  writeFileSync(marker, '');
  return (await stat(marker)).mtimeMs;
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
}
