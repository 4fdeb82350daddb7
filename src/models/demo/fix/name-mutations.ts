import type { Token } from '#models/demo/js/scan';
import type { Evidence } from './evidence';
import { instead, type Mutation } from './mutation';
import type { SourceFile } from './units';

const METHODS: Readonly<Record<string, readonly string[]>> = {
  min: ['max'],
  max: ['min'],
  toUpperCase: ['toLowerCase'],
  toLowerCase: ['toUpperCase'],
  padStart: ['padEnd'],
  padEnd: ['padStart'],
  startsWith: ['endsWith', 'includes'],
  endsWith: ['startsWith', 'includes'],
  push: ['unshift'],
  unshift: ['push'],
  pop: ['shift'],
  shift: ['pop'],
  some: ['every'],
  every: ['some'],
  find: ['findLast'],
  findLast: ['find'],
  indexOf: ['lastIndexOf'],
  lastIndexOf: ['indexOf'],
  trimStart: ['trim', 'trimEnd'],
  trimEnd: ['trim', 'trimStart'],
  replace: ['replaceAll'],
  keys: ['values'],
  values: ['keys'],
};
const ROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  floor: ['round', 'ceil'],
  ceil: ['round', 'floor'],
  round: ['floor', 'ceil'],
  trunc: ['round', 'floor'],
  parseInt: ['parseFloat'],
};

/** A method that does nearly the same, the other boolean. */
export function nameMutations({ tokens }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const { text } = token;
  if (text === 'true' || text === 'false')
    return [instead(token, 'boolean', text === 'true' ? 'false' : 'true')];
  if (tokens[index - 1]?.text !== '.') {
    return text === 'parseInt'
      ? [instead(token, 'rounding', 'Number.parseFloat'), instead(token, 'rounding', 'Number')]
      : [];
  }
  return [
    ...(METHODS[text] ?? []).map((name) => instead(token, 'method', name)),
    ...(ROUNDINGS[text] ?? []).map((name) => instead(token, 'rounding', name)),
  ];
}

/** An `await` in front of a call, where a promise came instead of its value. */
export function awaits(
  file: SourceFile,
  token: Token,
  index: number,
  { signs }: Evidence,
): readonly Mutation[] {
  const before = file.tokens[index - 1]?.text ?? '';
  const suspicious = signs.has('promise') || signs.has('not-a-number') || signs.has('nothing');
  if (!suspicious || !/^(?:[=([,+*/-]|=>|return|\.\.\.)$/.test(before)) return [];
  if (!/^[\w$.]*\(/.test(file.text.slice(token.end))) return [];
  return [instead({ start: token.start, end: token.start }, 'await', 'await ')];
}

/** Most other names that are tried in one place. */
const MOST_NAMES = 8;

/** Another parameter or local of the same function in this one's place; another property where a property stands. */
export function variables(file: SourceFile, token: Token, index: number): readonly Mutation[] {
  const { tokens } = file;
  if (tokens[index + 1]?.text === '(' || tokens[index + 1]?.text === ':') return [];
  if (tokens[index - 1]?.text === '.') return properties(file, token);
  if (/^(?:const|let|var|function|class)$/.test(tokens[index - 1]?.text ?? '')) return [];
  const around = file.units.filter(({ start, end }) => start < token.start && token.end <= end);
  const locals = new Map(
    around.flatMap(({ start, end }) => [
      ...localsOf(tokens.filter((each) => each.start >= start && each.end <= end)),
    ]),
  );
  if (!locals.has(token.text) || [...locals.values()].includes(token.start)) return [];
  return others(locals.keys(), token);
}

function properties({ tokens }: SourceFile, token: Token): readonly Mutation[] {
  const names = tokens.flatMap(({ kind, text }, index) =>
    kind === 'name' && tokens[index - 1]?.text === '.' && tokens[index + 1]?.text !== '(' ? [text] : [],
  );
  return others(new Set(names), token);
}

function others(names: Iterable<string>, token: Token): readonly Mutation[] {
  return [...names]
    .filter((name) => name !== token.text)
    .slice(0, MOST_NAMES)
    .map((name) => instead(token, 'variable', name));
}

/** Names that a unit takes or declares, with where. */
function localsOf(inside: readonly Token[]): ReadonlyMap<string, number> {
  const locals = new Map<string, number>();
  const body = inside.findIndex(
    ({ text }, at) => (text === '{' && inside[at - 1]?.text === ')') || text === '=>',
  );
  for (const [at, { kind, text, start }] of inside.entries()) {
    const before = inside[at - 1]?.text ?? '';
    const parameter = at > 0 && at < body && before !== ':' && before !== '=';
    const declared = /^(?:const|let|var)$/.test(before);
    if (
      kind === 'name' &&
      (parameter || declared) &&
      !locals.has(text) &&
      !/^(?:const|let|var|async|function)$/.test(text)
    ) {
      locals.set(text, start);
    }
  }
  return locals;
}
