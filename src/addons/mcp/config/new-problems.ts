import type { ConfigProblem } from './server';

/** The words of problems that weren't there before: each is told once, until it is another. */
export function newProblems(
  now: readonly ConfigProblem[],
  before: readonly ConfigProblem[],
): readonly string[] {
  const told = new Set(before.map(wordsOf));
  return now.map(wordsOf).filter((words) => !told.has(words));
}

function wordsOf({ file, line, message }: ConfigProblem): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${message}`;
}
