import { join } from 'node:path';
import type { ScanChange } from '#disk/scan-changes';
import { INODE, numberOf, STRIDE, statsAt } from '#disk/scan-rows';
import type { Scan } from '#disk/scanned';
import { type StampClock, StampJudge } from '#disk/stamps';

/**
 * Tells files that a command made from those it moved: such a file was born before the command began. Nothing is told where a file
 * system keeps no births, or stamps them by another clock than ours.
 */
export class Births {
  readonly #scan: Scan;
  /** The kernel's stamp when the command began. */
  readonly #began: number | undefined;
  #seen: ReadonlySet<number> | undefined;

  constructor(scan: Scan, clock: StampClock | undefined) {
    this.#scan = scan;
    const root = statsAt(scan.root);
    this.#began = root && new StampJudge().isExact(scan.root, root) ? clock?.read() : undefined;
  }

  /** The file or link that is new at this path is older than the command. */
  wasMoved({ path, before, after }: ScanChange): boolean {
    const isOfKind = after?.kind === 'file' || after?.kind === 'symlink';
    if (this.#began === undefined || before || !isOfKind) return false;
    const birth = statsAt(join(this.#scan.root, path))?.birthtimeMs ?? 0;
    return birth > 0 && birth < this.#began;
  }

  /** It is none of those that the look before the command saw: it comes out of a build folder, or from outside. */
  isUnseen({ after }: ScanChange): boolean {
    this.#seen ??= inodesOf(this.#scan);
    return after !== undefined && !this.#seen.has(after.inode);
  }
}

function inodesOf({ folders, also }: Scan): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const { rows } of folders.values())
    for (let at = 0; at < rows.length; at += STRIDE) seen.add(numberOf(rows, at, INODE));
  for (const entry of also.values()) if (entry) seen.add(entry.inode);
  return seen;
}
