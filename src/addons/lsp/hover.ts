import { z } from 'zod';
import { t } from '#base/l10n';
import { headAndTail, revealInvisible } from '#base/text';
import type { ToolContext, ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { type AskedPlace, askedPlace, placeFields } from './asked-place';
import { Sources } from './sources';
import { ASKS, aboutFile } from './tool-heads';

const NAME = 'hover';
const LONGEST = 8000;

const inputSchema = z.strictObject(placeFields);
type Input = z.infer<typeof inputSchema>;

/** The type and the documentation of a thing. */
export const hover: ToolDefinition<Input> = {
  ...ASKS,
  name: NAME,
  description:
    'Type, signature and documentation of the thing at a place, in the words of the language server (Markdown).',
  inputSchema,
  searchMetadata: {
    aliases: ['quick_info', 'type_info', 'signature'],
    tags: ['lsp', 'language server', 'type', 'documentation'],
    searchHint: 'what is the type of a variable, the signature or the docs of a function',
  },
  ...aboutFile(NAME, (input: Input, ports) => askedPlace(NAME, input, ports)),
  summarize: ({ symbol, line, path }) => t('Look up {0} in {1}', symbol ?? String(line), path),
  async execute(input, context) {
    const asked = await askedPlace(NAME, input, context);
    const texts = known(NAME, await context.intelligence.hover(asked.at, context.signal));
    const title = asked.name === '' ? `${input.path}:${input.line}` : asked.name;
    if (texts.length === 0) return `The language server says nothing of ${JSON.stringify(title)}.`;
    if (await comesFromKeptFile(asked, context))
      return `What the language server says of ${JSON.stringify(title)} comes from a file that is kept from you.`;
    const body = headAndTail(revealInvisible(texts.join('\n\n---\n\n')), LONGEST).text;
    return { version: 1, status: 'success', content: body, display: { kind: 'text', title, body } };
  },
};

/** Its words quote where the thing and its type are defined. */
async function comesFromKeptFile({ at }: AskedPlace, context: ToolContext): Promise<boolean> {
  const sources = new Sources(context);
  for (const question of ['definition', 'type-definition'] as const) {
    const found = await context.intelligence.places(question, at, context.signal);
    if (found.kind === 'late') known(NAME, found);
    if (found.kind !== 'known') continue;
    for (const { path } of found.value)
      if (path !== undefined && (await sources.inside(path)).kind === 'withheld') return true;
  }
  return false;
}
