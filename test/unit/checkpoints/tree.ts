import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every file of a folder with its content, and its mode where that isn't the usual one, and every link with its target. A folder, its path ending in `/`, only where it is
 * empty or its mode isn't the usual one.
 */
export function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (relative: string) => {
    const names = readdirSync(join(root, relative)).sort();
    const bits = lstatSync(join(root, relative)).mode & 0o7777;
    const isUsual = bits === (0o777 & ~process.umask());
    if (relative !== '' && (names.length === 0 || !isUsual))
      tree[`${relative}/`] = isUsual ? '' : `${bits.toString(8)} `;
    for (const name of names) {
      const path = relative === '' ? name : `${relative}/${name}`;
      const stat = lstatSync(join(root, path));
      if (stat.isDirectory()) walk(path);
      else if (stat.isFile()) {
        const mode = stat.mode & 0o7777;
        tree[path] =
          `${mode === (0o666 & ~process.umask()) ? '' : `${mode.toString(8)} `}${readFileSync(join(root, path), 'latin1')}`;
      } else tree[path] = stat.isSymbolicLink() ? `→ ${readlinkSync(join(root, path))}` : '(special)';
    }
  };
  if (existsSync(root)) walk('');
  return tree;
}
