import type { Evidence } from './evidence';
import { likelihood } from './kinds';
import { type Mutation, mutationsOf } from './mutations';
import { numberOf, type Token } from './scan';
import type { SourceFile } from './units';

/** A change that may be the fix, with why it was chosen. */
export interface Candidate {
  readonly path: string;
  readonly line: number;
  /** A passage that occurs once in the file, and what shall stand in its place: whole lines. */
  readonly oldText: string;
  readonly newText: string;
  /** The piece itself: `quantity > LIMIT`, `quantity >= LIMIT`. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly score: number;
}

/** Most candidates that are worked out: of a large project there are tens of thousands. */
const MOST = 1000;

/** Candidates from most to least likely. The same sources and the same failure give the same list. */
export function candidatesOf(
  files: readonly SourceFile[],
  evidence: Evidence,
  suspectLines: ReadonlySet<string>,
): readonly Candidate[] {
  const distances = distancesFrom(evidence.mentioned, files);
  const all = files.flatMap((file) => {
    const nearness = nearnessIn(file, distances, suspectLines);
    return mutationsOf(file, evidence).map((mutation) => {
      const hit = border(file, mutation, evidence);
      const { points, why } = likelihood(mutation.kind, evidence);
      const score = points + nearness(mutation) + (hit?.points ?? 0) + mutation.certainty;
      return { file, mutation, score, why: hit?.why ?? why };
    });
  });
  const likeliest = all.sort((one, two) => two.score - one.score).slice(0, MOST);
  return likeliest.flatMap(({ file, mutation, ...more }) => candidate(file, mutation, more) ?? []);
}

/** The strongest hint there is: the test works with exactly the value that a comparison has as its border. */
function border({ constants }: SourceFile, mutation: Mutation, evidence: Evidence) {
  if (mutation.kind !== 'border') return undefined;
  const sizeOf = (side: Token) => constants.get(side.text) ?? numberOf(side);
  const hit = mutation.sides.find((side) => evidence.values.has(sizeOf(side)));
  if (!hit) return undefined;
  const value = sizeOf(hit);
  // 0 and 1 stand in nearly every test.
  const points = Math.abs(value) > 1 ? 40 : 10;
  const name = numberOf(hit) === value ? String(value) : `${value}, the value of \`${hit.text}\`,`;
  return { points, why: `the test uses exactly ${name} where this comparison has its border` };
}

/** How many calls lie between the test and each name: 0 for what it mentions itself. */
function distancesFrom(
  mentioned: ReadonlySet<string>,
  files: readonly SourceFile[],
): ReadonlyMap<string, number> {
  const uses = new Map<string, Set<string>>();
  for (const { units } of files) {
    for (const unit of units) uses.set(unit.name, new Set([...(uses.get(unit.name) ?? []), ...unit.uses]));
  }
  const distances = new Map<string, number>();
  let layer = [...mentioned].filter((name) => uses.has(name));
  for (let distance = 0; layer.length > 0; distance++) {
    for (const name of layer) distances.set(name, distance);
    const next = layer.flatMap((name) => [...(uses.get(name) ?? [])]);
    layer = [...new Set(next)].filter((name) => uses.has(name) && !distances.has(name));
  }
  return distances;
}

const NEAR = [25, 18, 12, 8] as const;

/** Points for a place: near to what the test calls, or where an error was thrown. Each place is looked at once. */
function nearnessIn(
  { path, text, units }: SourceFile,
  distances: ReadonlyMap<string, number>,
  suspectLines: ReadonlySet<string>,
): (place: Pick<Mutation, 'start' | 'end'>) => number {
  const known = new Map<number, number>();
  const isSuspect = text.split('\n').map((_line, index) => suspectLines.has(`${path}:${index + 1}`));
  return ({ start, end }) => {
    const points = known.get(start);
    if (points !== undefined) return points;
    const around = units.filter((unit) => unit.start <= start && end <= unit.end);
    const nearest = Math.min(...around.map((unit) => distances.get(unit.name) ?? 99), 99);
    const isThrown = isSuspect.includes(true) && isSuspect[lineOf(text, start) - 1];
    known.set(start, (isThrown ? 40 : 0) + (nearest === 99 ? -40 : (NEAR[nearest] ?? 4)));
    return known.get(start) ?? 0;
  };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function candidate(
  file: SourceFile,
  mutation: Mutation,
  { score, why }: { score: number; why: string },
): Candidate | undefined {
  const { text, path } = file;
  const { start, end, replacement } = mutation;
  const changed = text.slice(0, start) + replacement + text.slice(end);
  const passage = uniquePassage(text, start, end);
  if (!passage || changed === text) return undefined;
  const [from, to] = passage;
  const shift = changed.length - text.length;
  const [pieceFrom, pieceTo] = piece(text, start, end);
  return {
    path,
    line: lineOf(text, start),
    oldText: text.slice(from, to),
    newText: changed.slice(from, to + shift),
    from: text.slice(pieceFrom, pieceTo),
    to: changed.slice(pieceFrom, pieceTo + shift),
    why,
    score,
  };
}

/** The whole lines around a place, as many as it takes to occur once. */
function uniquePassage(text: string, start: number, end: number): readonly [number, number] | undefined {
  let from = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  let to = lineEnd(text, end);
  for (let grown = 0; grown < 20; grown++) {
    const passage = text.slice(from, to);
    if (text.indexOf(passage) === from && text.indexOf(passage, from + 1) < 0) return [from, to];
    if (from > 1) from = text.lastIndexOf('\n', from - 2) + 1;
    else if (to < text.length) to = lineEnd(text, to + 1);
    else return undefined;
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The changed place with a word on either side, for people. */
function piece(text: string, start: number, end: number): readonly [number, number] {
  const left = /[\w$.()'"]*\s?$/.exec(text.slice(Math.max(0, start - 40), start))?.[0].length ?? 0;
  const right = /^\s?[\w$.'"]*[()]*/.exec(text.slice(end, end + 40).split('\n')[0] ?? '')?.[0].length ?? 0;
  return [start - left, end + right];
}
