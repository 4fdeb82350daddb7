import { IGNORE_FILE } from '#disk/ignore-files';
import type { Mount } from './mounts';
import { isWithin, realPlace } from './paths';
import { SandboxRefusal } from './sandbox';
import type { Found } from './workspace-walk';

/** Each costs a mount, and the time that they take grows faster than their number. */
const MOST_HIDDEN = 500;

/**
 * Masks for what commands must not see in a workspace. Of a link its target is masked, where that lies in the workspace.
 * Throws a SandboxRefusal where not all can be masked: a command must not run and see some.
 */
export function hiddenMounts(root: string, { hidden, whole }: Found): readonly Mount[] {
  if (!whole) throw new SandboxRefusal(tooLarge());
  if (hidden.length > MOST_HIDDEN) throw new SandboxRefusal(tooMany(hidden.length));
  const mounts = hidden.flatMap((path): readonly Mount[] => {
    const place = realPlace(`${root}/${path}`);
    // A link that leads out, or to the root or above: what is there isn't this file's to hide.
    if (place === undefined || place.path === root || !isWithin(place.path, root)) return [];
    return [{ kind: place.isFolder ? 'hidden-folder' : 'hidden-file', path: place.path }];
  });
  return mounts.filter(({ path }) => !isUnder(path, mounts));
}

/** Refuses a command that would begin in a place that it must not see. */
export function demandSeen(cwd: string, hidden: readonly Mount[]): void {
  const at = realPlace(cwd)?.path ?? cwd;
  if (!hidden.some(({ path }) => isWithin(at, path))) return;
  throw new SandboxRefusal(
    `the folder it would run in is hidden from commands, by ${IGNORE_FILE} or by a rule that denies reading it; run it in another folder`,
  );
}

/** Whether a path lies in a folder that is hidden: there is nothing to mount on. */
export function isUnder(path: string, hidden: readonly Mount[]): boolean {
  return hidden.some(
    (mount) => mount.kind === 'hidden-folder' && mount.path !== path && isWithin(path, mount.path),
  );
}

function tooMany(count: number): string {
  return `${count} files and folders of the workspace are hidden from commands, by ${IGNORE_FILE} or by rules that deny reading, and only ${MOST_HIDDEN} can be masked one by one; ask the user to name the folders that they lie in, with a slash at the end ("logs/" instead of "*.log")`;
}

function tooLarge(): string {
  return `the workspace is too large to look for all that is hidden from commands, by ${IGNORE_FILE} or by rules that deny reading; ask the user to name large folders in ${IGNORE_FILE} as a whole, which then aren’t looked through, or to open a smaller folder`;
}
