import type { Disposable } from '#base/disposable';
import { SerialQueue } from '#base/queue';
import { messageOf } from '#base/result';
import type { World } from '#checkpoints/world';
import { scanTree } from '#disk/scan';
import type { SkipRule } from '#disk/scan-folder';
import { ScanThreads } from '#disk/scan-threads';
import type { Scan } from '#disk/scanned';
import { StampClock } from '#disk/stamps';
import type { KeptContent } from '#store/kept-contents';
import { Births } from './births';
import { BuildFolders } from './build-folders';
import { withoutLacked } from './git-lacks';
import { keepAll } from './keep-all';
import { KnownFiles } from './known-files';
import { skips } from './looked-at';
import { Provenance } from './provenance';
import { isSameEntry, type KeepLimits, type Known, type Refusal, type Unknown } from './sources';

/** A folder before a command. */
export interface Before {
  readonly scan: Scan;
  /** What was left out; to be left out of the look afterwards too, whatever the command did to make it differ. */
  readonly skip: SkipRule;
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
  readonly #threads = new ScanThreads();
  #known: KnownFiles | undefined;
  /** The latest look, before or after a command: from it the next one has the names. */
  #last: { readonly scan: Scan; readonly skip: SkipRule; readonly key: string } | undefined;
  #clock: StampClock | undefined;
  /** What the store knows, by path; undefined before the first look. */
  #kept: Map<string, KeptContent> | undefined;
  /** Nothing in it is of a file that was gone at the last look. */
  #isSwept = false;

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

  /** What is there when the command has ended. */
  async lookAfter({ scan, skip }: Before): Promise<Scan> {
    const clock = this.#clock;
    const after = await scanTree(scan.root, {
      ...{ skip, also: scan.also.keys(), last: scan, clock, threads: this.#threads },
    });
    if (this.#last?.skip === skip) this.#last = { ...this.#last, scan: after };
    return after;
  }

  /** Why files that a command made aren't recorded, by the limits that hold for what is kept. */
  refusals(limits: KeepLimits): Refusal {
    return this.#provenance.refusals(limits);
  }

  dispose(): void {
    this.#clock?.dispose();
    this.#clock = undefined;
    this.#threads.dispose();
    this.#world.git?.dispose();
    this.#known = undefined;
    this.#last = undefined;
    this.#kept = undefined;
  }

  async #look({ signal, also, limits }: Parameters<Keeper['look']>[0]): Promise<Before> {
    const { folder: root } = this.#world;
    const { skip, key, last } = await this.#rule();
    this.#clock ??= StampClock.open();
    const clock = this.#clock;
    const scan = await scanTree(root, { skip, also, signal, last, clock, threads: this.#threads });
    const known = new KnownFiles(scan, this.#known, await this.#provenance.backing.review(clock));
    if (known.unknown.length > 0) await this.#learn(scan, { known, limits, signal, clock });
    await pastTheTick(scan, clock);
    this.#forget(known);
    this.#known = known;
    this.#provenance.backing.settle();
    this.#last = { scan, skip, key };
    return {
      scan,
      skip,
      builds: new BuildFolders(scan, clock),
      births: new Births(scan, clock),
      known: (path) => known.at(path),
    };
  }

  /** What to leave out, and the last look if it left out the same. */
  async #rule() {
    const { folder, storage } = this.#world;
    const { has, key } = await this.#provenance.trackedBuildFolders();
    if (this.#last?.key === key) return { key, skip: this.#last.skip, last: this.#last.scan };
    return { key, skip: skips(folder, storage, has), last: undefined };
  }

  async #learn(scan: Scan, { known, limits, signal, clock }: Learning): Promise<void> {
    const { store, folder } = this.#world;
    this.#kept ??= new Map(store.keptContents.list(folder).map((kept) => [kept.path, kept]));
    const toKeep: Unknown[] = [];
    const provenance = await this.#provenance.at(scan, known.unknown, limits);
    const given = new Map(known.unknown.map((file) => [file, provenance.of(file)]));
    const had = await withoutLacked(this.#world, given, { backing: this.#provenance.backing, clock });
    for (const file of known.unknown) {
      const held = had.get(file);
      const found = held ? { ...held, entry: file.entry } : keptOf(this.#kept.get(file.path), file);
      if (found) known.learn(file, found);
      else toKeep.push(file);
    }
    const room = limits.allBytes - known.keptBytes;
    const keeping = { room, signal, clock, note: (kept: KeptContent) => this.#kept?.set(kept.path, kept) };
    // A file that was touched between look and reading counts as it was later.
    for (const [file, found] of await keepAll(this.#world, toKeep, keeping)) known.learn(file, found);
  }

  /** Files that are gone, or that a repository holds by now, needn't be kept any longer. */
  #forget(known: KnownFiles): void {
    const { store, folder, log } = this.#world;
    const changed = [...known.gone, ...known.unknown.map(({ path }) => path)];
    const asked = this.#isSwept ? changed : [...(this.#kept?.keys() ?? [])];
    this.#isSwept = this.#kept !== undefined;
    const old = asked.filter((path) => this.#kept?.has(path) && known.at(path)?.source.kind !== 'blob');
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
  readonly known: KnownFiles;
  readonly limits: KeepLimits;
  readonly signal: AbortSignal;
  readonly clock: StampClock | undefined;
}

function keptOf(kept: KeptContent | undefined, { entry }: Unknown): Known | undefined {
  if (!kept || entry.kind !== 'file' || !isSameEntry(kept, entry)) return undefined;
  return { entry, source: { kind: 'blob', sha256: kept.sha256 }, isLasting: true };
}

/** What the command writes shall get a later stamp than all that was seen. */
async function pastTheTick({ newest }: Scan, clock: StampClock | undefined): Promise<void> {
  if (!clock) return;
  const now = clock.read();
  if (newest >= now) await clock.momentAfter(now);
}
