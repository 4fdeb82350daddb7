import { join } from 'node:path';
import { type Scan, statsAt } from '#disk/scan';
import type { ScanChange } from '#disk/scan-changes';
import { type StampClock, StampJudge } from '#disk/stamps';

/**
 * Tells files that a command made from those it moved here from where no look goes: a build folder, a place outside. Such a file was
 * born before the command began and was none of those that the look before it saw.
 */
export class Births {
  readonly #scan: Scan;
  /** The kernel's stamp when the command began; undefined where births can't be compared with it. */
  readonly #began: number | undefined;
  #seen: ReadonlySet<number> | undefined;

  constructor(scan: Scan, clock: StampClock | undefined) {
    this.#scan = scan;
    const root = statsAt(scan.root);
    this.#began = root && new StampJudge().isExact(scan.root, root) ? clock?.read() : undefined;
  }

  cameFromElsewhere({ path, before, after }: ScanChange): boolean {
    if (this.#began === undefined || before || after?.kind !== 'file') return false;
    const stats = statsAt(join(this.#scan.root, path));
    // Where a file system keeps no births they are 0, or the last change.
    if (!stats || stats.birthtimeMs <= 0 || stats.birthtimeMs >= this.#began) return false;
    this.#seen ??= inodesOf(this.#scan);
    return !this.#seen.has(stats.ino);
  }
}

function inodesOf({ folders, also }: Scan): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const { files } of folders.values())
    for (const entry of files.values()) if (entry) seen.add(entry.inode);
  for (const entry of also.values()) if (entry) seen.add(entry.inode);
  return seen;
}
