import { z } from 'zod';
import { sha256 } from '#base/hash';
import { t } from '#base/l10n';
import type { AbsolutePath, RelativePath, Sha256 } from '#protocol/ids';
import type { ToolResult } from '#protocol/tool-result';
import { decodeText, withoutMarkName } from '#tools/decode-text';
import { encodeText } from '#tools/encode-text';
import { showPath } from '#tools/paths';
import { orFail, refusalOf, rejected } from '#tools/refusal';
import { describeText, type TextFile, type TextForm, textFacts } from '#tools/text-file';
import { type ToolContext, type ToolDefinition, ToolFailure, type ToolPorts } from '#tools/tool';
import { markOf } from '#tools/unicode';
import { PAGE_LINES, type Page, pageOf, wholeRuns } from './page';
import { existingFile, locate, touchesAt } from './place';
import { readPart } from './read-part';

const NAME = 'read_file';

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Relative to the workspace folder'),
  offset: z.number().int().min(1).optional().describe('First line to show, from 1'),
  limit: z.number().int().min(1).optional().describe(`Lines to show; ${PAGE_LINES} when absent`),
});
type Input = z.infer<typeof inputSchema>;

/** Shows a page of a text file and remembers that it was shown. */
export const readFile: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Reads a text file: numbered lines, "number→text". Long files come in pages; the end says how to go on. Read a file before you edit or overwrite it.',
  risk: 'read',
  capabilities: ['filesystem.read'],
  concurrencySafe: true,
  pages: true,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => find(input.path, ports)),
  touches: async (input, ports) => touchesAt(await locate(NAME, input.path, ports), { kind: 'read' }),
  summarize: (input) => t('Read {0}', input.path),
  async execute(input, context) {
    const { place, dirty } = await find(input.path, context);
    const seen =
      dirty === undefined ? await readDisk(place, input, context) : await readEditor(place, dirty, context);
    if (seen.kind === 'described') return seen.result;
    const page = pageOf(seen.file.text, input);
    if (page.lines.length === 0 && page.from > 1) throw rejected(NAME, pastTheEnd(page, input.path));
    if (seen.hash !== undefined) remember(place.relative, seen.hash, page, context);
    return answer(place, page, seen);
  },
};

type Seen =
  | { readonly kind: 'described'; readonly result: ToolResult }
  | {
      readonly kind: 'text';
      readonly file: TextFile;
      /** Absent when only the beginning of the file was read. */
      readonly hash?: Sha256;
      readonly more: boolean;
      readonly dirty: boolean;
    };

interface Named {
  readonly relative: RelativePath;
  readonly absolute: AbsolutePath;
  readonly link?: string;
}

/** A file on disk, or one that only an editor still holds. */
async function find(path: string, ports: ToolPorts) {
  const place = await locate(NAME, path, ports);
  const dirty = ports.documents.dirtyText(place.absolute);
  return dirty === undefined
    ? { place: await existingFile(NAME, path, place, ports), dirty }
    : { place, dirty };
}

async function readDisk(place: Named, input: Input, context: ToolContext): Promise<Seen> {
  const { bytes, hash, more, size } = orFail(NAME, await readPart(place.absolute, input, context));
  const decoded = await decodePart(bytes, more ? LONGEST_PIECE : 0, place.absolute, context);
  if (decoded.ok) return { kind: 'text', file: decoded.value, more, dirty: false, ...(more ? {} : { hash }) };
  if (decoded.error.kind === 'encoding')
    throw new ToolFailure(
      `${NAME}: ${showPath(input.path)} is ${decoded.error.what}. ${decoded.error.advice}`,
    );
  return { kind: 'described', result: describeFile(input.path, decoded.error.what, size) };
}

/** The editor's text is what the person means. Its hash is that of the file once it is saved as it stands. */
async function readEditor(place: Named, text: string, context: ToolContext): Promise<Seen> {
  const form = await formOnDisk(place, context);
  const encoded = await encodeText(text, form, place.absolute, context.encodings);
  const hash = encoded.ok ? { hash: sha256(encoded.value) as Sha256 } : {};
  return { kind: 'text', file: describeText(text, form), more: false, dirty: true, ...hash };
}

/** The form in which the editor will save it. */
async function formOnDisk({ absolute }: Named, { files, encodings }: ToolContext): Promise<TextForm> {
  const disk = await files.read(absolute, { maxBytes: 4 });
  const mark = disk.ok ? markOf(disk.value.bytes) : undefined;
  if (mark && mark.encoding !== 'utf32') return { encoding: mark.encoding, bom: true };
  const set = encodings.setFor(absolute).encoding ?? (await encodings.choose(absolute, new Uint8Array()));
  return { encoding: withoutMarkName(set), bom: set === 'utf8bom' };
}

/** Bytes of a character that the end of a part may have cut off, but for its first: UTF-8 and GB 18030 have four. */
const LONGEST_PIECE = 3;

/** Text of a part of a file, whose last character may be cut in two: that many bytes at the end may be left out. */
async function decodePart(bytes: Uint8Array, spare: number, path: AbsolutePath, { encodings }: ToolContext) {
  const whole = await decodeText(bytes, path, encodings);
  for (let left = 1; !whole.ok && whole.error.kind === 'encoding' && left <= spare; left++) {
    const part = await decodeText(bytes.subarray(0, -left), path, encodings);
    if (part.ok) return part;
  }
  return whole;
}

function remember(path: RelativePath, hash: Sha256, page: Page, context: ToolContext): void {
  const runs = wholeRuns(page);
  const nothing = { from: page.from, to: page.from - 1 };
  for (const run of runs.length === 0 ? [nothing] : runs)
    context.reads.note(path, hash, { ...run, total: page.total });
}

function answer(place: Named, page: Page, seen: Seen & { kind: 'text' }): ToolResult {
  const path = showPath(place.relative);
  const body = page.lines.join('\n');
  const notes = notesOf(place, page, seen);
  const content = page.total === 0 ? `(${path} is empty)` : body;
  const range = page.total === 0 ? t('empty') : `${page.from}–${page.to}`;
  return {
    version: 1,
    status: 'success',
    content: notes.length === 0 ? content : `${content}\n\n(${notes.join('; ')})`,
    display: {
      kind: 'text',
      title: place.relative,
      fields: [{ key: 'lines', value: range }],
      body: body.slice(0, 4000),
    },
  };
}

function notesOf(place: Named, page: Page, seen: Seen & { kind: 'text' }): string[] {
  const notes: string[] = [];
  const goOn = seen.more || page.to < page.total;
  if (goOn)
    notes.push(
      `lines ${page.from}–${page.to}${seen.more ? '' : ` of ${page.total}`}; go on with offset ${page.to + 1}`,
    );
  else if (page.from > 1) notes.push(`lines ${page.from}–${page.to} of ${page.total}, the end`);
  if (place.link !== undefined) notes.push(`the file is ${showPath(place.relative)}`);
  if (seen.dirty)
    notes.push(
      'this is the text of the editor with unsaved changes by the user; it can be edited once they save it',
    );
  if (page.cut.length > 0) notes.push(`cut lines: ${page.cut.slice(0, 10).join(', ')}`);
  notes.push(...textFacts(seen.file));
  return notes;
}

function pastTheEnd(page: Page, path: string): string {
  return `offset ${page.from} is past the end of ${showPath(path)}, which has ${page.total} lines; read it from an earlier line`;
}

function describeFile(path: string, what: string, bytes: number): ToolResult {
  const size = `${bytes.toLocaleString('en')} bytes`;
  return {
    version: 1,
    status: 'success',
    content: `${showPath(path)} is ${what} (${size}). It can't be shown as text; showing it in another way is not supported yet.`,
    display: { kind: 'text', title: path, fields: [{ key: 'size', value: size }], body: what },
  };
}
