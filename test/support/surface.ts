import { existsSync, readFileSync } from 'node:fs';

/** The tables of docs/surface.md by their headings, each row as a list of plain cells. */
export type Surface = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Reads docs/surface.md. */
export function readSurface(file: string): Surface {
  if (!existsSync(file))
    throw new Error(`${file} is missing: it lists every command, view, setting, key and menu`);
  const tables: Record<string, string[][]> = {};
  let heading = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ */, '').trim();
    else if (line.startsWith('|')) tables[heading] = [...(tables[heading] ?? []), cells(line)];
  }
  // The first two rows of a table are its head and the rule below it.
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.slice(2)]));
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .replace(/^`(.*)`$/, '$1'),
  );
}
