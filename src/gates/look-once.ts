import { dirname } from 'node:path';
import type { AbsolutePath } from '#protocol/ids';
import type { ToolPorts } from '#tools/tool';

type Files = ToolPorts['files'];

/**
 * The disk as it stands while one call is judged: every gate sees the same, each path is looked at once, and nothing is
 * looked for in a folder that isn't there. Made for one walk through the gates and dropped with it.
 */
export function lookOnce(files: Files): Files {
  const there = new Set<string>();
  const gone = new Set<string>();
  const seen = once(async (path: AbsolutePath) => {
    const found = await files.stat(path);
    (found ? there : gone).add(path);
    return found;
  });
  const below = async (folder: AbsolutePath, path: AbsolutePath) =>
    (await seen(folder)) ? seen(path) : undefined;
  // A line names many paths in few folders: of these it is known at once.
  const stat = once((path: AbsolutePath) => {
    // As the folder of another path it may have been looked at before.
    if (there.has(path)) return seen(path);
    const folder = dirname(path) as AbsolutePath;
    if (gone.has(folder)) return NOTHING;
    return there.has(folder) ? seen(path) : below(folder, path);
  });
  return {
    stat,
    realPath: once(async (path: string) =>
      (await stat(path as AbsolutePath)) ? files.realPath(path) : undefined,
    ),
    list: once((path) => files.list(path)),
    read: (path, options) => files.read(path, options),
  };
}

const NOTHING = Promise.resolve(undefined);

function once<P extends string, V>(look: (path: P) => Promise<V>): (path: P) => Promise<V> {
  const looks = new Map<P, Promise<V>>();
  return (path) => {
    const made = looks.get(path) ?? look(path);
    looks.set(path, made);
    return made;
  };
}
