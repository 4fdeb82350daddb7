import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Mount, mountOf } from './mounts';
import { isWithin, realPlace, smallText } from './paths';

/** In a git folder: whoever writes these decides what git runs on the host next time. */
const RUNS_CODE = ['hooks', 'config', 'config.worktree', 'commondir'];
/** What a commit in a linked worktree writes in the main repository. */
const SHARED_BY_WORKTREES = ['objects', 'refs', 'logs'];
const DEEPEST_MODULES = 4;

/**
 * Mounts for one `.git` of the workspace. The folder is mounted over itself: as a mount point it can't be renamed
 * away and replaced. Its hooks and configuration are read-only. A `.git` file (worktree, submodule) is read-only; the
 * folder it names is opened only when that folder points back here, because a hostile `.git` file may name anything.
 */
export function gitMounts(gitPath: string): readonly Mount[] {
  const place = realPlace(gitPath);
  if (place === undefined) return [];
  if (place.isFolder)
    return [
      { kind: 'writable', path: place.path },
      ...guarded(place.path),
      ...hooksPath(place.path, dirname(gitPath)),
    ];
  return [{ kind: 'read-only', path: place.path }, ...linked(gitPath, place.path)];
}

/** What must stay as it is in a git folder, its submodules' folders included. */
function guarded(folder: string, depth = 0): readonly Mount[] {
  const own = RUNS_CODE.flatMap((name) => mountOf(join(folder, name), 'read-only'));
  const worktrees = children(join(folder, 'worktrees')).flatMap((path) =>
    mountOf(join(path, 'config.worktree'), 'read-only'),
  );
  return [...own, ...worktrees, ...(depth > DEEPEST_MODULES ? [] : modules(join(folder, 'modules'), depth))];
}

/** A submodule's name may hold slashes: its git folder is the first one with a HEAD. */
function modules(folder: string, depth: number): readonly Mount[] {
  if (depth > DEEPEST_MODULES) return [];
  return children(folder).flatMap((path) =>
    realPlace(join(path, 'HEAD')) ? guarded(path, depth + 1) : modules(path, depth + 1),
  );
}

/** The folder that `core.hooksPath` names holds hooks like any other. */
function hooksPath(folder: string, root: string): readonly Mount[] {
  const named = /^\s*hooksPath\s*=\s*"?([^"\n#;]+)/im.exec(smallText(join(folder, 'config')))?.[1]?.trim();
  if (named === undefined || named.startsWith('~')) return [];
  const place = realPlace(resolve(root, named));
  return place && isWithin(place.path, root) && place.path !== root
    ? [{ kind: 'read-only', path: place.path }]
    : [];
}

function linked(gitPath: string, file: string): readonly Mount[] {
  const named = /^gitdir: (.+)$/m.exec(smallText(file))?.[1];
  const target = named === undefined ? undefined : realPlace(resolve(dirname(gitPath), named.trim()));
  if (!target?.isFolder) return [];
  const common = dirname(dirname(target.path));
  if (basename(dirname(target.path)) === 'worktrees' && pointsBack(target.path, file)) {
    const shared = SHARED_BY_WORKTREES.flatMap((name) => writable(join(common, name)));
    return [{ kind: 'writable', path: target.path }, ...guarded(target.path), ...shared];
  }
  if (isWorktreeOf(target.path, dirname(file)))
    return [{ kind: 'writable', path: target.path }, ...guarded(target.path)];
  return [];
}

/** git itself wrote into the worktree's folder where its `.git` file is. */
function pointsBack(folder: string, file: string): boolean {
  const back = smallText(join(folder, 'gitdir')).trim();
  return back !== '' && realPlace(resolve(folder, back))?.path === file;
}

/** A submodule's configuration names its working tree. */
function isWorktreeOf(folder: string, root: string): boolean {
  const named = /^\s*worktree\s*=\s*(.+)$/im.exec(smallText(join(folder, 'config')))?.[1]?.trim();
  return named !== undefined && realPlace(resolve(folder, named))?.path === root;
}

function writable(path: string): readonly Mount[] {
  const place = realPlace(path);
  return place?.isFolder ? [{ kind: 'writable', path: place.path }] : [];
}

function children(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}
