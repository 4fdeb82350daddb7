import { sha256 } from '#base/hash';
import { messageOf } from '#base/result';
import type { Content } from '#checkpoints/blobs';
import { ABSENT, sameState } from '#checkpoints/chain';
import { type LineStats, lineStats } from '#checkpoints/lines';
import type { World } from '#checkpoints/world';
import type { ScanChange } from '#disk/scan-changes';
import { look, type ScanEntry } from '#disk/scan-entry';
import type { Repository } from '#host/git';
import type { FileState, NotUndoable } from '#protocol/checkpoint';
import type { Sha256 } from '#protocol/ids';
import type { Before } from './keeper';
import { isOwn } from './looked-at';
import { withoutMovedFrom } from './moved-from';
import { readSeen, readSeenLink } from './read-seen';
import { type Known, LARGEST_KEPT, type Refusal } from './sources';

/** Files that one command may change and be undone. */
const MOST_COVERED = 10_000;
/** Of so many, lines are counted. */
const COUNTED = 200;
const COUNTED_BYTES = 1024 * 1024;
/** Bytes of new contents that are kept for the way back; the undo itself keeps what it takes away. */
const NOTED = 64 * 1024 * 1024;
/** Bytes of git's objects that are in memory at once. */
const BATCH = 32 * 1024 * 1024;

/** A change that an undo takes back. */
export interface Covered {
  readonly change: ScanChange;
  readonly before: FileState;
  readonly after: FileState;
  readonly lines: LineStats;
}

/** A change that stays, and why. */
export interface Left {
  readonly change: ScanChange;
  readonly why: NotUndoable;
}

export interface Judgement {
  readonly covered: readonly Covered[];
  readonly left: readonly Left[];
}

/** Who else changed things, and what is too much to keep of what the command made. */
export interface Circumstances {
  isMeanwhile(path: string): boolean;
  readonly refusal: Refusal;
}

type Found = Covered | Left | 'nothing';

/** `gone-on`: somebody changes it still; `special`: a link that no text says. */
type After = { readonly state: FileState; readonly content?: Content } | 'gone-on' | 'special' | undefined;

/** Says of each change whether it can be taken back, and keeps what that needs. What was there before comes first: it can be lost. */
export async function judgeAll(
  world: World,
  before: Before,
  changes: readonly ScanChange[],
  circumstances: Circumstances,
): Promise<Judgement> {
  const covered: Covered[] = [];
  const left: Left[] = [];
  const judge = new Judge(world, before, circumstances);
  const ordered = [...changes].sort((a, b) => Number(!a.before) - Number(!b.before));
  for (const batch of batchesOf(ordered, before)) {
    const objects = await objectsOf(world, before, batch);
    for (const change of batch) {
      const found: Found =
        covered.length < MOST_COVERED ? await judge.of(change, objects) : { change, why: 'too-many' };
      if (found === 'nothing') continue;
      if ('why' in found) left.push(found);
      else covered.push(found);
    }
  }
  return withoutMovedFrom({ covered, left }, before.births);
}

type Objects = ReadonlyMap<string, Uint8Array>;

class Judge {
  readonly #world: World;
  readonly #before: Before;
  readonly #circumstances: Circumstances;
  #room = NOTED;
  #counted = 0;

  constructor(world: World, before: Before, circumstances: Circumstances) {
    this.#world = world;
    this.#before = before;
    this.#circumstances = circumstances;
  }

  async of(change: ScanChange, objects: Objects): Promise<Found> {
    if (change.before?.kind === 'folder') return this.#ofFolder(change);
    const { path } = change;
    const known = change.before && this.#before.known(path);
    const after = this.#after(change);
    if (after === 'gone-on') return { change, why: 'meanwhile' };
    const why = this.#why(change, known);
    if (why || after === 'special') return { change, why: why ?? 'special' };
    const was = known ? await this.#wasThere(known, objects) : { state: ABSENT, bytes: undefined };
    if (!was) return { change, why: 'lost' };
    const now = after?.state ?? ABSENT;
    if (sameState(was.state, now)) return 'nothing';
    if (after?.content) this.#note(after.content);
    return { change, before: was.state, after: now, lines: await this.#lines(was, now, after?.content) };
  }

  /** Its permission bits, of which nothing has to be kept beforehand. */
  #ofFolder(change: ScanChange): Found {
    const { path, before, after } = change;
    if (isOwn(path)) return { change, why: 'own' };
    if (this.#circumstances.isMeanwhile(path)) return { change, why: 'meanwhile' };
    if (!before || !after) return 'nothing';
    const state = ({ mode }: ScanEntry): FileState => ({ kind: 'folder', mode });
    return { change, before: state(before), after: state(after), lines: { added: 0, removed: 0 } };
  }

  #why({ path, before, after }: ScanChange, known: Known | undefined): NotUndoable | undefined {
    if (isOwn(path)) return 'own';
    if (this.#circumstances.isMeanwhile(path)) return 'meanwhile';
    if (before && !known) return 'lost';
    if (known?.source.kind === 'none') return known.source.why;
    if (after && after.kind !== 'file' && after.kind !== 'symlink') return 'special';
    if (after && after.bytes > LARGEST_KEPT) return 'too-large';
    return after && !before ? this.#circumstances.refusal(path, after) : undefined;
  }

  /** What is there now; undefined when nothing is, or nothing that is read. */
  #after({ path, after }: ScanChange): After {
    const at = `${this.#world.folder}/${path}`;
    if (after?.kind === 'symlink') {
      const state = readSeenLink(at, after);
      if (state !== 'another') return state ? { state } : 'special';
    } else {
      if (after?.kind !== 'file' || after.bytes > LARGEST_KEPT) return undefined;
      const content = readSeen(at, after);
      if (content) return { content, state: stateOf(content, after) };
    }
    // The command has ended: whoever goes on writing is somebody else. What merely can't be read is told the same way.
    return look(at) ? 'gone-on' : undefined;
  }

  async #wasThere({ entry, source }: Known, objects: Objects) {
    const { blobs, log } = this.#world;
    if (source.kind === 'none') return undefined;
    if (source.kind === 'link') return { state: source, bytes: undefined };
    if (source.kind === 'blob') {
      const state: FileState = { kind: 'file', sha256: source.sha256, bytes: entry.bytes, mode: entry.mode };
      return blobs.has(source.sha256, entry.bytes) ? { state, bytes: undefined } : undefined;
    }
    const bytes = objects.get(source.object);
    if (bytes?.byteLength !== entry.bytes) return undefined;
    const content = { bytes, sha256: sha256(bytes) as Sha256 };
    try {
      await blobs.write(content);
      return { state: stateOf(content, entry), bytes };
    } catch (error) {
      log.warn(`covering: what stood there could not be kept: ${messageOf(error)}`);
      return undefined;
    }
  }

  #note(content: Content): void {
    const { blobs, log } = this.#world;
    if (content.bytes.byteLength > this.#room) return;
    this.#room -= content.bytes.byteLength;
    try {
      blobs.note(content);
    } catch (error) {
      log.warn(`covering: what a command wrote could not be kept: ${messageOf(error)}`);
    }
  }

  async #lines(
    was: { readonly state: FileState; readonly bytes: Uint8Array | undefined },
    now: FileState,
    after: Content | undefined,
  ): Promise<LineStats> {
    const isLarge = [was.state, now].some((state) => state.kind === 'file' && state.bytes > COUNTED_BYTES);
    if (isLarge || ++this.#counted > COUNTED) return { added: 0, removed: 0 };
    const { blobs } = this.#world;
    const [old, bytes] = [was.bytes ?? (await blobs.contentOf(was.state)), after?.bytes];
    return lineStats(old, bytes ?? (await blobs.contentOf(now)));
  }
}

function stateOf({ sha256: hash, bytes }: Content, { mode }: ScanEntry): FileState {
  return { kind: 'file', sha256: hash, bytes: bytes.byteLength, mode };
}

/** So many at a time that what git has to give for them fits into memory. */
function* batchesOf(changes: readonly ScanChange[], before: Before): Generator<readonly ScanChange[]> {
  let batch: ScanChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    batch.push(change);
    if (before.known(change.path)?.source.kind === 'git') bytes += change.before?.bytes ?? 0;
    if (bytes < BATCH) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** All that git has to give for them, by object id. */
async function objectsOf(world: World, before: Before, changes: readonly ScanChange[]): Promise<Objects> {
  const wanted = new Map<Repository, { readonly object: string; readonly bytes: number }[]>();
  for (const { path } of changes) {
    const known = before.known(path);
    if (known?.source.kind !== 'git') continue;
    const { repository, object } = known.source;
    const list = wanted.get(repository) ?? [];
    list.push({ object, bytes: known.entry.bytes });
    wanted.set(repository, list);
  }
  const found = new Map<string, Uint8Array>();
  for (const [repository, list] of wanted)
    for (const [object, bytes] of (await world.git?.contents(repository, list)) ?? [])
      found.set(object, bytes);
  return found;
}
