import type { PrintedFiles, TableWord } from './command-class';

/** Single letters also among others. */
const PATCH =
  /^(-[a-zA-Z]*[puULWc].*|--patch.*|--unified.*|--function-context|--cc|--binary|--word-diff.*|--color-words.*)$/;
const SUMMARY =
  /^(-s|--no-patch|--stat.*|--numstat|--shortstat|--summary|--dirstat|--name-only|--name-status|--compact-summary|--raw|--quiet)$/;
const NAMES = /^(-[lLcq]|--files-with(out)?-match(es)?|--name-only|--count|--quiet)$/;

/** Whether a subcommand that only reads shows what is in files that it doesn't name one by one; undefined where it doesn't. */
export function printedFiles(name: string, args: readonly TableWord[]): PrintedFiles | undefined {
  if (!shows(name, args)) return undefined;
  const end = args.findIndex(({ text }) => text === '--');
  const named = end < 0 ? [] : args.slice(end + 1);
  const isPlain = named.every(({ text, kind }) => kind === 'literal' && !text.startsWith(':'));
  return named.length > 0 && isPlain ? { under: named.map(({ text }) => text) } : {};
}

function shows(name: string, args: readonly TableWord[]): boolean {
  const has = (which: RegExp) => args.some(({ text }) => which.test(text));
  switch (name) {
    case 'diff':
    case 'show':
      return (has(PATCH) || !has(SUMMARY)) && !onlyOfFiles(args);
    case 'grep':
      return !has(NAMES);
    case 'cat-file':
      return has(/^-p$/) && !onlyOfFiles(args);
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

/** `HEAD:src/a.ts` prints that file, whose name is looked at as any other. */
function onlyOfFiles(args: readonly TableWord[]): boolean {
  const operands = args.filter(({ text }) => !text.startsWith('-'));
  return operands.length > 0 && operands.every(({ text }) => /^[^:]*:[^:]/.test(text));
}
