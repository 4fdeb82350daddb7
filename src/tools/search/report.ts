import { t } from '#base/l10n';
import { count } from '#base/text';
import { CONTENT_LIMIT, type Display } from '#protocol/tool-result';
import { showPath } from '#tools/paths';
import type { FileHits } from './hits';
import type { Found, SearchRequest } from './run';
import { worktreeNotes } from './worktrees';

/** What the model reads of a search. */
export function searchWords(request: SearchRequest, found: Found): string {
  if (found.files.length === 0) return nothingFound(request, found);
  const { text, cut } = bounded(
    found.files.map((file) => fileWords(request, file)),
    separator(request),
  );
  const notes = [
    ...moreWords(request, found, cut),
    ...unsavedWords(found),
    ...unseenWords(found),
    ...worktreeNotes(found.worktrees),
  ];
  return notes.length === 0 ? text : `${text}\n\n(${notes.join('; ')})`;
}

/** What people see of it. */
export function searchDisplay(request: SearchRequest, found: Found): Display {
  const hits = found.files.reduce((sum, file) => sum + file.count, 0);
  const { text } = bounded(
    found.files.map((file) => fileWords(request, file)),
    separator(request),
  );
  return {
    kind: 'search',
    title: JSON.stringify(request.pattern),
    fields: request.place.relative === '.' ? [] : [{ key: t('in'), value: request.place.relative }],
    body: text,
    hits,
    files: found.files.length,
  };
}

function fileWords({ mode }: SearchRequest, file: FileHits): string {
  const path = showPath(file.path);
  if (mode === 'files_with_matches') return path;
  if (mode === 'count') return `${path}: ${file.count}`;
  const lines: string[] = [path];
  let last: number | undefined;
  for (const line of file.lines) {
    if (last !== undefined && line.number > last + 1) lines.push('  --');
    lines.push(`  ${line.number}${line.isMatch ? ':' : '-'} ${line.text}`);
    last = line.number;
  }
  return lines.join('\n');
}

function separator({ mode }: SearchRequest): string {
  return mode === 'content' ? '\n\n' : '\n';
}

/** Whole files until 50 KB are full; of the first at least its beginning. */
function bounded(files: readonly string[], between: string): { readonly text: string; readonly cut: number } {
  const room = CONTENT_LIMIT - 1000;
  const kept: string[] = [];
  let bytes = 0;
  for (const file of files) {
    bytes += Buffer.byteLength(file) + between.length;
    if (bytes > room) break;
    kept.push(file);
  }
  const [first] = files;
  if (kept.length === 0 && first !== undefined) kept.push(`${first.slice(0, room / 4).toWellFormed()}…`);
  return { text: kept.join(between), cut: files.length - kept.length };
}

function moreWords({ mode, limit }: SearchRequest, found: Found, cut: number): string[] {
  if (cut > 0) return [`${count(cut, 'more file')} left out because the answer was full; narrow the search`];
  if (!found.more) return [];
  const shown = found.files.reduce((sum, file) => sum + (mode === 'content' ? file.count : 1), 0);
  if (shown < limit) return ['the search was cut off before its end; narrow it for the rest'];
  const what = mode === 'content' ? count(limit, 'match', 'matches') : count(limit, 'file');
  return [`the first ${what}, there are more; narrow the search or raise limit`];
}

function unsavedWords({ unsaved }: Found): string[] {
  return unsaved.length === 0
    ? []
    : [`with unsaved editor text of ${unsaved.slice(0, 5).map(showPath).join(', ')}`];
}

function unseenWords({ unseen }: Found): string[] {
  return unseen === undefined ? [] : [unseen];
}

function nothingFound(request: SearchRequest, found: Found): string {
  const where = request.place.relative === '.' ? 'the workspace' : showPath(request.place.relative);
  if (found.more) return `search_files: nothing found in ${where} before the search was cut off; narrow it`;
  const words = [`No matches for ${JSON.stringify(request.pattern)} in ${where}.`];
  if (found.literalFiles > 0) {
    const files =
      found.literalFiles >= 10
        ? '10 or more files hold'
        : `${count(found.literalFiles, 'file')} ${found.literalFiles === 1 ? 'holds' : 'hold'}`;
    words.push(`${files} it as plain text: set literal to find it.`);
  }
  if (!request.isFile && !request.includeIgnored)
    words.push(
      'Ignored files, build folders, binary files, files over 1 MB and likely secrets were not searched (includeIgnored adds the first two).',
    );
  if (found.unseen !== undefined) words.push(`Also, ${found.unseen}.`);
  words.push(...worktreeNotes(found.worktrees).map((note) => `${note}.`));
  return words.join(' ');
}
