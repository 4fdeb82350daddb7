import { judgeName } from '#commands/classes/by-name';
import { isNarrow } from '#commands/classes/changers';
import {
  type CommandClass,
  executes,
  type NotReads,
  type Reads,
  type TableWord,
  worstOf,
} from '#commands/classes/command-class';
import { isLoader, isSetting, variableWords } from '#commands/classes/variables';
import { plainBraces } from './expansion';
import { understand } from './grammar';
import { commandName } from './inner';
import type {
  ShellKind,
  ShellRedirect,
  ShellWord,
  SimpleCommand,
  Understanding,
  WordPiece,
} from './shell-words';
import { innerCommands } from './wrappers';

/** What one simple command would do. */
export interface ClassifiedCommand {
  readonly command: SimpleCommand;
  /** Quotes and escapes resolved where a word is literal, as written where it isn't. */
  readonly words: readonly string[];
  readonly class: CommandClass;
  /** What its words alone would do, without variables and redirects. */
  readonly bare: CommandClass;
  /** What makes it so, for people; empty for what only reads. */
  readonly why: string;
  /** With `read-only`: the paths it reads. */
  readonly reads?: Reads;
  /** Only a rule that names every word may open it. */
  readonly narrow: boolean;
}

export interface ClassifiedLine {
  readonly understood: boolean;
  readonly why?: string;
  readonly class: CommandClass;
  readonly simple: readonly ClassifiedCommand[];
}

/** Programs that run the command behind their own options and add nothing to it. */
const TRANSPARENT = new Set(['timeout', 'gtimeout', 'nice']);
/** They are as bad as the command behind them; others may do more with it: repeat it, keep it, feed it. */
const WRAPPERS = new Set(
  'env timeout gtimeout nice ionice nohup command stdbuf taskset chrt flock unshare setsid time exec builtin'.split(
    ' ',
  ),
);
const DEEPEST = 6;

interface Inside {
  readonly depth: number;
  /** Judged already: `find -exec find -exec …` reaches the same tail by every way there is. */
  readonly seen: Set<string>;
}

/**
 * What a line would do, by its programs and their flags; pure, nothing is looked at on disk. Read-only is only what is wholly
 * understood and stands in the tables of classes/, flag by flag: whatever isn't known there executes. What is never run at all
 * is said by forbidden.ts.
 */
export function classifyLine(line: string, shell: ShellKind): ClassifiedLine {
  return classifyReading(understand(line, shell));
}

/** The same for a line that was read already. */
export function classifyReading(reading: Understanding): ClassifiedLine {
  const simple = reading.commands.map((command) => classifyCommand(command));
  const { understood, why, shape } = reading;
  const classes = simple.map((each) => each.class);
  // Loops and the background are judged by what is in them, but never taken for sure to only read.
  const isPlain = shape === 'flow' ? worstOf(classes) !== 'read-only' : shape !== 'other';
  return {
    understood,
    ...(why === undefined ? {} : { why }),
    class: worstOf([...classes, ...(understood && isPlain ? [] : ['execute' as const])]),
    simple,
  };
}

/** What one simple command would do: its words, what it wraps, its variables and redirects. */
export function classifyCommand(
  command: SimpleCommand,
  inside: Inside = { depth: 0, seen: new Set() },
): ClassifiedCommand {
  const words = command.words.flatMap(tableWords);
  const name = commandName(words[0]?.text ?? '');
  const own = judgeOwn(words, inside);
  const redirected = command.redirects.map(judgeRedirect);
  const all = [own, judgeVariables(command, own), ...redirected].filter(
    (each): each is NotReads => each !== undefined && 'why' in each,
  );
  const worst = worstOf(all.map((each) => each.class));
  const base = {
    command,
    words: command.words.map((word) => word.text),
    class: worst,
    why: all.find((each) => each.class === worst)?.why ?? '',
    bare: 'why' in own ? own.class : ('read-only' as const),
    narrow: isNarrow(name, words.slice(1)),
  };
  if ('why' in own || all.length > 0) return base;
  const paths = redirected.flatMap((each) => ('paths' in each ? each.paths : []));
  return { ...base, reads: { ...own, paths: [...own.paths, ...paths] } };
}

/** The program and its words alone. */
function judgeOwn(words: readonly TableWord[], inside: Inside): Reads | NotReads {
  if (words[0] === undefined) return { paths: [] };
  return words[0].kind === 'literal'
    ? judgeWords(words, inside)
    : executes('its name is only known when it runs');
}

/** Variables before it, or a name that is written to be misread. */
function judgeVariables(command: SimpleCommand, own: Reads | NotReads): NotReads | undefined {
  const [head] = command.words;
  const [first] = command.assignments;
  if (head === undefined) return first && executes(`${first.name} changes what follows`);
  const odd = command.assignments.find((one) => isLoader(one) || (!('why' in own) && !isSetting(one)));
  if (odd) return executes(`${variableWords(odd)} may change what it runs`);
  return 'why' in own || head.source === head.text
    ? undefined
    : executes('its name is written in quotes or escapes');
}

function judgeWords(words: readonly TableWord[], inside: Inside): Reads | NotReads {
  const name = words[0]?.text ?? '';
  const found = judgeName(name, words.slice(1));
  const inner = judgeInner(words, inside);
  if (inner === undefined) return found;
  if (!('why' in inner)) return TRANSPARENT.has(name) ? inner : executes('it runs another command');
  const worse = WRAPPERS.has(commandName(name)) ? [inner] : [inner, executes('it runs another command')];
  const worst = worstOf(worse.map((each) => each.class));
  return worse.find((each) => each.class === worst) ?? inner;
}

/** What a wrapper would run; undefined when there is nothing inside. */
function judgeInner(words: readonly TableWord[], inside: Inside): Reads | NotReads | undefined {
  const texts = words.map((word) => word.text);
  const found: (Reads | NotReads)[] = [];
  for (const inner of innerCommands(texts)) {
    if (inside.depth >= DEEPEST) return executes('commands are nested too deeply in it');
    const key = inner.kind === 'words' ? inner.words.join('\0') : inner.script;
    if (key === '' || inside.seen.has(key)) continue;
    inside.seen.add(key);
    const deeper = { ...inside, depth: inside.depth + 1 };
    found.push(
      inner.kind === 'words'
        ? judgeWords(sameWords(inner.words, words), deeper)
        : judgeScript(inner.script, inner.shell, deeper),
    );
  }
  const worse = found.filter((each): each is NotReads => 'why' in each);
  if (worse.length === 0) return found[0];
  const worst = worstOf(worse.map((each) => each.class));
  return worse.find((each) => each.class === worst);
}

/** A script inside is never read-only: which shell reads it, and how, is the script's own affair. */
function judgeScript(script: string, shell: ShellKind, inside: Inside): NotReads {
  const { understood, commands } = understand(script, shell);
  const classes = commands.map((command) => classifyCommand(command, inside));
  const worst = worstOf(classes.map((each) => each.class));
  const hit = classes.find((each) => each.class === worst);
  if (!understood || hit === undefined || worst === 'read-only' || worst === 'forbidden')
    return executes('it runs a script');
  return { class: worst, why: hit.why };
}

/** The inner words are a tail of the outer ones, or a part of it; each keeps what is known of it. */
function sameWords(inner: readonly string[], outer: readonly TableWord[]): readonly TableWord[] {
  const known = new Map<string, TableWord['kind']>();
  for (const { text, kind } of outer) if ((known.get(text) ?? 'literal') === 'literal') known.set(text, kind);
  return inner.map((text) => ({ text, kind: known.get(text) ?? 'unknown' }));
}

/** Only descriptors and /dev/null are harmless targets; what is read counts as a path. */
function judgeRedirect({ op, target, word, body, plainBody, source }: ShellRedirect): Reads | NotReads {
  if (body !== undefined)
    return plainBody
      ? { paths: [] }
      : executes(`the text of ${source.slice(0, 20)} is only known when it runs`);
  if (/^\d?>&\d$/.test(source) || target === '/dev/null') return { paths: [] };
  if (target === undefined) return executes(`where ${word?.source ?? op} leads is only known when it runs`);
  if (/^\/dev\/(tcp|udp)\//.test(target)) return { class: 'network', why: `${target} is a connection` };
  if (op === '<') return { paths: [{ text: target, glob: false, deep: false }] };
  return { class: 'workspace-write', why: `${op}${target} writes a file` };
}

function tableWords(word: ShellWord): readonly TableWord[] {
  const braces = word.literal ? undefined : plainBraces(word);
  return braces ? braces.map((text) => ({ text, kind: 'literal' })) : [tableWord(word)];
}

function tableWord(word: ShellWord): TableWord {
  if (word.literal) return { text: word.text, kind: 'literal' };
  const { pieces, source } = word;
  if (source.startsWith('~') || /[?*+@!]\(/.test(source)) return { text: source, kind: 'unknown' };
  if (pieces.every(({ kind }) => kind === 'text' || kind === 'glob'))
    return { text: pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''), kind: 'glob' };
  const only = (test: (piece: WordPiece) => boolean) =>
    pieces.every((piece) => piece.kind === 'text' || test(piece));
  if (only((piece) => piece.kind === 'variable' && /^[?#$!]$/.test(piece.name)))
    return { text: source, kind: 'status' };
  return { text: source, kind: only(({ kind }) => kind === 'output') ? 'output' : 'unknown' };
}
