import { revealInvisible } from '#base/text';
import type { Place } from '#host/language/places';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { decodeText } from '#tools/decode-text';
import { lexicalPath, showPath } from '#tools/paths';
import { unreadable } from '#tools/search/skips';
import { splitLines } from '#tools/text-file';
import type { ToolContext } from '#tools/tool';

/**
 * A place that a server named, as the model may see it. `outside`: named, but its text isn't the workspace's to show. `withheld`: in a
 * file that is hidden from the agent or that rules or the list of secrets keep; not even its name is told.
 */
export type Shown =
  | { readonly kind: 'inside'; readonly path: RelativePath; readonly where: string; readonly source: string }
  | { readonly kind: 'outside'; readonly where: string }
  | { readonly kind: 'withheld' };

/** Where a server's path is in the workspace, symlinks resolved. */
export type Inside =
  | { readonly kind: 'inside'; readonly path: RelativePath }
  | { readonly kind: 'outside' }
  | { readonly kind: 'withheld' };

const LARGEST = 5 * 1024 * 1024;
/** Characters of a source line; a longer one is shown around the column. */
const WINDOW = 200;

/** Shows places that servers name, for the length of one call: each file is judged and read once. */
export class Sources {
  readonly #context: ToolContext;
  readonly #unreadable: ReturnType<typeof unreadable>;
  readonly #inside = new Map<string, Promise<Inside>>();
  readonly #lines = new Map<RelativePath, Promise<readonly string[]>>();

  constructor(context: ToolContext) {
    this.#context = context;
    this.#unreadable = unreadable(context);
  }

  /** Whether a file is in the workspace, and may be shown. */
  inside(path: AbsolutePath): Promise<Inside> {
    const known = this.#inside.get(path) ?? this.#judge(path);
    this.#inside.set(path, known);
    return known;
  }

  async show({ path, uri, range: { start } }: Place): Promise<Shown> {
    const position = `:${start.line + 1}:${start.column + 1}`;
    if (path === undefined) return { kind: 'outside', where: `${showPath(uri)}${position}` };
    const inside = await this.inside(path);
    if (inside.kind === 'withheld') return { kind: 'withheld' };
    if (inside.kind === 'outside') return { kind: 'outside', where: `${showPath(path)}${position}` };
    const line = (await this.#linesOf(inside.path, path))[start.line] ?? '';
    const where = `${showPath(inside.path)}${position}`;
    return { kind: 'inside', path: inside.path, where, source: windowOf(line, start.column) };
  }

  async #judge(path: AbsolutePath): Promise<Inside> {
    const { files, workspace } = this.#context;
    const real = (await files.realPath(path).catch(() => undefined)) ?? path;
    const lexical = lexicalPath(real, workspace.root);
    if (!lexical.ok) return { kind: 'outside' };
    return this.#unreadable.has(lexical.value)
      ? { kind: 'withheld' }
      : { kind: 'inside', path: lexical.value };
  }

  #linesOf(relative: RelativePath, path: AbsolutePath): Promise<readonly string[]> {
    const known = this.#lines.get(relative) ?? this.#read(path);
    this.#lines.set(relative, known);
    return known;
  }

  /** Positions are those of the editor, whose text is the unsaved one. */
  async #read(path: AbsolutePath): Promise<readonly string[]> {
    const { files, documents, encodings } = this.#context;
    const real = (await files.realPath(path)) ?? path;
    const dirty = documents.dirtyText(real);
    if (dirty !== undefined) return splitLines(dirty);
    const read = await files.read(real, { maxBytes: LARGEST });
    if (!read.ok) return [];
    const decoded = await decodeText(read.value.bytes, real, encodings);
    return decoded.ok ? splitLines(decoded.value.text) : [];
  }
}

/** A line without its indentation; a long one around the place that is meant. */
function windowOf(line: string, column: number): string {
  const from = line.length <= WINDOW ? 0 : Math.max(0, Math.min(column - WINDOW / 4, line.length - WINDOW));
  const part = line.slice(from, from + WINDOW).toWellFormed();
  const cut = from + WINDOW < line.length ? '…' : '';
  return revealInvisible(`${from > 0 ? '…' : ''}${part}${cut}`.trim());
}
