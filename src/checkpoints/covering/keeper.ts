import type { Disposable } from '#base/disposable';
import { SerialQueue } from '#base/queue';
import { messageOf } from '#base/result';
import type { World } from '#checkpoints/world';
import { type Scan, type ScanEntry, type ScanOptions, scanTree } from '#disk/scan';
import { StampClock } from '#disk/stamps';
import { under } from '#disk/tree-walk';
import type { KeptContent } from '#store/kept-contents';
import { Births } from './births';
import { BuildFolders } from './build-folders';
import { lackedByGit } from './git-lacks';
import { keepAll } from './keep-all';
import { skips } from './looked-at';
import { Provenance } from './provenance';
import {
  isSameEntry,
  type KeepLimits,
  type Known,
  type KnownFiles,
  type Refusal,
  type Unknown,
} from './sources';

/** A folder before a command. */
export interface Before {
  readonly scan: Scan;
  /** What was left out; to be left out of the look afterwards too, whatever the command did to make it differ. */
  readonly skip: ScanOptions['skip'];
  /** What no look goes into, and yet a command may have changed. */
  readonly builds: BuildFolders;
  /** Which files were there before it began. */
  readonly births: Births;
  /** What is known of the file at that relative path, as it was then. */
  known(path: string): Known | undefined;
}

/**
 * Looks at a folder so that every file's content can be had afterwards: from its repository, from a blob of an earlier look,
 * or from one that is made now. What a look has seen, the next one needn't read again, in another window or after a reload neither.
 */
export class Keeper implements Disposable {
  readonly #world: World;
  readonly #queue = new SerialQueue();
  readonly #provenance: Provenance;
  #known: KnownFiles = new Map();
  #clock: StampClock | undefined;
  /** What the store knows, by path; undefined before the first look. */
  #kept: Map<string, KeptContent> | undefined;

  constructor(world: World) {
    this.#world = world;
    this.#provenance = new Provenance(world);
  }

  /** `also`: relative paths to look at wherever they lie. Rejects when the signal aborts. */
  look(options: {
    readonly signal: AbortSignal;
    readonly also: readonly string[];
    readonly limits: KeepLimits;
  }): Promise<Before> {
    return this.#queue.run(() => this.#look(options));
  }

  /** Why files that a command made aren't recorded, by the limits that hold for what is kept. */
  refusals(limits: KeepLimits): Refusal {
    return this.#provenance.refusals(limits);
  }

  dispose(): void {
    this.#clock?.dispose();
    this.#clock = undefined;
    this.#known = new Map();
    this.#kept = undefined;
  }

  async #look({ signal, also, limits }: Parameters<Keeper['look']>[0]): Promise<Before> {
    const { folder: root, storage } = this.#world;
    const builds = new BuildFolders(
      root,
      skips(root, storage, await this.#provenance.trackedBuildFolders()),
      also,
    );
    const { skip } = builds;
    const closely = Number.POSITIVE_INFINITY;
    const scan = await scanTree(root, { skip, also, signal, closely });
    const { known, unknown } = this.#compare(scan);
    this.#clock ??= StampClock.open();
    const clock = this.#clock;
    if (unknown.length > 0) await this.#learn(scan, { known, unknown, limits, signal, clock });
    await pastTheTick(scan, clock);
    this.#known = known;
    this.#forget(known);
    builds.begin(clock);
    return {
      scan,
      skip,
      builds,
      births: new Births(scan, clock),
      known: (path) => {
        const slash = path.lastIndexOf('/');
        return known.get(path.slice(0, Math.max(slash, 0)))?.get(path.slice(slash + 1));
      },
    };
  }

  /** What an earlier look saw and nobody touched since stays known. */
  #compare(scan: Scan): { readonly known: KnownFiles; readonly unknown: Unknown[] } {
    const known: KnownFiles = new Map();
    const unknown: Unknown[] = [];
    const meet = (folder: string, name: string, entry: ScanEntry) => {
      const was = this.#known.get(folder)?.get(name);
      const files = known.get(folder) ?? new Map<string, Known>();
      if (files.size === 0) known.set(folder, files);
      if (was?.isLasting && was.entry.kind === entry.kind && isSameEntry(was.entry, entry))
        files.set(name, was);
      else unknown.push({ folder, name, path: under(folder, name), entry });
    };
    for (const [folder, { files }] of scan.folders)
      for (const [name, entry] of files) if (entry) meet(folder, name, entry);
    for (const [path, entry] of scan.also) {
      const slash = path.lastIndexOf('/');
      const folder = path.slice(0, Math.max(slash, 0));
      const isSeen = scan.folders.get(folder)?.files.has(path.slice(slash + 1));
      if (entry && entry.kind !== 'folder' && !isSeen) meet(folder, path.slice(slash + 1), entry);
    }
    return { known, unknown };
  }

  async #learn(
    scan: Scan,
    { known, unknown, limits, signal, clock }: Learning & { readonly known: KnownFiles },
  ): Promise<void> {
    const { store, folder } = this.#world;
    this.#kept ??= new Map(store.keptContents.list(folder).map((kept) => [kept.path, kept]));
    const toKeep: Unknown[] = [];
    const add = ({ folder, name }: Unknown, found: Known) => known.get(folder)?.set(name, found);
    const provenance = await this.#provenance.at(scan, unknown, limits);
    const given = new Map(unknown.map((file) => [file, provenance.of(file)]));
    const lost = await lackedByGit(this.#world, given);
    for (const file of unknown) {
      const from = lost.has(file) ? undefined : given.get(file);
      const found = from ?? keptOf(this.#kept.get(file.path), file);
      if (found) add(file, found);
      else toKeep.push(file);
    }
    const room = limits.allBytes - keptBytes(known);
    const keeping = { room, signal, clock, note: (kept: KeptContent) => this.#kept?.set(kept.path, kept) };
    for (const [file, found] of await keepAll(this.#world, toKeep, keeping)) {
      add(file, found);
      // It was touched between look and reading: the later look counts.
      if (found.entry !== file.entry)
        (scan.folders.get(file.folder)?.files as Map<string, ScanEntry>)?.set(file.name, found.entry);
    }
  }

  /** Files that are gone, or that a repository holds by now, needn't be kept any longer. */
  #forget(known: KnownFiles): void {
    const { store, folder, log } = this.#world;
    const old = [...(this.#kept?.keys() ?? [])].filter((path) => {
      const slash = path.lastIndexOf('/');
      const now = known.get(path.slice(0, Math.max(slash, 0)))?.get(path.slice(slash + 1));
      return now?.source.kind !== 'blob';
    });
    if (old.length === 0) return;
    for (const path of old) this.#kept?.delete(path);
    try {
      store.transaction(() => {
        for (const path of old) store.keptContents.drop(folder, path);
      });
    } catch (error) {
      log.warn(`covering: what is no longer needed stays a while: ${messageOf(error)}`);
    }
  }
}

interface Learning {
  readonly unknown: readonly Unknown[];
  readonly limits: KeepLimits;
  readonly signal: AbortSignal;
  readonly clock: StampClock | undefined;
}

function keptOf(kept: KeptContent | undefined, { entry }: Unknown): Known | undefined {
  if (!kept || entry.kind !== 'file' || !isSameEntry(kept, entry)) return undefined;
  return { entry, source: { kind: 'blob', sha256: kept.sha256 }, isLasting: true };
}

function keptBytes(known: KnownFiles): number {
  let total = 0;
  for (const files of known.values())
    for (const { entry, source } of files.values()) if (source.kind === 'blob') total += entry.bytes;
  return total;
}

/** What the command writes shall get a later stamp than all that was seen. */
async function pastTheTick({ newest }: Scan, clock: StampClock | undefined): Promise<void> {
  if (!clock) return;
  const now = clock.read();
  if (newest >= now) await clock.momentAfter(now);
}
