import { readFileSync } from 'node:fs';
import { isWithin } from '#sandbox/paths';

/** A file system mounted on the host. */
export interface HostMount {
  readonly path: string;
  /** Its mount's own options but for ro and rw: "nosuid", "nodev", "relatime" … They must stay as they are. */
  readonly flags: readonly string[];
  readonly isReadOnly: boolean;
}

/** Everything mounted now, in the order of mounting. */
export function hostMounts(text = readFileSync('/proc/self/mountinfo', 'utf8')): readonly HostMount[] {
  return text.split('\n').flatMap((line) => {
    const [, , , , path, options] = line.split(' ');
    if (path === undefined || options === undefined) return [];
    const all = options.split(',');
    const flags = all.filter((option) => option !== 'ro' && option !== 'rw');
    return [{ path: unescaped(path), flags, isReadOnly: all.includes('ro') }];
  });
}

/** The mount that a path lies on: the deepest, and of several at one place the last. */
export function mountOn(path: string, mounts: readonly HostMount[]): HostMount | undefined {
  let found: HostMount | undefined;
  for (const mount of mounts)
    if (isWithin(path, mount.path) && mount.path.length >= (found?.path.length ?? 0)) found = mount;
  return found;
}

/** Blanks, tabs, newlines and backslashes are written as octal numbers of bytes. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
