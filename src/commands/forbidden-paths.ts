import { isKnown } from './expansion';
import { type Ground, systemWrite, wholesale } from './forbidden-targets';
import { hasOption, isOption, optionValues } from './long-options';

/** The operands of one program: what it takes away as a whole, and what it writes. */
interface Effects {
  readonly takes: readonly string[];
  readonly writes: readonly string[];
}

const NONE: Effects = { takes: [], writes: [] };

/**
 * Why these words may never run because of where they write or what they take away; undefined when nothing is
 * against it. The head is a bare name; words may hold the marks of expansion.ts.
 */
export function forbiddenPaths(
  words: readonly string[],
  cwd: string | undefined,
  ground: Ground,
): string | undefined {
  const [name = '', ...args] = words;
  const { takes, writes } = effects(name, args);
  return (
    first(takes, (target) => wholesale(target, cwd, ground)) ??
    first(writes, (target) => systemWrite(target, cwd, ground))
  );
}

const TAKE_AWAY = new Set('rm grm srm trash chmod chown chgrp chattr setfacl'.split(' '));
const WRITE_OPERANDS = new Set('tee touch mkdir rmdir unlink truncate shred mkfifo mknod'.split(' '));
const COPY = new Set('cp gcp install ln'.split(' '));
const EDIT_IN_PLACE = new Set('sed gsed perl ruby'.split(' '));
/** The options by which others name the file that they write. */
const OUTPUT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  sort: ['-o', '--output'],
  curl: ['-o', '--output', '--output-dir'],
  wget: ['-O', '--output-document', '-P', '--directory-prefix'],
  unzip: ['-d'],
};

function effects(name: string, args: readonly string[]): Effects {
  const operands = withoutOptions(args);
  if (TAKE_AWAY.has(name)) return { takes: isRecursive(args) ? operands : [], writes: operands };
  if (WRITE_OPERANDS.has(name)) return { takes: [], writes: operands };
  if (COPY.has(name)) return { takes: [], writes: makesFolders(name, args) ? operands : copied(args) };
  if (EDIT_IN_PLACE.has(name)) {
    const inPlace = args.some((arg) => /^-[a-zA-Z0-9]*i/.test(arg)) || hasOption(args, '--in-place');
    return { takes: [], writes: inPlace ? operands : [] };
  }
  const options = Object.hasOwn(OUTPUT_OPTIONS, name) ? OUTPUT_OPTIONS[name] : undefined;
  if (options) return { takes: [], writes: optionValues(args, options) };
  switch (name) {
    case 'mv':
    case 'gmv':
      return {
        takes: targetOption(args) === undefined ? operands.slice(0, -1) : operands,
        writes: [...operands, ...copied(args)],
      };
    case 'find':
    case 'gfind':
      return find(args);
    case 'rsync':
      return {
        takes: args.some((arg) => arg.startsWith('--del')) ? contents(operands.slice(-1)) : [],
        writes: operands.slice(-1),
      };
    case 'dd':
      return { takes: [], writes: args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice(3)) };
    case 'tar':
    case 'bsdtar':
    case 'gtar':
      return tar(args);
    default:
      return NONE;
  }
}

function makesFolders(name: string, args: readonly string[]): boolean {
  return name === 'install' && (args.includes('-d') || hasOption(args, '--directory'));
}

/** Where a redirect writes, if it does: its operator says so. */
export function redirectWrites(op: string): boolean {
  return /^(\{\w+\})?(>|>>|>\||&>|&>>|<>|>&)$/.test(op);
}

function find(args: readonly string[]): Effects {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPDO]/.test(arg));
  const roots = (first < 0 ? args : args.slice(0, first)).filter((arg) => !arg.startsWith('-'));
  const starts = roots.length === 0 ? ['.'] : roots;
  const ends =
    args.some((arg) => arg === '-delete') ||
    args.some((arg, at) => /^-(exec|ok)(dir)?$/.test(arg) && destroys(args[at + 1]));
  const files = args.flatMap((arg, at) => (/^-f(print0?|printf|ls)$/.test(arg) ? [args[at + 1] ?? ''] : []));
  return { takes: ends ? contents(starts) : [], writes: [...files, ...(ends ? starts : [])] };
}

function destroys(program: string | undefined): boolean {
  return program !== undefined && /(^|\/)(rm|shred|unlink|chmod|chown|chgrp|mv|truncate)$/.test(program);
}

/** `find D -delete` clears D as `D/*` does. */
function contents(folders: readonly string[]): readonly string[] {
  return folders.map((folder) => `${folder.replace(/\/+$/, '')}/\ue003`);
}

function tar(args: readonly string[]): Effects {
  const bundle = args[0]?.replace(/^-/, '') ?? '';
  const extracts =
    /^[a-zA-Z]*x/.test(bundle) ||
    args.some((arg) => /^-[a-zA-Z]*x/.test(arg)) ||
    hasOption(args, '--extract', '--get');
  const into = [...optionValues(args, ['-C', '--directory']), ...bundled(args)];
  return { takes: [], writes: extracts ? into : optionValues(args, ['-f', '--file', '-cf', '-czf']) };
}

/** `tar xfC a.tar DIR`: the words behind a bundle without a dash are the values of its letters, in their order. */
function bundled([bundle = '', ...values]: readonly string[]): readonly string[] {
  const letters = /^[a-zA-Z]+$/.test(bundle) ? bundle.replace(/[^fbCgKNTVXLIFH]/g, '') : '';
  return values.filter((_, at) => letters[at] === 'C');
}

function isRecursive(args: readonly string[]): boolean {
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  return options.some(
    (arg) => !isKnown(arg[0] ?? '') || /^-[a-zA-Z]*[rR]/.test(arg) || isOption(arg, '--recursive'),
  );
}

function withoutOptions(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  return [...before.filter((arg) => !/^-./.test(arg)), ...(end < 0 ? [] : args.slice(end + 1))];
}

/** Where a copy goes: `-t DIR`, else the last of at least two operands. */
function copied(args: readonly string[]): readonly string[] {
  const target = targetOption(args);
  if (target !== undefined) return [target];
  const operands = withoutOptions(args);
  return operands.length > 1 ? operands.slice(-1) : [];
}

function targetOption(args: readonly string[]): string | undefined {
  return optionValues(args, ['-t', '--target-directory'])[0];
}

function first(
  targets: readonly string[],
  judge: (target: string) => string | undefined,
): string | undefined {
  for (const target of targets) {
    const why = judge(target);
    if (why !== undefined) return why;
  }
  return undefined;
}
