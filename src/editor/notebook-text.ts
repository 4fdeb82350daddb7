import { z } from 'zod';

/** What the file of a notebook says, parted into sources and all the rest. */
export interface NotebookText {
  readonly sources: readonly string[];
  /** Everything but the sources, as JSON. */
  readonly rest: string;
  /** The editor would write these very bytes: its order of keys, its white space. */
  readonly isEditorsOwn: boolean;
}

const notebookSchema = z.looseObject({
  nbformat: z.literal(4),
  cells: z.array(z.looseObject({ source: z.union([z.string(), z.array(z.string())]) })),
});

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for what isn't the JSON of a notebook of format 4. */
export function notebookText(bytes: Uint8Array): NotebookText | undefined {
  try {
    const text = strict.decode(bytes);
    const { cells, ...other } = notebookSchema.parse(JSON.parse(text));
    const sources = cells.map(({ source }) => (Array.isArray(source) ? source.join('') : source));
    const rest = JSON.stringify([other, cells.map(({ source: _, ...cell }) => cell)]);
    return { sources, rest, isEditorsOwn: written({ ...other, cells }, text) === text };
  } catch {
    return undefined;
  }
}

/** Sorted keys, the file's own indentation, a line end at the end: as the editor's notebook serializer writes. */
function written(value: unknown, text: string): string {
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '';
  const sorted = (_key: string, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [two]) => (one < two ? -1 : 1)))
      : inner;
  return `${JSON.stringify(value, sorted, indent)}\n`;
}
