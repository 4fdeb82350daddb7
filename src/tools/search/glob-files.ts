import { z } from 'zod';
import { t } from '#base/l10n';
import { count } from '#base/text';
import type { RelativePath } from '#protocol/ids';
import { kindWords, locate, statAt, touchesAt } from '#tools/files/place';
import { quotePath, type ResolvedPath, showPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import { countsIgnored, MOST_NAMES, ripgrep, type Scope, scopeArguments } from '#tools/ripgrep';
import type { ToolContext, ToolDefinition, ToolPorts } from '#tools/tool';
import { listReader } from './hits';
import { type PathGlob, pathGlob } from './path-glob';
import { hiddenIn } from './skips';
import { surroundingsOf } from './surroundings';
import { missedWorktrees, worktreeNotes } from './worktrees';

const NAME = 'glob_files';
const DEFAULT_LIMIT = 100;
const HARD_LIMIT = 1000;

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe('"src/**/*.ts", "*.{json,md}"; relative to path'),
  path: z.string().optional().describe('Folder to look in; the workspace when absent'),
  includeIgnored: z.boolean().optional().describe('Also ignored files and build folders'),
  limit: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`Most files; ${DEFAULT_LIMIT} when absent, at most ${HARD_LIMIT}`),
});
type Input = z.infer<typeof inputSchema>;

/** Lists files by name, newest first. */
export const globFiles: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Lists files whose path fits a pattern (* ? ** {a,b} [a-z]), newest first. "**/" means any depth. Skips what search_files skips.',
  risk: 'read',
  capabilities: ['filesystem.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => plan(input, ports)),
  touches: async (input, ports) => touchesAt(await locate(NAME, input.path ?? '.', ports), { kind: 'read' }),
  summarize: ({ pattern, path }) => (path ? t('List {0} in {1}', pattern, path) : t('List {0}', pattern)),
  async execute(input, context) {
    const planned = await plan(input, context);
    const folder = planned.place.relative;
    const limit = Math.min(input.limit ?? DEFAULT_LIMIT, HARD_LIMIT);
    const found = await list(planned, input, limit, context);
    const shown = found.files.map(showPath).join('\n');
    const display = {
      kind: 'search',
      title: input.pattern,
      body: shown,
      hits: found.files.length,
      files: found.files.length,
    } as const;
    const content =
      found.files.length > 0
        ? `${shown}${noteWords(found, limit)}`
        : [found.more ? cutOff(folder) : nothing(input, folder), ...worktreeSentences(found)].join(' ');
    return { version: 1, status: 'success', content, display };
  },
};

interface Plan {
  readonly glob: PathGlob;
  /** A folder that is there. */
  readonly place: ResolvedPath;
}

async function plan(input: Input, ports: ToolPorts): Promise<Plan> {
  const path = input.path ?? '.';
  const place = await locate(NAME, path, ports);
  const kind = (await statAt(place, ports))?.kind;
  if (kind === undefined)
    throw rejected(NAME, `${quotePath(path)} does not exist; look for it from the workspace folder`);
  if (kind !== 'folder')
    throw rejected(
      NAME,
      `${quotePath(path)} is ${kind === 'file' ? 'a file' : kindWords(kind)}; path must be a folder`,
    );
  const glob = pathGlob(input.pattern, place.relative);
  if (!glob.ok) throw rejected(NAME, `pattern ${quotePath(input.pattern)} ${glob.error}`);
  return { glob: glob.value, place };
}

async function list(planned: Plan, input: Input, limit: number, context: ToolContext): Promise<Listed> {
  const files: RelativePath[] = [];
  const { glob } = planned;
  const scope = await scopeOf(planned, input, context);
  if (scope === undefined) return { files, more: false, worktrees: [] };
  let more = false;
  const reader = listReader((path) => {
    if (!glob.matches(path) || scope.unreadable.has(path)) return undefined;
    more = files.length >= limit;
    if (more) return 'stop';
    files.push(path);
    return undefined;
  });
  const args = ['--files', '--sortr=modified', ...scopeArguments(scope)];
  const run = await ripgrep({ tool: NAME, args, maxBytes: MOST_NAMES, onLine: reader.onLine }, context);
  if (!more) reader.end();
  const worktrees = await missedWorktrees(scope.worktrees, countsIgnored(scope), context);
  return { files, more: more || run.stopped, worktrees };
}

/** Begins at the folder before the first wildcard; undefined when that isn't there or leads elsewhere. */
async function scopeOf(
  { glob, place }: Plan,
  input: Input,
  context: ToolContext,
): Promise<Scope | undefined> {
  const start = glob.folder === place.relative ? place.relative : await folderInside(glob.folder, context);
  if (start === undefined) return undefined;
  return {
    start,
    isFile: false,
    includeIgnored: input.includeIgnored === true,
    ...(await surroundingsOf(start, context)),
    // Names of what only asks before it is read are told, names of what is hidden aren't.
    unreadable: { globs: [], has: hiddenIn(context) },
    searchesText: false,
    name: glob.name,
  };
}

async function folderInside(path: string, context: ToolContext): Promise<RelativePath | undefined> {
  const place = await locate(NAME, path, context);
  const stat = await statAt(place, context);
  return stat?.kind === 'folder' && place.link === undefined ? place.relative : undefined;
}

interface Listed {
  readonly files: readonly RelativePath[];
  /** There are more, or the list was cut off. */
  readonly more: boolean;
  /** Linked worktrees that were not looked into. */
  readonly worktrees: readonly RelativePath[];
}

function noteWords(found: Listed, limit: number): string {
  const notes = [...moreWords(found, limit), ...worktreeNotes(found.worktrees)];
  return notes.length === 0 ? '' : `\n\n(${notes.join('; ')})`;
}

function moreWords({ files, more }: Listed, limit: number): string[] {
  if (!more) return [];
  return files.length < limit
    ? ['the list was cut off and may lack some; narrow path']
    : [`the newest ${count(limit, 'file')}, there are more; narrow the pattern or raise limit`];
}

function worktreeSentences({ worktrees }: Listed): string[] {
  return worktreeNotes(worktrees).map((note) => `${note}.`);
}

function cutOff(folder: RelativePath): string {
  return `Nothing was found in ${folder === '.' ? 'the workspace' : showPath(folder)} before the list was cut off; narrow path.`;
}

function nothing(input: Input, folder: RelativePath): string {
  const where = folder === '.' ? 'the workspace' : showPath(folder);
  const deeper = input.pattern.includes('/') ? '' : ` "**/${input.pattern}" looks at any depth.`;
  const skipped = input.includeIgnored
    ? ''
    : ' Ignored files and build folders were left out (includeIgnored adds them).';
  return `No files fit ${JSON.stringify(input.pattern)} in ${where}.${deeper}${skipped}`;
}
