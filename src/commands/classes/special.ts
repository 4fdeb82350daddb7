import { executes, type Judge, type NotReads, type Reads, type TableWord, writes } from './command-class';
import { pathOf, readByFlags } from './flags';
import { awk, jq, sed } from './scripted';

// Commands whose words are a small language of their own. What isn't recognized here isn't known to only read.

const NOTHING: Reads = { paths: [] };

/** bash's echo takes everything but -n, -e, -E as text. */
const echo: Judge = (args) => {
  const odd = args.find(({ kind }) => kind === 'unknown');
  if (odd) return executes(`${odd.text} is only known when it runs`);
  return { paths: args.filter(({ kind }) => kind === 'glob').map((word) => pathOf(word)) };
};

/** `cd -` leads where only the shell knows. */
const cd: Judge = (args) => {
  const [target, ...more] = args[0]?.text === '--' ? args.slice(1) : args;
  if (target?.kind !== 'literal' || more.length > 0 || target.text.startsWith('-'))
    return executes('it goes where only the shell knows');
  return { paths: [pathOf(target)], moves: true };
};

/** No -v and no arithmetic: the subscript of a variable is evaluated as a script. */
const TESTS = /^(-[abcdefghknoprstuwxzLNOSG]|=|==|!=|<|>|!|\(|\)|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;
const FILE_TESTS = /^-[abcdefghkprsuwxLNOSG]$/;

const test: Judge = (args) => {
  const odd = args.find(
    ({ text, kind }) =>
      (kind !== 'literal' && kind !== 'status') ||
      (/^-./.test(text) && !/^-\d+$/.test(text) && !TESTS.test(text)),
  );
  if (odd) return executes(`${odd.text} may be evaluated by the test`);
  const paths = args.filter((_, at) => FILE_TESTS.test(args[at - 1]?.text ?? ''));
  return { paths: paths.map((word) => pathOf(word)) };
};

const bracket: Judge = (args) =>
  args.at(-1)?.text === ']' ? test(args.slice(0, -1)) : executes('its closing bracket is missing');

/** `set -euo pipefail` and its parts; anything else may rename what the line means. */
const set: Judge = (args) =>
  args.length > 0 && args.every(({ text }, at) => /^-[eux]*o?$/.test(text) || isOption(args, at))
    ? NOTHING
    : executes('it changes how the shell reads the line');

function isOption(args: readonly TableWord[], at: number): boolean {
  return (
    /^-[eux]*o$/.test(args[at - 1]?.text ?? '') && /^(pipefail|errexit|nounset)$/.test(args[at]?.text ?? '')
  );
}

const command: Judge = (args) =>
  /^-[vV]$/.test(args[0]?.text ?? '')
    ? readByFlags({ flags: '-v -V', operands: 'text' }, args)
    : executes('it runs another command');

/** Its tests and what each takes; actions that only print. */
const FIND = new Map<string, number>([
  ...names(
    0,
    '( ) ! -not -a -and -o -or , -print -print0 -ls -prune -quit -empty -readable -writable -executable -true -false -depth -xdev -mount -daystart -nouser -nogroup -noleaf',
  ),
  ...names(
    1,
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newermt -perm -user -group -uid -gid -links -inum -printf',
  ),
]);
const FIND_PATHS = /^-(newer|anewer|cnewer|samefile)$/;

function names(values: number, text: string): readonly (readonly [string, number])[] {
  return text.split(' ').map((name) => [name, values] as const);
}

const find: Judge = (args) => {
  const start = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = start < 0 ? args : args.slice(0, start);
  const odd = roots.find(({ kind }) => kind !== 'literal' && kind !== 'glob');
  if (odd) return executes(`${odd.text} is only known when it runs`);
  const paths = [...roots];
  for (let at = roots.length; at < args.length; at++) {
    const word = args[at];
    const values = FIND.get(word?.text ?? '') ?? (FIND_PATHS.test(word?.text ?? '') ? 1 : undefined);
    if (word?.kind !== 'literal' || values === undefined) return findAction(word?.text ?? '');
    const value = args[at + 1];
    // A star unquoted behind -name becomes names of files, and these would be read as tests and actions.
    if (values === 1 && value?.kind !== 'literal') return executes(`${value?.text ?? ''} isn't quoted`);
    if (FIND_PATHS.test(word.text) && value) paths.push(value);
    at += values;
  }
  return { paths: paths.map((word) => pathOf(word)) };
};

function findAction(text: string): NotReads {
  if (text === '-delete') return writes('-delete removes what it finds');
  if (/^-f(print0?|printf|ls)$/.test(text)) return writes(`${text} writes a file`);
  if (/^-(exec|ok)(dir)?$/.test(text)) return executes(`${text} runs a program`);
  return executes(`${text} is not one of the tests that are known to only read`);
}

/** -v would set a variable, whose subscript is evaluated; `%n` sets the variable that the next word names, PATH for one. */
const printf: Judge = (args) => {
  const setting = args.find(({ text }) => /%[^%a-zA-Z]*[hjlqtzL]*n/.test(text.replaceAll('%%', '')));
  return setting
    ? executes(`${setting.text} sets a variable`)
    : readByFlags({ flags: '', operands: 'text' }, args);
};

/** Letters without a dash are flags too, and among them `e` shows what other processes keep in their environment. */
const ps: Judge = (args) => {
  const shows = args.find(
    ({ text }, at) =>
      /environ/i.test(text) || (/^[a-z]*e[a-z]*$/i.test(text) && !/^-[opuC]$/.test(args[at - 1]?.text ?? '')),
  );
  return shows
    ? executes(`${shows.text} may show the environment of other processes`)
    : readByFlags({ flags: '-e -f -A -a -x -l -o: -p: -u: -C:', operands: 'text' }, args);
};

/** `@FILE` makes arguments of what is in the file. */
const strings: Judge = (args) => {
  const odd = args.find(({ text, kind }) => /^@/.test(text) || (kind === 'glob' && /^[*?[]/.test(text)));
  return odd
    ? executes(`${odd.text} may bring arguments that aren't on the line`)
    : readByFlags({ flags: '-n: -a -t: -#', operands: 'paths' }, args);
};

/**
 * By which words alone they say their version or how they are called, whatever lies in the project: no yarn, cargo, pnpm or go, which
 * first look there for the program that they are to be. `python -v` and `bash -v` would go on and run what they are fed.
 */
const TALKS: Readonly<Record<string, string>> = {
  node: '-v --version -h --help',
  'npm npx': '-v --version',
  'python python3': '-V --version -h --help',
  'gcc g++ clang': '--version --help',
  ruby: '-v --version',
  'perl php': '-v --version',
  'make cmake': '-v --version --help',
  bash: '--version --help',
  'java javac': '-version --version',
  deno: '-V --version',
  'docker podman': '-v --version',
  'curl wget tar rsync': '--version',
};

const VERSIONED = new Map(
  Object.entries(TALKS).flatMap(([heads, flags]) =>
    heads.split(' ').map((name) => [name, new Set(flags.split(' '))] as const),
  ),
);

/** Whether all it is asked is its version, or how it is called. */
export function onlyTalks(name: string, args: readonly TableWord[]): boolean {
  const [only] = args;
  if (args.length !== 1 || only?.kind !== 'literal') return false;
  return VERSIONED.get(name)?.has(only.text) ?? false;
}

/** Commands that need more than a line of flags. */
export const SPECIAL: Readonly<Record<string, Judge>> = {
  echo,
  cd,
  test,
  '[': bracket,
  set,
  command,
  find,
  gfind: find,
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  jq,
  printf,
  ps,
  strings,
};
