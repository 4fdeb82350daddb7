import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#base/result';
import { type IgnoreRules, ignoreRules, LARGEST_RULES, unusable } from './ignore-rules';
import { isNothing } from './stat';

/** The file that names what the agent must not see. */
export const IGNORE_FILE = '.belayignore';

/** A clock of the disk may stand still that long: what changed so lately may have changed again without a trace. */
const TRACELESS_MS = 2000;
/** More are forgotten together: they are read again when they are needed. */
const MOST_KNOWN = 2000;

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads the `.belayignore` of folders; one that was read is read again only when it changed. */
export class IgnoreFiles {
  readonly #known = new Map<string, { readonly stamp: string; readonly rules: IgnoreRules | undefined }>();
  #met = false;

  /** One that hides something was met, now or before. */
  get met(): boolean {
    return this.#met;
  }

  /** At once, in microseconds: who asks has many paths to judge. Undefined where nothing is hidden. */
  of(folder: string): IgnoreRules | undefined {
    const rules = this.#of(folder);
    this.#met ||= rules !== undefined;
    return rules;
  }

  #of(folder: string): IgnoreRules | undefined {
    const path = join(folder, IGNORE_FILE);
    try {
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      const stamp = stampOf(stat);
      const known = this.#known.get(path);
      if (known !== undefined && known.stamp === stamp) return known.rules;
      const rules = read(path, stat);
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      if (stamp !== undefined) this.#known.set(path, { stamp, rules });
      return rules;
    } catch (error) {
      // A file where a folder was meant: there is nothing in it yet.
      if (isNothing(error)) return undefined;
      return unusable(`can't be read (${messageOf(error)})`);
    }
  }
}

/** By which a file or folder is known to be unchanged; undefined when it changed so lately that it can't be told. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string | undefined {
  const changed = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return Date.now() - changed < TRACELESS_MS ? undefined : `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** A link could be led elsewhere by whoever may write its target, so it isn't followed; a pipe is never opened. */
function read(path: string, seen: BigIntStats): IgnoreRules | undefined {
  if (seen.isSymbolicLink()) return unusable('is a symbolic link');
  if (!seen.isFile()) return unusable('is not a regular file');
  const descriptor = openSync(path, FLAGS);
  try {
    if (fstatSync(descriptor, { bigint: true }).ino !== seen.ino) return unusable('was just replaced');
    const bytes = Buffer.alloc(Math.min(Number(seen.size), LARGEST_RULES) + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(descriptor, bytes, length, bytes.length - length, null);
    // It grew while it was read: the end of it is another time's.
    if (length > Number(seen.size) && length <= LARGEST_RULES) return unusable('is being written');
    return ignoreRules(bytes.subarray(0, length));
  } finally {
    closeSync(descriptor);
  }
}
