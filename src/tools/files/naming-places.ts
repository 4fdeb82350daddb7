import { basename, dirname, extname } from 'node:path/posix';
import { escapeRegExp } from '#base/text';
import type { NamingPlace } from '#host/language/edits';
import type { RelativePath } from '#protocol/ids';
import { absolutePath } from '#tools/paths';
import { pathOf, ripgrep, scopeArguments } from '#tools/ripgrep';
import { unreadable } from '#tools/search/skips';
import { surroundingsOf } from '#tools/search/surroundings';
import type { ToolContext } from '#tools/tool';

/** Files that import others by their paths. */
const IMPORTING = '*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,astro}';
/** Places that are handed on; one that means the file is enough. */
const MOST = 50;

/** Where quoted text ends in the name of a file, with or without its extension: its imports are among them. */
export async function namingPlaces(
  tool: string,
  file: RelativePath,
  context: ToolContext,
): Promise<readonly NamingPlace[]> {
  // No import can be written in one line with it.
  if (/[\r\n]/.test(file)) return [];
  const found: NamingPlace[] = [];
  const hidden = unreadable(context);
  const start = '.' as RelativePath;
  const args = scopeArguments({
    start,
    isFile: false,
    includeIgnored: false,
    ...(await surroundingsOf(start, context)),
    unreadable: hidden,
    searchesText: true,
    name: IMPORTING,
  });
  const how = ['--line-number', '--only-matching', '--with-filename', '--null', '--no-heading'];
  await ripgrep(
    {
      tool,
      args: [...how, '-e', patternOf(file), ...args],
      onLine: (line) => {
        const hit = /^(.+)\0(\d+):(.*)$/.exec(line);
        if (!hit) return undefined;
        const [, name = '', number = '', text = ''] = hit;
        const path = pathOf(name);
        if (hidden.has(path)) return undefined;
        found.push({
          path: absolutePath(context.workspace, path),
          line: Number(number),
          text: text.slice(1, -1),
        });
        return found.length < MOST ? undefined : 'stop';
      },
    },
    context,
  );
  return found.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** `./util`, `../lib/util.js` and `@/util` may mean `lib/util.ts`; a folder's index is meant by the folder's name as well. */
function patternOf(file: RelativePath): string {
  const stem = basename(file, extname(file));
  const names = [escapeRegExp(stem)];
  if (stem === 'index') names.push(escapeRegExp(basename(dirname(file))), '\\.{1,2}');
  return `["'](?:[^"'\\n]*/)?(?:${names.join('|')})(?:\\.\\w+)?/?["']`;
}
