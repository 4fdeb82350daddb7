import { z } from 'zod';
import { t } from '#base/l10n';
import { count, oneLine } from '#base/text';
import type { FileSymbol } from '#host/language/places';
import { showPath } from '#tools/paths';
import type { ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { askedFile } from './asked-file';
import { searchDisplay } from './place-list';
import { ASKS, aboutFile, limitField } from './tool-heads';

const NAME = 'document_symbols';
const DEFAULT_LIMIT = 300;
const HARD_LIMIT = 1000;
const LONGEST = 160;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Relative to the workspace folder'),
  limit: limitField('symbols', { usual: DEFAULT_LIMIT, most: HARD_LIMIT }),
});
type Input = z.infer<typeof inputSchema>;

/** What a file declares. */
export const documentSymbols: ToolDefinition<Input> = {
  ...ASKS,
  name: NAME,
  description:
    'The outline of a file by its language server: classes, functions, keys, selectors with their lines, nested ones indented.',
  inputSchema,
  searchMetadata: {
    aliases: ['outline', 'file_symbols', 'list_functions'],
    tags: ['lsp', 'language server', 'structure', 'symbol'],
    searchHint: 'list the functions, classes and methods of a file with their lines',
  },
  ...aboutFile(NAME, (input: Input, ports) => askedFile(NAME, input.path, ports)),
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
