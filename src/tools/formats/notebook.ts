import { fail, ok, type Result } from '#base/result';
import { splitLines } from '#tools/text-file';
import { type NotebookCell, notebookCells } from './notebook-cells';
import { outputLines } from './notebook-outputs';
import { type Splice, sourceSplices } from './notebook-source';

/** Most bytes of a notebook that is read as cells; the outputs of larger ones are not for a model. */
export const NOTEBOOK_LIMIT = 16 * 1024 * 1024;

/** A notebook as a model reads and edits it: the sources of its cells, one after another, each under a heading. */
export interface Notebook {
  /** Headings and sources. Every source ends with a line end here, which isn't its own. */
  readonly text: string;
  /** What the outputs were, by the line of `text` that they come behind (1-based). */
  readonly outputs: ReadonlyMap<number, readonly string[]>;
  /** "12 cells, python". */
  readonly facts: string;
}

/** Whether a file is a notebook by its name; what is in it decides. */
export function isNotebookName(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** The cells of an .ipynb's JSON; undefined for what is no whole notebook. */
export function readNotebook(json: string): Notebook | undefined {
  const found = notebookCells(json);
  if (found === undefined) return undefined;
  const { cells, language } = found;
  const headings = cells.map(headingOf);
  // A source that holds such a line would make the cells ambiguous.
  if (
    cells.some(({ source }) => source.split(/[\n\r\u2028\u2029]/).some((line) => LOOKS_LIKE_ONE.test(line)))
  )
    return undefined;
  const outputs = new Map<number, readonly string[]>();
  let line = 0;
  for (const { source, outputs: own } of cells) {
    line += 1 + splitLines(`${source}\n`).length;
    const lines = outputLines(own);
    if (lines.length > 0) outputs.set(line, lines);
  }
  const text = cells.map(({ source }, index) => `${headings[index]}\n${source}\n`).join('');
  const facts = [`${cells.length} cells`, ...(language === undefined ? [] : [language])].join(', ');
  return { text, outputs, facts };
}

/**
 * The JSON of a notebook whose cells read as `text` says; every byte outside the changed sources stays. `text` is that of
 * `readNotebook` after an edit. The error is a sentence that says what to do instead.
 */
export function withSources(json: string, text: string): Result<string, string> {
  const cells = notebookCells(json)?.cells ?? [];
  const sources = sourcesOf(text, cells.map(headingOf));
  if (sources === undefined) return fail(HEADINGS);
  const splices = cells.flatMap(({ source, at }, index) => {
    const wanted = sources[index] ?? '';
    return wanted === source ? [] : sourceSplices(json, at, wanted);
  });
  const changed = splice(json, splices);
  const now = notebookCells(changed)?.cells.map(({ source }) => source);
  if (
    now === undefined ||
    now.length !== sources.length ||
    now.some((source, index) => source !== sources[index])
  )
    throw new Error('a notebook was not written as it was meant');
  return ok(changed);
}

const HEADINGS =
  'an edit of a notebook changes the sources of its cells, so the lines "--- cell … ---" must stay as they are; to add, remove or move cells use a command, such as python with nbformat';

const LOOKS_LIKE_ONE = /^--- cell \d+ \([a-z]+(, id [\w-]+)?\) ---$/;

function headingOf({ kind, id }: NotebookCell, index: number): string {
  return `--- cell ${index + 1} (${kind}${id === undefined ? '' : `, id ${id}`}) ---`;
}

/** The texts between the headings; undefined when these aren't all there, once and in order. */
function sourcesOf(text: string, headings: readonly string[]): readonly string[] | undefined {
  const parts = text.split(/^(--- cell \d+ \([a-z]+(?:, id [\w-]+)?\) ---)\n/m);
  const [before, ...rest] = parts;
  if (before !== '' || rest.length !== headings.length * 2) return undefined;
  const sources: string[] = [];
  for (const [index, heading] of headings.entries()) {
    if (rest[index * 2] !== heading) return undefined;
    sources.push((rest[index * 2 + 1] ?? '').replace(/\n$/, ''));
  }
  return sources;
}

function splice(text: string, splices: readonly Splice[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, by } of splices) {
    result += text.slice(from, start) + by;
    from = end;
  }
  return result + text.slice(from);
}
