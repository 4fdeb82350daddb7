import type { Evidence } from './evidence';
import type { MutationKind } from './kinds';
import type { Token } from './scan';
import { numbersFor, textsFor } from './solve';
import type { SourceFile } from './units';

/** One small change of one place. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The tokens on both sides of an operator. */
  readonly sides: readonly Token[];
  /** How well it was worked out from the values, 0 to 60. */
  readonly certainty: number;
}

/** Operators and methods that are taken for one another: each as it may stand there, then what may be meant. */
const CONFUSED: Partial<Record<MutationKind, string>> = {
  border: '< <=, <= <, > >=, >= >',
  direction: '< >, > <, <= >=, >= <=',
  equality: '=== !==, !== ===, == !=, != ==',
  arithmetic: '+ - *, - +, * / +, / * %, % /, += -= =, -= +=, *= /= +=, /= *=, = +=, ++ --, -- ++',
  logic: '&& ||, || && ??, ?? ||',
  method:
    'min max, max min, toUpperCase toLowerCase, toLowerCase toUpperCase, padStart padEnd, padEnd padStart, startsWith endsWith includes, endsWith startsWith includes, push unshift, unshift push, pop shift, shift pop, some every, every some, find findLast, findLast find, indexOf lastIndexOf, lastIndexOf indexOf, trimStart trim trimEnd, trimEnd trim trimStart, replace replaceAll, keys values, values keys',
  rounding: 'floor round ceil, ceil round floor, round floor ceil, trunc round floor, parseInt parseFloat',
};

const MEANT = Map.groupBy(
  Object.entries(CONFUSED).flatMap(([kind, lines]) =>
    lines.split(', ').flatMap((line) => {
      const [there = '', ...meant] = line.split(' ');
      // The keys are kinds: `Object.entries` only forgets it.
      return meant.map((each) => ({ there, meant: each, kind: kind as MutationKind }));
    }),
  ),
  ({ there }) => there,
);

/** Every change that the rules know for a file. */
export function mutationsOf(file: SourceFile, evidence: Evidence): readonly Mutation[] {
  return file.tokens.flatMap((token, index) => {
    switch (token.kind) {
      case 'sign':
        return [...operators(file, token, index), ...swaps(file, token, index)];
      case 'name':
        return [...words(file, token, index, evidence), ...others(file, token, index)];
      case 'number':
        return numbersFor(token, evidence).map(({ value, certainty }) =>
          instead(token, certainty > 0 ? 'solved-number' : 'number', value, { certainty }),
        );
      case 'string':
        return textsFor(token.text.slice(1, -1), evidence).map(({ value, certainty }) =>
          instead(token, 'text', `${token.text[0]}${value}${token.text[0]}`, { certainty }),
        );
      default:
        return [];
    }
  });
}

/** Another text in a token's place. */
function instead(
  { start, end }: Pick<Token, 'start' | 'end'>,
  kind: MutationKind,
  replacement: string,
  more: Partial<Pick<Mutation, 'sides' | 'certainty'>> = {},
): Mutation {
  return { kind, start, end, replacement, sides: [], certainty: 0, ...more };
}

function confused(token: Token, sides: readonly Token[] = []): readonly Mutation[] {
  return (MEANT.get(token.text) ?? []).map(({ kind, meant }) => instead(token, kind, meant, { sides }));
}

/** Another operator; a sign, a negation or an offset more or less. */
function operators({ tokens }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  const opens = /^(?:if|while)$/.test(before?.text ?? '') && token.text === '(' && after?.kind === 'name';
  if (opens) return [instead({ start: token.end, end: token.end }, 'negation', '!')];
  if (token.text === '!') return [instead(token, 'negation', '')];
  const declares = /^(?:const|let|var|[{,(])$/.test(tokens[index - 2]?.text ?? '');
  if (token.text === '=' && (declares || /^[\]})]$/.test(before?.text ?? ''))) return [];
  const isPrefix = !before || /^(?:[([{,;:?=]|=>|return|&&|\|\||[<>+*/%-])$/.test(before.text);
  if (isPrefix) return token.text === '-' ? [instead(token, 'arithmetic', '')] : [];
  const sides = [before, after].filter((side) => side !== undefined);
  if (!/^[+-]$/.test(token.text) || after?.kind !== 'number') return confused(token, sides);
  return [...confused(token, sides), instead({ start: token.start, end: after.end }, 'number', '')];
}

/** `a - b` becomes `b - a`, `f(a, b)` becomes `f(b, a)`. */
function swaps({ tokens, text }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const isCall = token.text === '(' && tokens[index - 1]?.kind === 'name';
  const before = isCall ? '' : text.slice(Math.max(0, token.start - 80), token.start);
  const head = /[\w$.]+\s*$/.exec(before)?.[0] ?? '';
  if (!isCall && (head === '' || !/^[-/]$/.test(token.text))) return [];
  const pattern = isCall ? /^\s*([\w$.'"]+)(,\s*)([\w$.'"]+)\s*(?=[,)])/ : /^([\w$.]+)(\s*[-/]\s*)([\w$.]+)/;
  const start = isCall ? token.end : token.start - head.length;
  const [whole, one, between, two] = pattern.exec(text.slice(start, start + 200)) ?? [];
  if (whole === undefined || one === two) return [];
  return [instead({ start, end: start + whole.length }, 'operands', `${two}${between}${one}`)];
}

/** A method that does nearly the same, the other boolean, an `await` in front, one more or less behind. */
function words(file: SourceFile, token: Token, index: number, { actual }: Evidence): readonly Mutation[] {
  const { tokens, text } = file;
  const [before, after, next] = [-1, 1, 2].map((step) => tokens[index + step]?.text ?? '');
  const found = before === '.' || token.text === 'parseInt' ? [...confused(token)] : [];
  const isTrue = token.text === 'true';
  if (isTrue || token.text === 'false') found.push(instead(token, 'boolean', String(!isTrue)));
  const mayWait =
    /^[\w$.]*\(/.test(text.slice(token.end, token.end + 80)) && /Promise|NaN|undef|null/.test(actual);
  if (mayWait && /^(?:[=([,+*/-]|=>|return)$/.test(before ?? ''))
    found.push(instead({ start: token.start, end: token.start }, 'await', 'await '));
  const ends = /^(?:[\]);]|<|<=)$/.test(after ?? '') && !/^(?:=>|\{)$/.test(next ?? '');
  if (!ends || /^(?:const|let|var|function|class|import|\{)$/.test(before ?? '')) return found;
  const behind = { start: token.end, end: token.end };
  return [...found, instead(behind, 'number', ' - 1'), instead(behind, 'number', ' + 1')];
}

/** How far away other names are looked for, in tokens, and how many of them are tried: the nearest. */
const WINDOW = 150;
const MOST_NAMES = 8;
const NO_VARIABLE =
  /^(?:const|let|var|function|class|return|if|else|for|of|in|new|await|async|throw|typeof|import|export|from|this|true|false|null|undefined)$/;

/** Another name of the same function in this one's place; another property where a property stands. */
function others({ tokens, units }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const role = roleOf(tokens, index);
  if (!role || tokens[index + 1]?.text === ':') return [];
  const declares = /^(?:const|let|var|function|class|import)$/.test(tokens[index - 1]?.text ?? '');
  const around = declares
    ? undefined
    : units.find(({ start, end }) => start < token.start && token.end <= end);
  if (!around) return [];
  const distances = new Map<string, number>();
  for (let at = Math.max(0, index - WINDOW); at < Math.min(tokens.length, index + WINDOW); at++) {
    const { text = '', start = 0, end = 0 } = tokens[at] ?? {};
    if (text === token.text || roleOf(tokens, at) !== role || start <= around.start || end > around.end)
      continue;
    distances.set(text, Math.min(Math.abs(at - index), distances.get(text) ?? WINDOW));
  }
  const nearest = [...distances].sort(([, one], [, two]) => one - two).slice(0, MOST_NAMES);
  return nearest.map(([name]) => instead(token, 'variable', name));
}

function roleOf(tokens: readonly Token[], at: number): 'property' | 'variable' | undefined {
  const token = tokens[at];
  if (token?.kind !== 'name' || tokens[at + 1]?.text === '(' || NO_VARIABLE.test(token.text))
    return undefined;
  return tokens[at - 1]?.text === '.' ? 'property' : 'variable';
}
