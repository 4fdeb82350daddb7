import { z } from 'zod';
import { t } from '#base/l10n';
import { count, oneLine } from '#base/text';
import type { FileSymbol } from '#host/language/places';
import { showPath } from '#tools/paths';
import { refusalOf } from '#tools/refusal';
import type { ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { askedBeforeGates, askedFile, readsFile } from './asked-file';
import { searchDisplay } from './place-list';

const NAME = 'document_symbols';
const DEFAULT_LIMIT = 300;
const HARD_LIMIT = 1000;
const LONGEST = 160;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Relative to the workspace folder'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(HARD_LIMIT)
    .optional()
    .describe(`Most symbols; ${DEFAULT_LIMIT} when absent`),
});
type Input = z.infer<typeof inputSchema>;

/** What a file declares. */
export const documentSymbols: ToolDefinition<Input> = {
  name: NAME,
  description:
    'The outline of a file by its language server: classes, functions, keys, selectors with their lines, nested ones indented.',
  risk: 'read',
  capabilities: ['filesystem.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  deferred: true,
  searchMetadata: {
    aliases: ['outline', 'file_symbols', 'list_functions'],
    tags: ['lsp', 'language server', 'structure', 'symbol'],
    searchHint: 'list the functions, classes and methods of a file with their lines',
  },
  validate: (input, ports) =>
    refusalOf(() => askedBeforeGates(NAME, input.path, ports, () => askedFile(NAME, input.path, ports))),
  touches: (input, ports) => readsFile(NAME, input, ports),
  summarize: ({ path }) => t('Outline {0}', path),
  async execute(input, context) {
    const { file, place } = await askedFile(NAME, input.path, context);
    const found = known(NAME, await context.intelligence.fileSymbols(file, context.signal));
    const path = showPath(place.relative);
    if (found.length === 0) return `The language server knows no symbols in ${path}.`;
    const limit = input.limit ?? DEFAULT_LIMIT;
    const lines = found.slice(0, limit).map(lineOf);
    const more = found.length > limit ? [`(${found.length - limit} more; raise limit for them)`] : [];
    return {
      version: 1,
      status: 'success',
      content: [`${path}: ${count(found.length, 'symbol')}`, ...lines, ...more].join('\n'),
      display: searchDisplay(path, lines, 1),
    };
  },
};

function lineOf({ name, kind, detail, depth, place, lastLine }: FileSymbol): string {
  const { line, column } = place.range.start;
  const until = lastLine > line ? `-${lastLine + 1}` : '';
  const more = detail === '' ? '' : `  ${oneLine(detail, LONGEST)}`;
  return `${'  '.repeat(depth + 1)}${line + 1}:${column + 1}${until}  ${kind} ${oneLine(name, LONGEST)}${more}`;
}
