import { look, type ScanOptions } from '#disk/scan';
import type { ScanChange } from '#disk/scan-changes';
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

/** Build folders of one look at the workspace, which goes into none of them: that a command made, changed or removed one is told. */
export class BuildFolders {
  readonly #root: string;
  readonly #isSkipped: ScanOptions['skip'];
  readonly #own: ReadonlySet<string>;
  #met = new Set<string>();
  #before: ReadonlySet<string> = new Set();
  #since: Moment | undefined;

  /** `own`: files in them that are looked at all the same. */
  constructor(root: string, isSkipped: ScanOptions['skip'], own: readonly string[]) {
    this.#root = root;
    this.#isSkipped = isSkipped;
    this.#own = new Set(own);
  }

  readonly skip: ScanOptions['skip'] = (name, kind, folder) => {
    const isSkipped = this.#isSkipped(name, kind, folder);
    if (isSkipped && kind === 'folder' && BUILD_FOLDERS.has(name) && !CACHES.has(name))
      this.#met.add(under(folder, name));
    return isSkipped;
  };

  /** Those met so far are there before the command, which begins now. */
  begin(clock: StampClock | undefined): void {
    this.#before = this.#met;
    this.#met = new Set();
    if (this.#before.size === 0) return;
    // Anything touched in this very tick was touched before: no command starts that quickly.
    const stamp = (clock?.read() ?? Date.now()) + 0.001;
    this.#since = { stamp, monotonic: performance.now() };
  }

  /** After the second look: what became of them. */
  async changes(): Promise<readonly ScanChange[]> {
    const changes: ScanChange[] = [];
    const add = (path: string, operation: ScanChange['operation']) =>
      changes.push({ path: `${path}/`, operation });
    const stayed: string[] = [];
    for (const path of this.#met) {
      if (this.#before.has(path)) stayed.push(path);
      else add(path, 'create');
    }
    for (const path of this.#before) if (!this.#met.has(path)) add(path, 'delete');
    for (const path of await this.#touched(stayed)) add(path, 'modify');
    return changes;
  }

  async #touched(folders: readonly string[]): Promise<string[]> {
    if (!this.#since) return [];
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
