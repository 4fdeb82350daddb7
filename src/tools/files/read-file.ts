import { z } from 'zod';
import { t } from '#base/l10n';
import type { RelativePath, Sha256 } from '#protocol/ids';
import type { ToolResult } from '#protocol/tool-result';
import { isNotebookName, NOTEBOOK_LIMIT, readNotebook } from '#tools/formats/notebook';
import { showPath } from '#tools/paths';
import { orFail, refusalOf, rejected } from '#tools/refusal';
import { type ToolContext, type ToolDefinition, ToolFailure, type ToolPorts } from '#tools/tool';
import { PAGE_LINES, type Page, pageOf, wholeRuns } from './page';
import { type ExistingFile, existingFile, locate, touchesAt } from './place';
import { readPart } from './read-part';
import { decodePart, readEditorText } from './read-text';
import { showFormat } from './show-format';
import { type Named, type Shown, showText } from './show-text';

const NAME = 'read_file';

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Relative to the workspace folder'),
  offset: z.number().int().min(1).optional().describe('First line to show, from 1'),
  limit: z.number().int().min(1).optional().describe(`Lines to show; ${PAGE_LINES} when absent`),
  pages: z
    .string()
    .regex(/^\d{1,6}(-\d{1,6})?$/, 'give "4" or "4-7"')
    .optional()
    .describe('Of a PDF: "4" or "4-7"'),
});
type Input = z.infer<typeof inputSchema>;

/** Shows a page of a file and remembers what of a text was shown. */
export const readFile: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Reads a file: numbered lines, "number→text". Long files come in pages; the end says how to go on. Notebooks come as cells, PDF as text, images as images. Read a file before you edit or overwrite it.',
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
    const found = await find(input.path, context);
    const seen =
      found.dirty === undefined
        ? await readDisk(found.file, input, context)
        : await readEditor(found.place, found.dirty, context);
    if (seen.kind === 'format') return seen.result;
    refusePages(input);
    const page = pageOf(seen.text, input, seen);
    if (page.lines.length === 0 && page.from > 1) throw rejected(NAME, pastTheEnd(page, input.path));
    if (seen.hash !== undefined) remember(found.place.relative, seen.hash, page, context);
    return showText(found.place, page, seen);
  },
};

type Seen =
  | { readonly kind: 'format'; readonly result: ToolResult }
  | (Shown & {
      readonly kind: 'text';
      /** Absent when only a part of the file was read. */
      readonly hash?: Sha256;
    });

type Found = { readonly place: Named } & (
  | { readonly dirty: string }
  | { readonly dirty: undefined; readonly file: ExistingFile }
);

/** A file on disk, or one that only an editor still holds. */
async function find(path: string, ports: ToolPorts): Promise<Found> {
  const place = await locate(NAME, path, ports);
  const dirty = ports.documents.dirtyText(place.absolute);
  if (dirty !== undefined) return { place, dirty };
  const file = await existingFile(NAME, path, place, ports);
  return { place: file, dirty, file };
}

/** An argument that is not followed would leave the model with a wrong picture. */
function refusePages({ pages, path }: Input): void {
  if (pages !== undefined) throw rejected(NAME, `${showPath(path)} is no PDF; leave pages out`);
}

async function readDisk(place: ExistingFile, input: Input, context: ToolContext): Promise<Seen> {
  const part = orFail(NAME, await partOf(place, input, context));
  const decoded = await decodePart(part, place.absolute, context);
  if (decoded.ok) {
    const isUnsaved = context.documents.dirtyNotebook?.(place.absolute) ?? false;
    const { more, firstLine: first, hash } = part;
    const seen = { file: decoded.value, first, more, unsaved: isUnsaved ? 'left-out' : 'none' } as const;
    return { kind: 'text', ...asCells(place, seen), ...(more || first > 1 ? {} : { hash }) };
  }
  if (decoded.error.kind === 'encoding')
    throw new ToolFailure(
      `${NAME}: ${showPath(place.relative)} is ${decoded.error.what}. ${decoded.error.advice}`,
    );
  return {
    kind: 'format',
    result: await showFormat({ place, part, what: decoded.error.what, input }, context),
  };
}

/** A notebook only makes sense whole. */
async function partOf(place: ExistingFile, input: Input, context: ToolContext) {
  const isNotebook = isNotebookName(place.relative) && place.stat.bytes <= NOTEBOOK_LIMIT;
  return readPart(place.absolute, isNotebook ? { ...input, whole: NOTEBOOK_LIMIT } : input, context);
}

/** The editor's text is what the person means. */
async function readEditor(place: Named, text: string, context: ToolContext): Promise<Seen> {
  const { file, ...hash } = await readEditorText(place.absolute, text, context);
  const seen = { file, first: 1, more: false, unsaved: 'shown' } as const;
  return { kind: 'text', ...asCells(place, seen), ...hash };
}

/** A notebook shows as its cells; one that can't be read so, as the text that it is. */
function asCells(place: Named, seen: Omit<Shown, 'text' | 'cells'>): Shown {
  const { file, more } = seen;
  if (!isNotebookName(place.relative)) return { ...seen, text: file.text };
  const cells = more ? undefined : readNotebook(file.text);
  return { ...seen, text: cells?.text ?? file.text, cells: cells ?? 'unreadable' };
}

function remember(path: RelativePath, hash: Sha256, page: Page, context: ToolContext): void {
  const runs = wholeRuns(page);
  const nothing = { from: page.from, to: page.from - 1 };
  for (const run of runs.length === 0 ? [nothing] : runs)
    context.reads.note(path, hash, { ...run, total: page.total });
}

function pastTheEnd(page: Page, path: string): string {
  return `offset ${page.from} is past the end of ${showPath(path)}, which has ${page.total} lines; read it from an earlier line`;
}
