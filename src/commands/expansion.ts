import type { ShellStep, ShellWord, WordPiece } from './shell-words';

/**
 * A word as the shell would make it, as far as the line tells: plain text in which what isn't known is one of these
 * marks. They are private-use characters; the same characters in a line lose their meaning (see `clean`).
 */
export const VARIABLE = '\ue000';
/** What some substitution prints. */
export const OUTPUT = '\ue001';
/** Unknown, but never empty. */
export const SOMETHING = '\ue002';
/** A glob that matches every name, and one that matches some. */
export const ANY = '\ue003';
export const SOME = '\ue004';
const BLANK = '\ue005';

const MARKS = /[\ue000-\ue005]/g;
/** Braces and loops multiply; beyond this the rest is left out. */
const MOST_WORDS = 200;

/** What the shell would know at one point of the line. */
export interface ShellState {
  /** Absolute; undefined when a `cd` went somewhere that isn't on the line. */
  cwd: string | undefined;
  /** By name, `@` for `$1` and the others; several values for an array, or for a loop where each is the variable's in turn. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly functions: ReadonlyMap<string, readonly ShellStep[]>;
  readonly home: string;
}

/** True when the text has no mark of something unknown in it. */
export function isKnown(text: string): boolean {
  return text.search(MARKS) < 0;
}

/** The words that these become, one after the other. */
export function expandWords(words: readonly ShellWord[], state: ShellState): readonly string[] {
  return words.flatMap((word) => expandWord(word, state));
}

/** All the words that this one becomes. */
export function expandWord(word: ShellWord, state: ShellState): readonly string[] {
  // Nearly every word: there is nothing in it to expand.
  if (word.literal) return [clean(word.text)];
  let results: readonly string[] = [''];
  word.pieces.forEach((piece, index) => {
    const tilde = index === 0 && word.source.startsWith('~');
    const parts =
      tilde && piece.kind === 'text' ? [expandTilde(piece.text, state)] : expandPiece(piece, state);
    results = results.flatMap((before) => parts.map((part) => before + part)).slice(0, MOST_WORDS);
  });
  return results.flatMap((text) =>
    text.includes(BLANK) ? text.split(BLANK).filter((part) => part !== '') : [text],
  );
}

function expandPiece(piece: WordPiece, state: ShellState): readonly string[] {
  switch (piece.kind) {
    case 'text':
      return [clean(piece.text)];
    case 'glob':
      return [piece.all ? ANY : SOME];
    case 'brace':
      return expandBraces(clean(piece.text));
    case 'variable':
      return expandVariable(piece, state);
    case 'output':
      return [split(knownOutput(piece.script, state) ?? OUTPUT, piece.quoted)];
    case 'pipe':
      return [SOMETHING];
    case 'unknown':
      return [VARIABLE];
  }
}

function expandVariable(
  piece: Extract<WordPiece, { kind: 'variable' }>,
  state: ShellState,
): readonly string[] {
  const values = valuesOf(piece, state);
  if (values === undefined) {
    if (piece.otherwise) return expandWord(piece.otherwise, state);
    return [piece.guarded ? SOMETHING : VARIABLE];
  }
  return values.length === 0 ? [VARIABLE] : values.map((value) => split(value, piece.quoted));
}

function valuesOf(
  { name, index, indirect }: Extract<WordPiece, { kind: 'variable' }>,
  state: ShellState,
): readonly string[] | undefined {
  const values = wellKnown(name, state) ?? state.variables.get(name);
  if (indirect) return values?.flatMap((each) => wellKnown(each, state) ?? state.variables.get(each) ?? []);
  return index === undefined ? values : values && [values[index] ?? ''];
}

/** Outside quotes the shell makes words of a value where it has blanks. */
function split(value: string, quoted: boolean): string {
  return quoted ? value : value.replace(/[ \t\n]+/g, BLANK);
}

function wellKnown(name: string, state: ShellState): readonly string[] | undefined {
  if (state.variables.has(name)) return undefined;
  const given = state.variables.get('@');
  if (name === '*') return given;
  if (given && /^[1-9]\d?$/.test(name)) return [given[Number(name) - 1] ?? ''];
  if (name === 'HOME') return [state.home];
  if (name === 'PWD') return [state.cwd ?? SOMETHING];
  if (name === 'TMPDIR') return ['/tmp/belay'];
  return name === 'USER' || name === 'LOGNAME' ? [SOMETHING] : undefined;
}

/** The few substitutions that everybody writes and whose result can be told. */
function knownOutput(script: string, state: ShellState): string | undefined {
  if (script === 'pwd' || script === 'pwd -P') return state.cwd ?? SOMETHING;
  const echoed = /^(?:echo|printf) ([\w./~+][\w./~+ -]*)$/.exec(script)?.[1];
  if (echoed !== undefined) return echoed.startsWith('~') ? expandTilde(echoed, state) : echoed;
  if (/^mktemp( -d)?$/.test(script)) return `/tmp/${SOMETHING}`;
  return script === 'git rev-parse --show-toplevel' ? (state.cwd ?? SOMETHING) : undefined;
}

function expandTilde(text: string, state: ShellState): string {
  const slash = text.indexOf('/');
  const user = slash < 0 ? text.slice(1) : text.slice(1, slash);
  const rest = slash < 0 ? '' : clean(text.slice(slash));
  if (user === '') return state.home + rest;
  if (user === '+') return (state.cwd ?? SOMETHING) + rest;
  if (user === '-') return VARIABLE + rest;
  return (user === 'root' ? '/root' : `/home/${clean(user)}`) + rest;
}

/** `{a,b{c,d}}` → a, bc, bd. Ranges stay one unknown word. */
function expandBraces(text: string): readonly string[] {
  const open = text.indexOf('{');
  if (open < 0) return [text];
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === ',' && depth === 1) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (text[at] === '}' && --depth === 0) {
      parts.push(text.slice(start, at));
      if (parts.length < 2) return [text.slice(0, open) + SOMETHING + text.slice(at + 1)];
      const rest = text.slice(at + 1);
      const all = parts.flatMap((part) => expandBraces(text.slice(0, open) + part + rest));
      return all.slice(0, MOST_WORDS);
    }
  }
  return [text];
}

/** The words that a word of braces and plain text becomes; undefined where there is more to it, or too many. */
export function plainBraces({ pieces, source }: ShellWord): readonly string[] | undefined {
  if (source.startsWith('~') || !pieces.some(({ kind }) => kind === 'brace')) return undefined;
  let words: readonly string[] = [''];
  for (const piece of pieces) {
    if (piece.kind !== 'text' && piece.kind !== 'brace') return undefined;
    if (piece.kind === 'brace' && !/^[\w./,{}+@%-]+$/.test(piece.text)) return undefined;
    const parts = piece.kind === 'text' ? [piece.text] : expandBraces(piece.text);
    words = words.flatMap((before) => parts.map((part) => before + part));
    if (words.length >= MOST_WORDS) return undefined;
  }
  return words.every(isKnown) ? words : undefined;
}

function clean(text: string): string {
  return text.replace(MARKS, '\ufffd');
}
