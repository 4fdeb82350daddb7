import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { deferredTool } from '#test/support/contribution';
import { rankTools } from '#tools/session/search-tools-ranking';
import type { ToolDefinition } from '#tools/tool';

const TOOLS = 1000;
const ROUNDS = 20;
const QUERIES = ['create a pull request', 'hover', 'list open issues of a project', '搜索文件', 'zebra'];
const VERBS = ['create', 'list', 'update', 'delete', 'search', 'get', 'close', 'open', 'merge', 'export'];
const THINGS = [
  'issue',
  'pull_request',
  'branch',
  'file',
  'project',
  'invoice',
  'page',
  'user',
  'label',
  'run',
];

/** A search over 1,000 deferred tools against a scan of the same strings for the same words, which ranks and folds nothing. */
export async function measure(): Promise<readonly Measurement[]> {
  const tools = Array.from({ length: TOOLS }, (_, index) => toolOf(index));
  const texts = tools.map(textOf);
  const each = async (work: (query: string) => unknown) => {
    const whole = await milliseconds(() => {
      for (let round = 0; round < ROUNDS; round++) QUERIES.forEach(work);
    });
    return whole / ROUNDS / QUERIES.length;
  };
  const samples = await alternate(
    { n: 15, warmUp: 3 },
    () => each((query) => rankTools(tools, query)),
    () => each((query) => scan(texts, query)),
  );
  const first = await alternate(
    { n: 15, warmUp: 3 },
    () =>
      milliseconds(() =>
        rankTools(
          tools.map((tool) => ({ ...tool })),
          'create a pull request',
        ),
      ),
    () => milliseconds(() => scan(texts, 'create a pull request')),
  );
  return [
    {
      name: `search over ${TOOLS} deferred tools`,
      unit: 'ms',
      ...samples,
      target: { of: 'ratio', atMost: 5 },
    },
    {
      name: `the first search over ${TOOLS} deferred tools`,
      unit: 'ms',
      ...first,
      target: { of: 'belay', atMost: 100 },
    },
  ];
}

function toolOf(index: number): ToolDefinition {
  const verb = VERBS[index % VERBS.length] ?? '';
  const thing = THINGS[Math.floor(index / VERBS.length) % THINGS.length] ?? '';
  return deferredTool(`mcp__server_${Math.floor(index / 100)}__${verb}_${thing}`, {
    description: `Does ${verb} for a ${thing} of the workspace, number ${index}. ${'It says what it needs. '.repeat(10)}`,
    searchMetadata: {
      aliases: [`${verb}${thing}`],
      tags: [verb, thing],
      searchHint: `when a ${thing} matters`,
    },
  });
}

function textOf({ name, description, searchMetadata }: ToolDefinition): string {
  const { aliases = [], tags = [], searchHint = '' } = searchMetadata ?? {};
  return [name, ...aliases, ...tags, searchHint, description].join(' ').toLowerCase();
}

function scan(texts: readonly string[], query: string): readonly string[] {
  const words = query.toLowerCase().split(' ');
  return texts.filter((text) => words.some((word) => text.includes(word)));
}
