import { z } from 'zod';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import { hasSchema } from '#tools/schema';
import { type DeferredTools, type ToolDefinition, ToolFailure } from '#tools/tool';
import { selectedNames } from './search-tools-names';
import { rankTools } from './search-tools-ranking';
import { type Found, foundDisplay, foundWords } from './search-tools-report';

const NAME = 'search_tools';
/** Most tools that one call switches on. */
const MOST = 20;
const USUAL = 5;

const inputSchema = z.strictObject({
  query: z.string().trim().min(1).max(2000).describe('Words for what it should do, or select:NAME,NAME'),
  limit: z.number().int().min(1).max(MOST).optional().describe(`Most tools; ${USUAL} when absent`),
});
type Input = z.infer<typeof inputSchema>;

/** Finds tools that are known by name only, and switches on what it finds. Nothing leaves the machine. */
export const searchTools: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Finds tools of the list "More tools" and makes them usable from your next reply on. select:NAME[,NAME] takes exact names; other words are looked for in names and descriptions.',
  // It changes what the next request shows, nothing else.
  risk: 'read',
  capabilities: ['session.read', 'session.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  touches: async () => [],
  summarize: ({ query }) => t('Find tools: {0}', truncate(revealInvisible(query), 200)),
  async execute({ query, limit = USUAL }, { deferred }) {
    if (!deferred) throw new ToolFailure(`${NAME}: there is nothing to switch on here`);
    const names = selectedNames(query);
    const picked = names ? pick(names, deferred) : find(query, limit, deferred);
    const tools = picked.tools.filter(hasSchema);
    const broken = picked.tools.filter((tool) => !hasSchema(tool)).map(({ name }) => name);
    const gone = deferred.activate(tools);
    const found: Found = { ...picked, query, tools, broken, gone };
    const content = foundWords(found, deferred.usable());
    return { version: 1, status: 'success', content, display: foundDisplay(found) };
  },
};

type Picked = Pick<Found, 'tools' | 'more' | 'missed' | 'always'>;

function pick(names: readonly string[], deferred: DeferredTools): Picked {
  const usable = new Map(deferred.usable().map((tool) => [tool.name, tool]));
  const tools = names.flatMap((name) => usable.get(name) ?? []);
  const others = names.filter((name) => !usable.has(name));
  return {
    tools: tools.slice(0, MOST),
    more: Math.max(0, tools.length - MOST),
    missed: others.filter((name) => !deferred.isShown(name)),
    always: others.filter((name) => deferred.isShown(name)),
  };
}

function find(query: string, limit: number, deferred: DeferredTools): Picked {
  const ranked = rankTools(deferred.usable(), query);
  return {
    tools: ranked.slice(0, limit).map(({ tool }) => tool),
    more: Math.max(0, ranked.length - limit),
    missed: [],
    always: [],
  };
}
