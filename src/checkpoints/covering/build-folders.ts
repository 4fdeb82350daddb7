import type { ScanChange } from '#disk/scan-changes';
import { look } from '#disk/scan-entry';
import type { Scan } from '#disk/scanned';
import { type Moment, type StampClock, stampedSince } from '#disk/stamps';
import { kindOf } from '#disk/stat';
import { TreeWalk, under } from '#disk/tree-walk';
import { BUILD_FOLDERS } from '#protocol/build-folders';

/** Made anew by whatever needs them, and by every run: nobody misses what was in them. */
const CACHES = new Set([
  ...['__pycache__', '.mypy_cache', '.pytest_cache', '.tox', '.gradle', '.next', '.nuxt', '.turbo', '.cache'],
]);
/** So many things in build folders are looked at after a command; what lies on the surface first. */
const LOOKED_AT = 5000;

/** Build folders as a look before a command met them, which goes into none: that the command made, changed or removed one is told. */
export class BuildFolders {
  readonly #root: string;
  readonly #own: ReadonlySet<string>;
  readonly #before: ReadonlySet<string>;
  readonly #since: Moment;

  /** The command begins now. What the scan was asked to look at in them by path is left out. */
  constructor(scan: Scan, clock: StampClock | undefined) {
    this.#root = scan.root;
    this.#own = new Set(scan.also.keys());
    this.#before = buildFoldersIn(scan);
    // Anything touched in this very tick was touched before: no command starts that quickly.
    const stamp = (clock?.read() ?? Date.now()) + 0.001;
    this.#since = { stamp, monotonic: performance.now() };
  }

  /** What became of them, by the look after it. */
  async changes(after: Scan): Promise<readonly ScanChange[]> {
    const now = buildFoldersIn(after);
    const changes: ScanChange[] = [];
    const add = (path: string, operation: ScanChange['operation']) =>
      changes.push({ path: `${path}/`, operation });
    const stayed: string[] = [];
    for (const path of now) {
      if (this.#before.has(path)) stayed.push(path);
      else add(path, 'create');
    }
    for (const path of this.#before) if (!now.has(path)) add(path, 'delete');
    for (const path of await this.#touched(stayed)) add(path, 'modify');
    return changes;
  }

  async #touched(folders: readonly string[]): Promise<string[]> {
    const isSince = stampedSince(this.#since);
    const each = Math.ceil(LOOKED_AT / Math.max(folders.length, 1));
    const touched: string[] = [];
    for (const folder of folders) if (await this.#isTouched(folder, isSince, each)) touched.push(folder);
    return touched;
  }

  async #isTouched(folder: string, isSince: (ctimeMs: number) => boolean, limit: number): Promise<boolean> {
    const walk = new TreeWalk(`${this.#root}/${folder}`, { limit });
    for (let at = walk.next(); at; at = walk.next()) {
      if (isSince(at.stats.ctimeMs)) return true;
      for (const entry of walk.entries(at) ?? []) {
        if (walk.isTired) await walk.rest();
        if (!walk.meet()) return false;
        if (kindOf(entry) === 'folder') walk.enter(under(at.relative, entry.name));
        else if (this.#isFileSince(`${folder}/${under(at.relative, entry.name)}`, isSince)) return true;
      }
    }
    return false;
  }

  #isFileSince(path: string, isSince: (ctimeMs: number) => boolean): boolean {
    if (this.#own.has(path)) return false;
    const seen = look(`${this.#root}/${path}`);
    return seen !== undefined && isSince(seen.ctimeMs);
  }
}

function buildFoldersIn({ folders }: Scan): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [folder, { names }] of folders)
    for (const name of names.skipped)
      if (BUILD_FOLDERS.has(name) && !CACHES.has(name)) found.add(under(folder, name));
  return found;
}
