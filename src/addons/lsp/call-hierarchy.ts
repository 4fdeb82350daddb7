import { z } from 'zod';
import { t } from '#base/l10n';
import { count, oneLine } from '#base/text';
import type { CallDirection, CallsOf } from '#host/language/places';
import type { ToolContext, ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { askedPlace, placeFields } from './asked-place';
import { NOTHING_SHOWN, searchDisplay, withheldWords } from './place-list';
import { Sources } from './sources';
import { ASKS, aboutFile } from './tool-heads';

const NAME = 'call_hierarchy';
const DEFAULT_LIMIT = 100;
const LONGEST = 160;
/** Lines of one caller that are named. */
const MOST_LINES = 10;

const inputSchema = z.strictObject({
  ...placeFields,
  direction: z.enum(['incoming', 'outgoing']).describe('incoming: who calls it; outgoing: what it calls'),
});
type Input = z.infer<typeof inputSchema>;

/** Who calls a function, or what it calls. */
export const callHierarchy: ToolDefinition<Input> = {
  ...ASKS,
  name: NAME,
  description:
    'Who calls the function or method at a place, or what it calls, one step far, by the language server.',
  inputSchema,
  searchMetadata: {
    aliases: ['callers', 'callees', 'incoming_calls', 'outgoing_calls'],
    tags: ['lsp', 'language server', 'navigation', 'calls'],
    searchHint: 'find the callers of a function or the functions that it calls',
  },
  ...aboutFile(NAME, (input: Input, ports) => askedPlace(NAME, input, ports)),
  summarize: ({ symbol, line, path, direction }) =>
    direction === 'incoming'
      ? t('Find what calls {0} in {1}', symbol ?? String(line), path)
      : t('Find what {0} in {1} calls', symbol ?? String(line), path),
  async execute(input, context) {
    const { at, name } = await askedPlace(NAME, input, context);
    const { intelligence, signal } = context;
    const found = known(NAME, await intelligence.calls(at, input.direction, signal));
    if (found.length === 0)
      return `The language server knows nothing that can be called at line ${input.line}; name a function or method.`;
    const { lines, notes, files, total, withheld } = await linesOf(found, input.direction, context);
    const title = name === '' ? `${input.path}:${input.line}` : name;
    return {
      version: 1,
      status: 'success',
      content: [headOf(input.direction, title, { total, withheld }), ...lines, ...notes].join('\n'),
      display: searchDisplay(
        input.direction === 'incoming' ? t('callers of {0}', title) : t('what {0} calls', title),
        lines,
        files,
      ),
    };
  },
};

function headOf(
  direction: CallDirection,
  title: string,
  { total, withheld }: { readonly total: number; readonly withheld: number },
): string {
  const quoted = JSON.stringify(title);
  if (total === 0 && withheld > 0) return NOTHING_SHOWN;
  if (direction === 'incoming')
    return total === 0 ? `Nothing calls ${quoted}.` : `${count(total, 'caller')} of ${quoted}:`;
  return total === 0 ? `${quoted} calls nothing.` : `${quoted} calls ${total}:`;
}

async function linesOf(found: readonly CallsOf[], direction: CallDirection, context: ToolContext) {
  const sources = new Sources(context);
  const calls = found.flatMap((each) => each.calls);
  const lines: string[] = [];
  const files = new Set<string>();
  let withheld = 0;
  for (const { symbol, at } of calls.slice(0, DEFAULT_LIMIT)) {
    context.signal.throwIfAborted();
    const shown = await sources.show(symbol.place);
    if (shown.kind === 'withheld') {
      withheld++;
      continue;
    }
    files.add(symbol.place.uri);
    const rows = [...new Set(at.map(({ range }) => range.start.line + 1))];
    const more = rows.length > MOST_LINES ? ' …' : '';
    const where =
      rows.length === 0
        ? ''
        : `; ${direction === 'incoming' ? 'calls it' : 'called'} at line ${rows.slice(0, MOST_LINES).join(', ')}${more}`;
    lines.push(`${shown.where}  ${symbol.kind} ${oneLine(symbol.name, LONGEST)}${where}`);
  }
  const more = Math.max(0, calls.length - DEFAULT_LIMIT);
  const notes = [...(more > 0 ? [`${more} more`] : []), ...withheldWords(withheld)];
  return {
    lines,
    files: files.size,
    total: lines.length + more,
    withheld,
    notes: notes.length === 0 ? [] : [`(${notes.join('; ')})`],
  };
}
