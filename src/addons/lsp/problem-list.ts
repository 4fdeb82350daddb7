import { t } from '#base/l10n';
import { count, oneLine } from '#base/text';
import { type FileProblems, type Problem, SEVERITIES, type Severity } from '#host/language/problems';
import type { ToolResult } from '#protocol/tool-result';
import { type ResolvedPath, showPath } from '#tools/paths';
import type { ToolContext } from '#tools/tool';
import { searchDisplay } from './place-list';
import { Sources } from './sources';

/** What was found, and what that means. */
export interface Listed {
  readonly files: readonly FileProblems[];
  /** Sentences: what was looked at. */
  readonly notes: readonly string[];
  /** False: that nothing was found says nothing. */
  readonly isKnown: boolean;
}

/** A file with problems that may be told of. */
export interface NamedFile {
  readonly shown: string;
  readonly file: FileProblems;
}

const MOST = 100;
const MOST_OF_FILE = 30;
const LONGEST = 300;
const LONGEST_SOURCE = 60;

/** Leaves out files outside of the scope and those that are kept from the agent: a message quotes its file. */
export async function listProblems(
  files: readonly FileProblems[],
  context: ToolContext,
  { relative }: Pick<ResolvedPath, 'relative'>,
): Promise<readonly NamedFile[]> {
  const sources = new Sources(context);
  const named: NamedFile[] = [];
  for (const file of files) {
    const inside = await sources.inside(file.path);
    if (inside.kind !== 'inside') continue;
    const { path } = inside;
    if (relative === '.' || path === relative || path.startsWith(`${relative}/`))
      named.push({ shown: showPath(path), file });
  }
  return named.toSorted((a, b) => (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0));
}

/** The list as a result: bounded, errors first in each file. */
export async function problemResult(
  { files, notes, isKnown }: Listed,
  { place, severity }: { readonly place: ResolvedPath; readonly severity: Severity },
  context: ToolContext,
): Promise<ToolResult> {
  const wanted = SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1);
  const named = (await listProblems(files, context, place)).map(({ shown, file }) => ({
    shown,
    problems: file.problems.filter((problem) => wanted.includes(problem.severity)).toSorted(byWeight),
  }));
  const grave = named.filter(({ problems }) => problems.length > 0);
  const all = grave.flatMap(({ problems }) => problems);
  const lines: string[] = [];
  let told = 0;
  for (const { shown, problems } of grave) {
    if (told >= MOST) break;
    const some = problems.slice(0, Math.min(MOST_OF_FILE, MOST - told));
    told += some.length;
    lines.push(shown, ...some.map(lineOf));
    if (some.length < problems.length) lines.push(`  … and ${problems.length - some.length} more here`);
  }
  if (told < all.length && grave.length > 1) lines.push(`… ${all.length - told} of ${all.length} left out`);
  const none = isKnown ? [`No problems (${wanted.join(', ')}).`] : [];
  const head = all.length === 0 ? none : [headOf(all, grave.length)];
  const title = place.relative === '.' ? t('the problems') : t('the problems of {0}', place.relative);
  return {
    version: 1,
    status: 'success',
    content: [...head, ...lines, ...notes].join('\n'),
    display: {
      ...searchDisplay(title, lines, grave.length),
      kind: 'search',
      body: [...head, ...lines, ...notes].join('\n'),
      hits: all.length,
      files: grave.length,
    },
  };
}

function headOf(problems: readonly Problem[], files: number): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const n = problems.filter((problem) => problem.severity === severity).length;
    return n === 0 ? [] : [count(n, severity, severity === 'information' ? severity : `${severity}s`)];
  });
  return `${counts.join(', ')} in ${count(files, 'file')}:`;
}

function lineOf({ severity, line, column, message, source }: Problem): string {
  const by = oneLine(source, LONGEST_SOURCE);
  return `  ${line}:${column} ${severity}: ${oneLine(message, LONGEST)}${by === '' ? '' : ` (${by})`}`;
}

function byWeight(a: Problem, b: Problem): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.line - b.line || a.column - b.column
  );
}
