import { type FSWatcher, rmSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Mount } from './mounts';
import { exists } from './paths';

/** A file of a git folder that makes git read another folder's configuration, and so run what that says. */
const NAME = 'commondir';
/** A repository with more submodules than this is looked at when the command has ended, not meanwhile. */
const MOST_WATCHED = 20;

/**
 * Keeps `commondir` from coming into being in the git folders of these mounts. Nothing can stand in its place: git on the
 * host would believe that. So it is taken away as soon as it is seen, and at the latest by the function returned, which
 * is called when the command has ended.
 */
export function keepOutCommonFolders(mounts: readonly Mount[]): () => void {
  const paths = mounts
    .filter(({ kind, path }) => kind === 'read-only' && basename(path) === 'config')
    .map(({ path }) => join(dirname(path), NAME))
    // What was there before is a linked worktree's own, and mounted read-only.
    .filter((path) => exists(join(dirname(path), 'HEAD')) && !exists(path));
  const watchers = paths.slice(0, MOST_WATCHED).flatMap(watched);
  return () => {
    for (const watcher of watchers) watcher.close();
    for (const path of paths) takeAway(path);
  };
}

function watched(path: string): readonly FSWatcher[] {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === NAME) takeAway(path);
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    // No more watches to be had: it is looked at when the command has ended.
    return [];
  }
}

function takeAway(path: string): void {
  if (exists(path)) rmSync(path, { recursive: true, force: true });
}
