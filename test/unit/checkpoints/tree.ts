import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file of a folder with its content, and its mode where that isn't the usual one. */
export function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (relative: string) => {
    const names = readdirSync(join(root, relative)).sort();
    if (names.length === 0 && relative !== '') tree[`${relative}/`] = '';
    for (const name of names) {
      const path = relative === '' ? name : `${relative}/${name}`;
      const stat = lstatSync(join(root, path));
      if (stat.isDirectory()) walk(path);
      else if (stat.isFile()) {
        const mode = stat.mode & 0o7777;
        tree[path] =
          `${mode === (0o666 & ~process.umask()) ? '' : `${mode.toString(8)} `}${readFileSync(join(root, path), 'latin1')}`;
      } else tree[path] = '(special)';
    }
  };
  if (existsSync(root)) walk('');
  return tree;
}
