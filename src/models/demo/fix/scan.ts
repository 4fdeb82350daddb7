export type TokenKind = 'name' | 'number' | 'string' | 'template' | 'regex' | 'sign';

/** A piece of JavaScript or TypeScript. `start` and `end` are offsets into the text. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const BLANK = /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^#![^\n]*/y;
const NAME = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+n?|0[oO][0-7_]+n?|0[bB][01_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const SIGN =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|\*\*|<<|>>|[\s\S]/y;

/** Cuts source text into tokens, without blanks and comments. Good enough to find operators; it never fails on any text. */
export function scan(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] || undefined;
  };
  while (at < text.length) {
    const blank = take(BLANK);
    if (blank) {
      at += blank.length;
      continue;
    }
    const [kind, found] = nextToken(text, at, take, tokens.at(-1));
    tokens.push({ kind, text: found, start: at, end: at + found.length });
    at += found.length;
  }
  return tokens;
}

function nextToken(
  text: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
  before: Token | undefined,
): readonly [TokenKind, string] {
  if (text[at] === '`') return ['template', template(text, at)];
  const name = take(NAME);
  if (name) return ['name', name];
  const number = take(NUMBER);
  if (number) return ['number', number];
  const string = take(STRING);
  if (string) return ['string', string];
  const regex = endsExpression(before) ? undefined : take(REGEX);
  return regex ? ['regex', regex] : ['sign', take(SIGN) ?? text.slice(at, at + 1)];
}

/** Behind the end of an expression a slash divides; anywhere else it begins a regular expression. */
function endsExpression(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'sign') return /^(?:\)|\]|\}|\+\+|--)$/.test(token.text);
  return !/^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/.test(token.text);
}

/** A template literal whole, with the expressions in it. */
function template(text: string, start: number): string {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (depth === 0 && char === '`') return text.slice(start, at + 1);
    else if (depth === 0 && char === '$' && text[at + 1] === '{') {
      depth = 1;
      at++;
    } else if (depth > 0 && char === '{') depth++;
    else if (depth > 0 && char === '}') depth--;
  }
  return text.slice(start);
}

/** The value of a number token; NaN for what isn't a plain number. */
export function numberOf(token: Token): number {
  return token.kind === 'number' ? Number(token.text.replaceAll('_', '').replace(/n$/, '')) : Number.NaN;
}

const pairsOf = new WeakMap<readonly Token[], ReadonlyMap<number, number>>();

/** Index of the bracket that closes the one at `open`; undefined when there is none. */
export function closing(tokens: readonly Token[], open: number | undefined): number | undefined {
  if (open === undefined) return undefined;
  const pairs = pairsOf.get(tokens) ?? match(tokens);
  pairsOf.set(tokens, pairs);
  return pairs.get(open);
}

/** All pairs at once: asked for one by one, deep nesting would take forever. */
function match(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const opened: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (/^[([{]$/.test(text)) opened.push(at);
    else if (/^[)\]}]$/.test(text)) pairs.set(opened.pop() ?? -1, at);
  }
  return pairs;
}
