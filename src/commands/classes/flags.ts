import { executes, type NotReads, type ReadPath, type Reads, type TableWord } from './command-class';

/** One line of a table: the flags a command may have, and what its other words are. */
export interface FlagLine {
  /**
   * Blank-separated. `-a` and `--all` stand alone; `-n:` and `--lines=` take a value; `--color=?` may have one behind `=`;
   * `@` at the end means that the value is a path; `-#` is a number like `-20`. Nothing else is accepted, abbreviations neither.
   */
  readonly flags: string;
  /** `pattern`: the first is one unless a flag of `patternFlags` stands in for it. `format`: only `+FORMAT`. */
  readonly operands: 'paths' | 'text' | 'none' | 'pattern' | 'format';
  readonly patternFlags?: string;
  /** More operands than this could be written to. */
  readonly most?: number;
  /** Folders are read with all that is in them: always, or with one of these flags. */
  readonly deep?: 'always' | string;
  /** In folders it reads what links lead to, unless it is given this flag. */
  readonly follows?: string;
}

type Value = 'none' | 'text' | 'path' | 'optional';

interface Flags {
  readonly known: ReadonlyMap<string, Value>;
  readonly numbers: boolean;
}

/** Checks words against a line of a table, flag by flag. */
export function readByFlags(line: FlagLine, args: readonly TableWord[]): Reads | NotReads {
  const found = readWords(flagsOf(line.flags), args);
  if ('why' in found) return found;
  const given = (names = '') => names.split(' ').some((name) => found.given.has(name));
  const operands = operandsOf(line, found.operands, given(line.patternFlags));
  if ('why' in operands) return operands;
  const deep = line.deep === 'always' || given(line.deep);
  const follows = line.follows !== undefined && !given(line.follows);
  const paths = [...found.paths, ...operands].map((word) => ({
    ...pathOf(word, deep),
    ...(follows ? { follows } : {}),
  }));
  return { paths: deep && operands.length === 0 ? [...paths, HERE] : paths };
}

const HERE: ReadPath = { text: '.', glob: false, deep: true };

/** A word as a path that is read. */
export function pathOf({ text, kind }: TableWord, deep = false): ReadPath {
  return { text, glob: kind === 'glob', deep };
}

/** The words that are paths; a reason where one may be something else. */
function operandsOf(
  line: FlagLine,
  operands: readonly TableWord[],
  hasPattern: boolean,
): readonly TableWord[] | NotReads {
  const { most, operands: kind } = line;
  if (most !== undefined && operands.length > most) return executes('it may write to its last operand');
  if (kind === 'none' && operands.length > 0) return executes(`it is given ${operands[0]?.text}`);
  const texts = kind === 'text' || kind === 'format' ? operands : hasPattern ? [] : operands.slice(0, 1);
  const isPattern = kind === 'pattern';
  const asText = kind === 'text' || kind === 'format' || isPattern ? texts : [];
  const odd = asText.find((word) => word.kind !== 'literal' && !(kind === 'text' && word.kind === 'status'));
  if (odd) return executes(`${odd.text} is only known when it runs`);
  if (kind === 'format' && operands.some((word) => !word.text.startsWith('+')))
    return executes('it may set something');
  const paths = operands.slice(asText.length);
  const unknown = paths.find((word) => word.kind !== 'literal' && word.kind !== 'glob');
  return unknown
    ? executes(`${unknown.text} is only known when it runs`)
    : paths.filter((word) => word.text !== '-');
}

/** The words of a command as a line of a table reads them: none that is a flag's value is taken for a flag or an operand. */
export interface Words {
  readonly operands: readonly TableWord[];
  /** Those of them that stand behind `--`; undefined where there is none. */
  readonly behind: readonly TableWord[] | undefined;
  /** Values of flags that are paths. */
  readonly paths: readonly TableWord[];
  /** Names of flags; single letters one by one. */
  readonly given: ReadonlySet<string>;
}

/** The words of a command that a line of a table accepts. */
export function wordsOf({ flags }: FlagLine, args: readonly TableWord[]): Words | NotReads {
  return readWords(flagsOf(flags), args);
}

function readWords(flags: Flags, args: readonly TableWord[]): Words | NotReads {
  const found = { operands: [] as TableWord[], paths: [] as TableWord[], given: new Set<string>() };
  let behind: readonly TableWord[] | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    if (word.text === '--' && word.kind === 'literal') {
      behind = args.slice(at + 1);
      found.operands.push(...behind);
      break;
    }
    if (!/^-./.test(word.text)) {
      found.operands.push(word);
      continue;
    }
    const taken = word.text.startsWith('--')
      ? readLong(word, args[at + 1], flags, found)
      : readShort(word, args[at + 1], flags, found);
    if (typeof taken !== 'number') return taken;
    at += taken;
  }
  return { ...found, behind };
}

interface Found {
  readonly paths: TableWord[];
  readonly given: Set<string>;
}

/** How many further words the flag took. A star in `--include=*.ts` can only become more of the same flag. */
function readLong(
  word: TableWord,
  next: TableWord | undefined,
  { known }: Flags,
  found: Found,
): number | NotReads {
  const equals = word.text.indexOf('=');
  const name = equals < 0 ? word.text : word.text.slice(0, equals);
  const value = known.get(name);
  if (value === undefined || word.kind === 'unknown' || (word.kind === 'glob' && equals < 0))
    return unknownFlag(word);
  found.given.add(name);
  if (equals >= 0) {
    if (value === 'none') return unknownFlag(word);
    if (value === 'path') found.paths.push({ ...word, text: word.text.slice(equals + 1) });
    return 0;
  }
  return value === 'none' || value === 'optional' ? 0 : takeValue(value, next, found);
}

function readShort(
  word: TableWord,
  next: TableWord | undefined,
  flags: Flags,
  found: Found,
): number | NotReads {
  if (word.kind !== 'literal') return unknownFlag(word);
  if (flags.numbers && /^-\d+$/.test(word.text)) return 0;
  // `-uno` of git is one flag, not three.
  if (word.text.length > 2 && flags.known.get(word.text) === 'none') {
    found.given.add(word.text);
    return 0;
  }
  for (let at = 1; at < word.text.length; at++) {
    const name = `-${word.text[at]}`;
    const value = flags.known.get(name);
    if (value === undefined) return unknownFlag(word);
    found.given.add(name);
    if (value === 'none') continue;
    const rest = word.text.slice(at + 1);
    if (rest === '') return takeValue(value, next, found);
    if (value === 'path') found.paths.push({ text: rest, kind: 'literal' });
    return 0;
  }
  return 0;
}

function takeValue(value: Value, next: TableWord | undefined, found: Found): number | NotReads {
  if (next?.kind !== 'literal') return executes('the value of a flag is not on the line');
  if (value === 'path') found.paths.push(next);
  return 1;
}

function unknownFlag({ text }: TableWord): NotReads {
  return executes(`${text} is not one of the flags that are known to only read`);
}

const compiled = new Map<string, Flags>();

function flagsOf(text: string): Flags {
  const made = compiled.get(text) ?? compile(text);
  compiled.set(text, made);
  return made;
}

function compile(text: string): Flags {
  const known = new Map<string, Value>();
  const names = text.split(' ').filter((name) => name !== '');
  for (const name of names) known.set(name.replace(/(=\?|[:=@])$/, ''), kindOf(name));
  return { known, numbers: names.includes('-#') };
}

function kindOf(name: string): Value {
  if (name.endsWith('=?')) return 'optional';
  if (name.endsWith('@')) return 'path';
  return /[:=]$/.test(name) ? 'text' : 'none';
}
