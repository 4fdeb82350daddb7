import { z } from 'zod';
import { t } from '#base/l10n';
import { kindWords, locate, statAt, touchesAt } from '#tools/files/place';
import { quotePath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import type { ToolDefinition, ToolPorts } from '#tools/tool';
import { filterGlob } from './path-glob';
import { searchDisplay, searchWords } from './report';
import { runSearch, type SearchRequest } from './run';

const NAME = 'search_files';
const DEFAULT_LIMIT = 50;
const HARD_LIMIT = 100;
const MOST_CONTEXT = 50;

const lines = (words: string) => z.number().int().min(0).optional().describe(words);

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression (Rust syntax), or plain text with literal'),
  path: z.string().optional().describe('Folder or file to search; the workspace when absent'),
  glob: z
    .string()
    .optional()
    .describe('Only these files: "*.ts", "src/**/*.test.ts"; "!*.md": all but these'),
  type: z.string().optional().describe('Only this file type of ripgrep: "ts", "py", "rust"'),
  mode: z
    .enum(['files_with_matches', 'content', 'count'])
    .optional()
    .describe('What to list; files_with_matches when absent'),
  before: lines('Lines before each match, in content mode'),
  after: lines('Lines after each match'),
  context: lines('Lines before and after'),
  ignoreCase: z.boolean().optional(),
  multiline: z.boolean().optional().describe('Let a match span lines'),
  literal: z.boolean().optional().describe('Take the pattern as plain text'),
  includeIgnored: z.boolean().optional().describe('Also ignored files and build folders'),
  limit: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`Most results; ${DEFAULT_LIMIT} when absent, at most ${HARD_LIMIT}`),
});
type Input = z.infer<typeof inputSchema>;

/** Searches file contents with ripgrep, unsaved text of editors included. */
export const searchFiles: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Searches file contents. Skips ignored files, build folders, binary files and files over 1 MB, unless path names them. Search hits do not count as having read a file.',
  risk: 'read',
  capabilities: ['filesystem.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => plan(input, ports)),
  touches: async (input, ports) => touchesAt(await locate(NAME, input.path ?? '.', ports), { kind: 'read' }),
  summarize: ({ pattern, path }) =>
    path ? t('Search {0} in {1}', JSON.stringify(pattern), path) : t('Search {0}', JSON.stringify(pattern)),
  async execute(input, context) {
    const request = await plan(input, context);
    const found = await runSearch(NAME, request, context);
    return {
      version: 1,
      status: 'success',
      content: searchWords(request, found),
      display: searchDisplay(request, found),
    };
  },
};

async function plan(input: Input, ports: ToolPorts): Promise<SearchRequest> {
  if (input.pattern.includes('\0'))
    throw rejected(NAME, 'the pattern contains a NUL character; leave it out');
  const path = input.path ?? '.';
  const place = await locate(NAME, path, ports);
  const kind = (await statAt(place, ports))?.kind;
  if (kind === undefined) throw rejected(NAME, `${quotePath(path)} does not exist; find it with glob_files`);
  if (kind !== 'file' && kind !== 'folder') throw rejected(NAME, `${quotePath(path)} is ${kindWords(kind)}`);
  const glob = input.glob === undefined ? undefined : filterGlob(input.glob, '.');
  if (glob && !glob.ok) throw rejected(NAME, `glob ${glob.error}`);
  const around = (own: number | undefined) => Math.min(own ?? input.context ?? 0, MOST_CONTEXT);
  return {
    ...input,
    place,
    isFile: kind === 'file',
    mode: input.mode ?? 'files_with_matches',
    limit: Math.min(input.limit ?? DEFAULT_LIMIT, HARD_LIMIT),
    before: around(input.before),
    after: around(input.after),
    filter: glob?.ok ? glob.value : undefined,
  };
}
