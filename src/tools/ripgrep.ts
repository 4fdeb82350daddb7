import { runProgram } from '#commands/program';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { skippedFolders, type Unreadable } from '#tools/search/skips';
import type { Surroundings } from '#tools/search/surroundings';
import { absolutePath } from './paths';
import { rejected } from './refusal';
import { type ToolContext, ToolFailure } from './tool';

/** Where a search looks, and at what. */
export interface Scope extends Surroundings {
  /** Folder or file to begin with, symlinks resolved. */
  readonly start: RelativePath;
  readonly isFile: boolean;
  /** Also what ignore files and the list of build folders leave out. */
  readonly includeIgnored: boolean;
  readonly unreadable: Unreadable;
  /** What is in the files counts, not just their names. */
  readonly searchesText: boolean;
  /** A file type that ripgrep knows. */
  readonly type?: string | undefined;
  /** Names of files to look at. */
  readonly name?: string | undefined;
}

/** Files larger than this are not searched unless named. */
const LARGEST = '1M';
/** Bytes of output that are read at most. */
const MOST_OUTPUT = 2 * 1024 * 1024;
/** The same where only names are written, of which few may fit: those of half a million files. Each is looked at and let go. */
export const MOST_NAMES = 64 * 1024 * 1024;
const TIME_LIMIT_MS = 60_000;

/** How a ripgrep run ended. */
export interface Searched {
  /** There may be more: it was stopped, or it wrote too much. */
  readonly stopped: boolean;
  /** It wrote too much, such as a line of many megabytes. */
  readonly tooMuch: boolean;
}

export interface RipgrepRun {
  readonly tool: string;
  readonly args: readonly string[];
  /** Most bytes of output that are read, where that isn't the usual. */
  readonly maxBytes?: number;
  /** Searched instead of files: the text of an editor. */
  readonly input?: string;
  /** Each line of output without its line feed; `stop` ends the run. */
  onLine(line: string): 'stop' | undefined;
}

/**
 * Arguments that say where to look. A name filter goes by a file type of our own: unlike `--glob` it doesn't overrule
 * ignore files. What stands in the pattern or path can never act as a flag.
 */
export function scopeArguments(scope: Scope): string[] {
  const start = scope.start === '.' ? '.' : `./${scope.start}`;
  const args = [
    '--no-config',
    '--hidden',
    '--no-ignore-global',
    '--no-messages',
    '--color=never',
    '--path-separator=/',
  ];
  if (countsIgnored(scope)) args.push('--no-ignore');
  // Without git's demand ripgrep knows no border of a repository either.
  if (!scope.inRepository) args.push('--no-require-git');
  // Ripgrep would climb to the root, and ask what it found there of each path.
  if (!scope.ignoresFromAbove) args.push('--no-ignore-parent');
  if (!scope.isFile) {
    if (scope.searchesText) args.push(`--max-filesize=${LARGEST}`);
    const skipped = [
      ...skippedFolders(scope.includeIgnored),
      ...scope.unreadable.globs,
      ...scope.worktrees.map(folderGlob),
    ];
    args.push(...skipped.map((glob) => `--glob=!${glob}`));
    // Types are joined by "or": of two filters the caller judges the name itself.
    if (scope.type !== undefined) args.push(`--type=${scope.type}`);
    else if (scope.name !== undefined) args.push(`--type-add=belay:${scope.name}`, '--type=belay');
  }
  return [...args, '--', start];
}

/** Whether the search looks at what ignore files leave out, too. */
export function countsIgnored({ includeIgnored, insideIgnored }: Scope): boolean {
  return includeIgnored || insideIgnored;
}

/** Means that very folder, whatever stands in its name. */
function folderGlob(path: RelativePath): string {
  return `/${path.replace(/[\\*?[\]{}!]/g, '\\$&')}/`;
}

/** The workspace-relative path of a file that ripgrep named. */
export function pathOf(name: string): RelativePath {
  return (name.startsWith('./') ? name.slice(2) : name) as RelativePath;
}

/** Runs ripgrep in the workspace folder. A wrong pattern is a failure with ripgrep's own reason; no hit is not. */
export async function ripgrep(run: RipgrepRun, context: ToolContext): Promise<Searched> {
  const timeout = AbortSignal.timeout(TIME_LIMIT_MS);
  let isEnough = false;
  const ended = await runProgram({
    file: context.environment.ripgrep,
    args: run.args,
    cwd: absolutePath(context.workspace, '.') as AbsolutePath,
    env: {},
    signal: AbortSignal.any([context.signal, timeout]),
    maxBytes: run.maxBytes ?? MOST_OUTPUT,
    ...(run.input === undefined ? {} : { input: run.input }),
    onLine(line) {
      const verdict = run.onLine(line);
      if (verdict === 'stop') isEnough = true;
      return verdict;
    },
  }).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw new ToolFailure(
      `${run.tool}: the search program that belongs to Belay can't be started (${startProblem(error)}); tell the user to install Belay anew`,
    );
  });
  context.signal.throwIfAborted();
  if (ended.stopped || timeout.aborted) return { stopped: true, tooMuch: !isEnough && !timeout.aborted };
  const reason = ended.stderr.trim();
  // With 2 and no words some file could not be read; the rest was searched.
  if (ended.exitCode === 0 || ended.exitCode === 1 || (ended.exitCode === 2 && reason === ''))
    return { stopped: false, tooMuch: false };
  if (ended.exitCode === 2) {
    const hint = reason.includes('regex') ? '\nSet literal to find the pattern as plain text.' : '';
    throw rejected(run.tool, `ripgrep says: ${withoutFlags(reason)}${hint}`);
  }
  throw new ToolFailure(
    `${run.tool}: the search program failed (${reason || `exit code ${ended.exitCode}`}); tell the user`,
  );
}

/** Why it didn't begin, without the path that stands in the system's words. */
function startProblem(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason was given';
}

/** Its advice to use other flags is of no use to who can't set them. */
function withoutFlags(reason: string): string {
  return reason.replace(/^rg: /, '').replace(/\n\s*\nConsider enabling [\s\S]*$/, '');
}
