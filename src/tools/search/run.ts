import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { absolutePath, lexicalPath, type ResolvedPath } from '#tools/paths';
import { countsIgnored, MOST_NAMES, ripgrep, type Scope, scopeArguments } from '#tools/ripgrep';
import type { ToolContext } from '#tools/tool';
import { type SearchEncoding, searchEncoding } from './encoding';
import { countReader, type FileHits, jsonReader, listReader } from './hits';
import { MATCHES_ALONE, matchesReader } from './long-lines';
import type { PathGlob } from './path-glob';
import { looksLiteral, type PatternOptions, patternArguments } from './pattern';
import { unreadable } from './skips';
import { type Surroundings, surroundingsOf } from './surroundings';
import { missedWorktrees } from './worktrees';

/** A search as the tool understood it. */
export interface SearchRequest extends PatternOptions {
  readonly place: ResolvedPath;
  readonly isFile: boolean;
  readonly mode: 'files_with_matches' | 'content' | 'count';
  readonly limit: number;
  readonly before: number;
  readonly after: number;
  readonly type?: string | undefined;
  readonly filter: PathGlob | undefined;
  readonly includeIgnored?: boolean | undefined;
}

export interface Found {
  /** By path. In content mode at most `limit` matching lines in all, else at most `limit` files. */
  readonly files: readonly FileHits[];
  /** There is more than was asked for. */
  readonly more: boolean;
  /** Files whose unsaved text was searched instead of what is on disk. */
  readonly unsaved: readonly RelativePath[];
  /** What of the files could not be seen for their encoding. */
  readonly unseen?: string;
  /** Linked worktrees that were not searched. */
  readonly worktrees: readonly RelativePath[];
  /** No hit, but so many files hold the pattern as plain text. */
  readonly literalFiles: number;
}

/** A file that is named is searched, whatever is said of it. */
const NOTHING_AROUND: Surroundings = {
  insideIgnored: false,
  ignoresFromAbove: false,
  inRepository: false,
  worktrees: [],
};

/** Searches disk and editors alike, and stops as soon as it has enough. */
export async function runSearch(tool: string, request: SearchRequest, context: ToolContext): Promise<Found> {
  const scope: Scope = {
    start: request.place.relative,
    isFile: request.isFile,
    includeIgnored: request.includeIgnored === true,
    ...(request.isFile ? NOTHING_AROUND : await surroundingsOf(request.place.relative, context)),
    unreadable: unreadable(context),
    searchesText: true,
    type: request.type,
    name: request.filter?.name,
  };
  const encoding = searchEncoding(context.encodings.setFor(request.place.absolute).encoding);
  const search: Search = { tool, request, scope, encoding, context };
  const unsaved = await unsavedFiles(search);
  const collected = new Collector(request);
  for (const path of unsaved) await searchText(search, path, collected);
  const found = await searchDisk(search, new Set(unsaved), collected);
  const isOnlyLong = found.tooMuch && collected.files().length === 0;
  const { stopped } = isOnlyLong ? await searchLongLines(search, new Set(unsaved), collected) : found;
  const files = collected.files();
  const literal = files.length === 0 && !stopped && looksLiteral(request);
  return {
    files,
    more: collected.isFull || stopped,
    unsaved,
    ...(encoding.note === undefined ? {} : { unseen: encoding.note }),
    worktrees: await missedWorktrees(scope.worktrees, countsIgnored(scope), context),
    literalFiles: literal ? await countLiteral(search) : 0,
  };
}

interface Search {
  readonly tool: string;
  readonly request: SearchRequest;
  readonly scope: Scope;
  readonly encoding: SearchEncoding;
  readonly context: ToolContext;
}

/** Keeps what was found up to the limit. */
class Collector {
  readonly #request: SearchRequest;
  readonly #files: FileHits[] = [];
  #results = 0;
  isFull = false;

  constructor(request: SearchRequest) {
    this.#request = request;
  }

  take(file: FileHits): 'stop' | undefined {
    const room = this.#request.limit - this.#results;
    if (room <= 0) {
      this.isFull = true;
      return 'stop';
    }
    if (this.#request.mode !== 'content') {
      this.#results++;
      this.#files.push(file);
      return undefined;
    }
    const kept = firstMatches(file, room);
    this.#results += kept.count;
    this.#files.push(kept);
    if (kept.count === file.count) return undefined;
    this.isFull = true;
    return 'stop';
  }

  files(): readonly FileHits[] {
    return this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }
}

function firstMatches(file: FileHits, room: number): FileHits {
  if (file.count <= room) return file;
  let matches = 0;
  const end = file.lines.findIndex((line) => line.isMatch && ++matches > room);
  return { ...file, count: room, lines: file.lines.slice(0, end) };
}

async function searchDisk(search: Search, unsaved: ReadonlySet<RelativePath>, collected: Collector) {
  const { request, scope, encoding, tool, context } = search;
  const reader = readerFor(request, (file) =>
    unsaved.has(file.path) || !isWanted(search, file.path) ? undefined : collected.take(file),
  );
  const how = [...outputArguments(request), ...encoding.args, ...patternArguments(request)];
  const args = [...how, ...scopeArguments(scope)];
  // Of a filter that ripgrep can't apply itself, names that don't fit are read, too.
  const maxBytes = request.mode !== 'content' && request.filter ? { maxBytes: MOST_NAMES } : {};
  return ripgrep({ tool, args, onLine: reader, ...maxBytes }, context);
}

function isWanted({ request: { isFile, filter }, scope }: Search, path: RelativePath): boolean {
  return isFile || (!scope.unreadable.has(path) && (filter === undefined || filter.matches(path)));
}

/** What was found stands in lines that are too long to be read: the matches alone tell where. */
async function searchLongLines(search: Search, unsaved: ReadonlySet<RelativePath>, collected: Collector) {
  const { request, scope, encoding, tool, context } = search;
  const reader = matchesReader(request.limit + 1);
  const args = [...MATCHES_ALONE, ...encoding.args, ...patternArguments(request), ...scopeArguments(scope)];
  const ended = await ripgrep({ tool, args, onLine: reader.onLine }, context);
  for (const file of reader.files())
    if (!unsaved.has(file.path) && isWanted(search, file.path)) collected.take(file);
  return ended;
}

async function searchText(search: Search, path: RelativePath, collected: Collector): Promise<void> {
  const { request, tool, context } = search;
  const input = context.documents.dirtyText(absolutePath(context.workspace, path));
  if (input === undefined) return;
  const args = [...outputArguments(request), ...patternArguments(request), '--no-config', '--', '-'];
  const onLine = readerFor(request, (file) => collected.take({ ...file, path }));
  await ripgrep({ tool, args, input, onLine }, context);
}

function outputArguments({ mode, limit, before, after }: SearchRequest): string[] {
  if (mode === 'content') {
    return ['--json', `--max-count=${limit + 1}`, `--before-context=${before}`, `--after-context=${after}`];
  }
  const first = mode === 'files_with_matches' ? ['--max-count=1'] : [];
  return ['--count', '--null', '--with-filename', ...first];
}

function readerFor(request: SearchRequest, take: (file: FileHits) => 'stop' | undefined) {
  return request.mode === 'content' ? jsonReader(take) : countReader(take);
}

/**
 * Open files with unsaved changes that this search would look at. Ripgrep itself says which: so reading, listing and
 * searching can't disagree about what is ignored.
 */
async function unsavedFiles(search: Search): Promise<readonly RelativePath[]> {
  const { request, scope, tool, context } = search;
  const inside = context.documents.dirtyPaths().flatMap((path) => relativeTo(context, path));
  if (request.isFile) return inside.filter((path) => path === scope.start);
  const start = scope.start === '.' ? '' : `${scope.start}/`;
  const candidates = new Set(
    inside.filter(
      (path) =>
        path.startsWith(start) && !scope.unreadable.has(path) && (request.filter?.matches(path) ?? true),
    ),
  );
  const found: RelativePath[] = [];
  if (candidates.size === 0) return found;
  const { onLine, end } = listReader((path) => {
    if (candidates.delete(path)) found.push(path);
    return candidates.size === 0 ? 'stop' : undefined;
  });
  await ripgrep({ tool, args: ['--files', ...scopeArguments(scope)], maxBytes: MOST_NAMES, onLine }, context);
  end();
  return found;
}

function relativeTo(context: ToolContext, path: AbsolutePath): RelativePath[] {
  const relative = lexicalPath(path, context.workspace.root);
  return relative.ok ? [relative.value] : [];
}

/** How many files hold the pattern as plain text; counted up to ten. */
async function countLiteral({ request, scope, encoding, tool, context }: Search): Promise<number> {
  let files = 0;
  const args = ['--count', '--null', '--with-filename', '--max-count=1', ...encoding.args];
  const pattern = patternArguments({ ...request, literal: true, multiline: undefined });
  const onLine = countReader((file) => {
    if (!scope.unreadable.has(file.path) && (request.filter?.matches(file.path) ?? true)) files++;
    return files >= 10 ? 'stop' : undefined;
  });
  await ripgrep({ tool, args: [...args, ...pattern, ...scopeArguments(scope)], onLine }, context);
  return files;
}
