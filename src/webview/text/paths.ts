/** A path in two: `src/parser` and `lexer.ts`. The folder of a file at the top is empty. */
export function folderAndName(path: string): readonly [folder: string, name: string] {
  const cut = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, cut)), path.slice(cut + 1)];
}

/** `src/…/lexer.ts` for a long path: the top folder and the name stay. Undefined when there is nothing to gain. */
export function shortPath(path: string): string | undefined {
  const parts = path.split('/');
  const [top = ''] = parts;
  const name = parts.at(-1) ?? '';
  const short = `${top}/…/${name}`;
  return parts.length > 2 && path.length > LONG && short.length < path.length ? short : undefined;
}

/** Characters that fit into a row of a narrow side bar. */
const LONG = 28;
