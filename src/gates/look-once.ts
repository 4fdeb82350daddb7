import { dirname } from 'node:path';
import type { AbsolutePath } from '#protocol/ids';
import type { ToolPorts } from '#tools/tool';

type Files = ToolPorts['files'];

/**
 * The disk as it stands while one call is judged: every gate sees the same, each path is looked at once, and nothing is
 * looked for in a folder that isn't there. Made for one walk through the gates and dropped with it.
 */
export function lookOnce(files: Files): Files {
  const seen = once((path: AbsolutePath) => files.stat(path));
  const stat = once(async (path: AbsolutePath) =>
    (await seen(dirname(path) as AbsolutePath)) ? seen(path) : undefined,
  );
  return {
    stat,
    realPath: once(async (path: string) =>
      (await stat(path as AbsolutePath)) ? files.realPath(path) : undefined,
    ),
    list: once((path) => files.list(path)),
    read: (path, options) => files.read(path, options),
  };
}

function once<P extends string, V>(look: (path: P) => Promise<V>): (path: P) => Promise<V> {
  const looks = new Map<P, Promise<V>>();
  return (path) => {
    const made = looks.get(path) ?? look(path);
    looks.set(path, made);
    return made;
  };
}
