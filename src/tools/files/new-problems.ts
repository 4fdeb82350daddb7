import type { Result } from '#base/result';
import { count, oneLine } from '#base/text';
import type { FileProblem } from '#host';
import type { NewProblems, Problem, ProblemWatch } from '#host/language/problems';
import type { AbsolutePath } from '#protocol/ids';
import type { ToolContext, Written } from '#tools/tool';
import { changedSince, type Put, settle } from './settle';

/** Problems that are told; one wrong line may bring hundreds. */
const TOLD = 20;
const LONGEST = 300;
const LONGEST_SOURCE = 60;

/** Carries out a write, settles it, and tells which problems language servers find that weren't there before. */
export async function settleWithProblems(
  tool: string,
  put: Put,
  write: () => Promise<Result<Written, FileProblem>>,
  context: ToolContext,
): Promise<readonly string[]> {
  const { signal, settings } = context;
  const limit = settings.problemsWaitMs;
  if (limit === 0) return settle(tool, put, write(), context);
  const watch = await beginWatch(put.place.absolute, context);
  try {
    const notes = await settle(tool, put, write(), context);
    if (signal.aborted) return notes;
    const problems = await found(watch, put.text, limit);
    // Where nobody was waited for, nothing can have come between.
    const since = problems.kind === 'unserved' ? [] : await changedSince(put, context);
    return [...notes, ...since, ...wordsOf(problems)];
  } finally {
    watch.dispose();
  }
}

/** Begins to watch a file's problems. A look that fails keeps no file from being changed: nobody knows then. */
export async function beginWatch(
  path: AbsolutePath,
  { intelligence, signal, turnId }: Pick<ToolContext, 'intelligence' | 'signal' | 'turnId'>,
): Promise<ProblemWatch> {
  try {
    return await intelligence.watchProblems(path, signal, turnId);
  } catch {
    return { since: async () => ({ kind: 'unknown' }), dispose: () => undefined };
  }
}

/** The write has landed: a server that fails must not make it look as if it hadn't. */
async function found(watch: ProblemWatch, text: string, limitMs: number): Promise<NewProblems> {
  try {
    return await watch.since(text, limitMs);
  } catch {
    return { kind: 'unknown' };
  }
}

function wordsOf(answer: NewProblems): readonly string[] {
  switch (answer.kind) {
    case 'unserved':
      return [];
    case 'quiet':
      return ['No new problems were reported so far.'];
    case 'unknown':
      return ['Whether it has new problems is not known.'];
    case 'known':
      return answer.problems.length === 0 ? ['No new problems.'] : listOf(answer.problems);
  }
}

function listOf(problems: readonly Problem[]): readonly string[] {
  const left = problems.length - TOLD;
  return [
    `${count(problems.length, 'new problem')}:`,
    ...problems.slice(0, TOLD).map(lineOf),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ];
}

function lineOf({ severity, line, message, source }: Problem): string {
  const by = oneLine(source, LONGEST_SOURCE);
  return `  line ${line}: ${severity}: ${oneLine(message, LONGEST)}${by === '' ? '' : ` (${by})`}`;
}
