import { messageOf } from '#base/result';
import type { World } from '#checkpoints/world';
import { look } from '#disk/scan-entry';
import type { StampClock } from '#disk/stamps';
import type { KeptContent } from '#store/kept-contents';
import { readSeen, readSeenLink } from './read-seen';
import { type Known, LARGEST_KEPT, type Unknown } from './sources';

interface Keeping {
  /** Bytes that may still be kept. */
  readonly room: number;
  readonly signal: AbortSignal;
  /** By which the kernel stamps; undefined where it can't be read. */
  readonly clock: StampClock | undefined;
  /** Told of what the store now knows. */
  note(kept: KeptContent): void;
}

/** Milliseconds of work before others get their turn. */
const SLICE = 8;
/** Without a clock to compare with, a file must have been left alone for so long to count as settled. */
const SETTLED_MS = 2000;
/** So many new blobs are waited for; of more, those that the command destroys are waited for when it has ended. */
const SYNCED = 64;

/** Keeps the contents of files, the latest written first, as far as there is room. */
export async function keepAll(
  world: World,
  files: readonly Unknown[],
  { room, signal, clock, note }: Keeping,
): Promise<Map<Unknown, Known>> {
  const found = new Map<Unknown, Known>();
  const rows: KeptContent[] = [];
  let left = room;
  let sliceEnd = performance.now() + SLICE;
  for (const file of [...files].sort((a, b) => b.entry.mtimeMs - a.entry.mtimeMs)) {
    if (performance.now() > sliceEnd) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      sliceEnd = performance.now() + SLICE;
    }
    if (file.entry.kind === 'symlink') {
      found.set(file, keepLink(world, file, clock));
      continue;
    }
    const isTooLarge = file.entry.bytes > LARGEST_KEPT;
    if (isTooLarge || file.entry.bytes > left) {
      const source = { kind: 'none', why: isTooLarge ? 'too-large' : 'budget' } as const;
      found.set(file, { entry: file.entry, source, isLasting: isTooLarge });
      continue;
    }
    const before = clock?.read() ?? Date.now() - SETTLED_MS;
    const known = await keepOne(world, file);
    const { entry, source } = known;
    const isLasting = source.kind === 'blob' && entry.ctimeMs < before;
    found.set(file, { ...known, isLasting });
    if (source.kind !== 'blob') continue;
    left -= entry.bytes;
    if (isLasting) rows.push({ path: file.path, ...statOf(entry), sha256: source.sha256 });
  }
  remember(world, rows, note);
  await makeDurable(world, found);
  return found;
}

/** What is written in a link is known as long as its stat is the same: that can't be changed, only replaced. It needs no room. */
function keepLink({ folder }: World, { path, entry: seen }: Unknown, clock: Keeping['clock']): Known {
  const at = `${folder}/${path}`;
  const before = clock?.read() ?? Date.now() - SETTLED_MS;
  for (const entry of [seen, look(at)]) {
    if (entry?.kind !== 'symlink') continue;
    const link = readSeenLink(at, entry);
    if (link === 'another') continue;
    const isLasting = entry.ctimeMs < before;
    return { entry, source: link ?? { kind: 'none', why: 'special' }, isLasting };
  }
  return { entry: seen, source: { kind: 'none', why: 'lost' }, isLasting: false };
}

/** Twice: whoever writes to it just now may be done. */
async function keepOne(world: World, { path, entry: seen }: Unknown): Promise<Omit<Known, 'isLasting'>> {
  const at = `${world.folder}/${path}`;
  for (const entry of [seen, look(at)]) {
    if (entry?.kind !== 'file' || entry.bytes > LARGEST_KEPT) continue;
    const content = readSeen(at, entry);
    if (!content) continue;
    try {
      await world.blobs.write(content);
      return { entry, source: { kind: 'blob', sha256: content.sha256 } };
    } catch (error) {
      world.log.warn(`covering: ${path} could not be kept: ${messageOf(error)}`);
      break;
    }
  }
  return { entry: seen, source: { kind: 'none', why: 'lost' } };
}

function statOf({ bytes, mode, links, inode, mtimeMs, ctimeMs }: Known['entry']) {
  return { bytes, mode, links, inode, mtimeMs, ctimeMs };
}

/** The store may refuse: then the next look reads once more. */
function remember(
  { store, folder, clock, log }: World,
  rows: readonly KeptContent[],
  note: Keeping['note'],
): void {
  if (rows.length === 0) return;
  try {
    store.transaction(() => {
      for (const row of rows) store.keptContents.put(folder, row, clock.now());
    });
    for (const row of rows) note(row);
  } catch (error) {
    log.warn(`covering: what was kept isn't remembered: ${messageOf(error)}`);
  }
}

async function makeDurable({ blobs, log }: World, found: ReadonlyMap<Unknown, Known>): Promise<void> {
  const hashes = [...found.values()].flatMap(({ source }) => (source.kind === 'blob' ? [source.sha256] : []));
  if (hashes.length > SYNCED) return;
  try {
    await Promise.all(hashes.map((hash) => blobs.sync(hash)));
  } catch (error) {
    log.warn(`covering: what was kept may not outlast a power cut: ${messageOf(error)}`);
  }
}
