import type { PrintedFiles, TableWord } from './command-class';
import type { Words } from './flags';

const PATCH =
  /^(-[puULWc]|--patch.*|--unified|--function-context|--cc|--binary|--check|--word-diff.*|--color-words)$/;
const SUMMARY =
  /^(-s|--no-patch|--stat|--numstat|--shortstat|--summary|--name-only|--name-status|--compact-summary|--raw|--quiet)$/;
const NAMES = /^(-[lLcq]|--files-with(out)?-match(es)?|--name-only|--count|--quiet)$/;

/** Whether a subcommand that only reads shows what is in files that it doesn't name one by one; undefined where it doesn't. */
export function printedFiles(name: string, words: Words): PrintedFiles | undefined {
  if (!shows(name, words)) return undefined;
  const { behind = [] } = words;
  return behind.length > 0 && behind.every(isPlain) ? { under: behind.map(({ text }) => text) } : {};
}

/** git has stars and magic of its own, which reach further than the name. */
function isPlain({ text, kind }: TableWord): boolean {
  return kind === 'literal' && !/^:|[*?[\\]/.test(text);
}

function shows(name: string, { given, operands }: Words): boolean {
  const has = (which: RegExp) => [...given].some((flag) => which.test(flag));
  switch (name) {
    case 'diff':
      return has(PATCH) || !has(SUMMARY);
    case 'show':
      return (has(PATCH) || !has(SUMMARY)) && !areFiles(operands);
    case 'grep':
      return !has(NAMES);
    case 'cat-file':
      return !has(/^-[tse]$/) && !areFiles(operands);
    case 'status':
      return has(/^(-v|--verbose)$/);
    case 'log':
    case 'stash':
    case 'reflog':
    case 'whatchanged':
    case 'diff-tree':
      return has(PATCH);
    default:
      return false;
  }
}

/**
 * `HEAD:src/a.ts` prints that file, whose name is looked at as any other. The colon of a time or a message in braces, or of
 * `:/message` and `:!path`, names none.
 */
function areFiles(operands: readonly TableWord[]): boolean {
  return operands.length > 0 && operands.every(({ text }) => /^([^:{}]+:[^:/]|:[\w.])/.test(text));
}
