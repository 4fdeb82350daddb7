import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** A cell of a notebook, and where its source stands in the file. */
export interface NotebookCell {
  /** `code`, `markdown`, `raw`; `heading` in old notebooks. */
  readonly kind: string;
  readonly id?: string;
  readonly source: string;
  /** The JSON of the source: a text, or a list of lines. */
  readonly at: Node;
  readonly outputs: readonly unknown[];
}

/** What a notebook is made of. */
export interface NotebookCells {
  readonly cells: readonly NotebookCell[];
  readonly language: string | undefined;
}

/**
 * The cells of an .ipynb, format 3 or 4. Undefined for what is no such notebook, also where a key stands twice: which of the two counts
 * is a matter of who reads it.
 */
export function notebookCells(json: string): NotebookCells | undefined {
  const root = strictTree(json);
  if (root?.type !== 'object') return undefined;
  const format = Number(valueAt(root, 'nbformat'));
  if (format !== 3 && format !== 4) return undefined;
  const lists = format === 4 ? [root] : (only(root, 'worksheets')?.children ?? []);
  const cells: NotebookCell[] = [];
  for (const list of lists) {
    const found = only(list, 'cells');
    if (found?.type !== 'array') return undefined;
    for (const node of found.children ?? []) {
      const cell = cellOf(node, format);
      if (cell === undefined) return undefined;
      cells.push(cell);
    }
  }
  return { cells, language: languageOf(root) };
}

/** JSON without errors, comments or trailing commas; undefined too when it is nested too deeply to be parsed. */
function strictTree(json: string): Node | undefined {
  try {
    JSON.parse(json);
    const errors: ParseError[] = [];
    const tree = parseTree(json, errors, { disallowComments: true });
    return errors.length === 0 ? tree : undefined;
  } catch {
    return undefined;
  }
}

function cellOf(node: Node, format: 3 | 4): NotebookCell | undefined {
  const kind = valueAt(node, 'cell_type');
  const at = only(node, format === 3 && kind === 'code' ? 'input' : 'source');
  const source = at && textOf(at);
  if (typeof kind !== 'string' || at === undefined || source === undefined) return undefined;
  const id = valueAt(node, 'id');
  const outputs = valueAt(node, 'outputs');
  return {
    kind: /^[a-z]{1,20}$/.test(kind) ? kind : 'unknown',
    ...(typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { id } : {}),
    source,
    at,
    outputs: Array.isArray(outputs) ? outputs : [],
  };
}

/** A text, or the texts of a list; undefined for anything else. */
function textOf(node: Node): string | undefined {
  if (node.type === 'string') return String(node.value);
  if (node.type !== 'array') return undefined;
  const items = node.children ?? [];
  return items.every(({ type }) => type === 'string')
    ? items.map(({ value }) => String(value)).join('')
    : undefined;
}

/** The value of a key that stands once in an object. */
function only(node: Node, key: string): Node | undefined {
  const found = (node.children ?? []).filter(
    ({ type, children }) => type === 'property' && children?.[0]?.value === key,
  );
  return found.length === 1 ? found[0]?.children?.[1] : undefined;
}

function valueAt(node: Node, key: string): unknown {
  const found = only(node, key);
  return found && getNodeValue(found);
}

function languageOf(root: Node): string | undefined {
  const names = [
    ['metadata', 'language_info', 'name'],
    ['metadata', 'kernelspec', 'language'],
  ].map((path) => findNodeAtLocation(root, path)?.value);
  return names.find((name) => typeof name === 'string' && /^[\w .+#-]{1,40}$/.test(name));
}
