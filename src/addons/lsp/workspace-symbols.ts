import { z } from 'zod';
import { t } from '#base/l10n';
import { count, oneLine } from '#base/text';
import type { CodeSymbol } from '#host/language/places';
import { refusalOf } from '#tools/refusal';
import type { ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { askedBeforeGates, askedFile, readsFile } from './asked-file';
import { NOTHING_SHOWN, searchDisplay, withheldWords } from './place-list';
import { type Shown, Sources } from './sources';
import { ASKS, limitField } from './tool-heads';

const NAME = 'workspace_symbols';
const DEFAULT_LIMIT = 50;
const HARD_LIMIT = 200;
const LONGEST = 160;

const inputSchema = z.strictObject({
  query: z.string().min(1).max(200).describe('A part of the name'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Any file of the project that is meant: its language server is started where it is not running',
    ),
  limit: limitField('symbols', { usual: DEFAULT_LIMIT, most: HARD_LIMIT }),
});
type Input = z.infer<typeof inputSchema>;

/** Symbols of the projects that language servers have loaded. */
export const workspaceSymbols: ToolDefinition<Input> = {
  ...ASKS,
  name: NAME,
  description:
    'Finds functions, classes and other symbols by name in all projects whose language servers run. Give path so that the right one does.',
  inputSchema,
  searchMetadata: {
    aliases: ['find_symbol', 'symbol_search', 'go_to_symbol'],
    tags: ['lsp', 'language server', 'navigation', 'symbol'],
    searchHint: 'find a class or function by name anywhere in the project',
  },
  validate: async ({ path }, ports) =>
    path === undefined
      ? undefined
      : refusalOf(() => askedBeforeGates(NAME, path, ports, () => askedFile(NAME, path, ports))),
  touches: async ({ path }, ports) => (path === undefined ? [] : readsFile(NAME, { path }, ports)),
  summarize: ({ query }) => t('Find the symbol {0}', JSON.stringify(query)),
  async execute({ query, path, limit = DEFAULT_LIMIT }, context) {
    const near = path === undefined ? undefined : (await askedFile(NAME, path, context)).file;
    const answer = await context.intelligence.workspaceSymbols(query, near, context.signal);
    const found = known(NAME, answer);
    const sources = new Sources(context);
    const lines: string[] = [];
    const files = new Set<string>();
    let withheld = 0;
    let left = 0;
    for (const symbol of found) {
      context.signal.throwIfAborted();
      if (lines.length >= limit) left++;
      else {
        const shown = await sources.show(symbol.place);
        if (shown.kind === 'withheld') withheld++;
        else {
          files.add(symbol.place.uri);
          lines.push(lineOf(symbol, shown));
        }
      }
    }
    const notes = [
      ...(left > 0 ? [`${left} more; narrow the query or raise limit`] : []),
      ...withheldWords(withheld),
    ];
    const head =
      lines.length > 0
        ? `${count(lines.length + left, 'symbol')}:`
        : withheld > 0
          ? NOTHING_SHOWN
          : nothing(query, near !== undefined);
    return {
      version: 1,
      status: 'success',
      content: [head, ...lines, ...(notes.length === 0 ? [] : [`(${notes.join('; ')})`])].join('\n'),
      display: searchDisplay(t('symbols like {0}', JSON.stringify(query)), lines, files.size),
    };
  },
};

function nothing(query: string, isNear: boolean): string {
  const words = `No symbol like ${JSON.stringify(query)}.`;
  return isNear
    ? words
    : `${words} Language servers know only projects of which a file was opened or asked about: give path to have one loaded.`;
}

function lineOf({ name, kind, detail }: CodeSymbol, shown: Exclude<Shown, { kind: 'withheld' }>): string {
  const within = detail === '' ? '' : ` in ${oneLine(detail, LONGEST)}`;
  const outside = shown.kind === 'outside' ? '  (outside the workspace)' : '';
  return `${shown.where}  ${kind} ${oneLine(name, LONGEST)}${within}${outside}`;
}
