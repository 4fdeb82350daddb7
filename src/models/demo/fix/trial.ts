import { calculateTests, type ParsedModules, type Verdict } from '#models/demo/js/modules';
import { importsOf, isTestFile, resolve } from './places';
import type { Candidate } from './rank';

/** Steps that all calculations of one decision may take: well under half a second. */
const ALL_STEPS = 2_000_000;
/** Steps of one test file as it is. With a change it may take some times what it took without: an endless loop shall not eat all. */
const FILE_STEPS = 60_000;
const TIMES = 4;

/** Score from which a candidate is tried though nothing can be calculated. */
const STRONG = 60;

interface Project {
  readonly texts: ReadonlyMap<string, string>;
  readonly listing: readonly string[];
  /** Names of the tests that really fail. */
  readonly failing: ReadonlySet<string>;
}

/** A candidate, and what the calculator says of it. */
export interface Tried extends Candidate {
  /** Failing tests that hold with it; undefined where nothing can be said. */
  readonly mends: number | undefined;
}

/**
 * Sorts candidates by calculating the tests with each of them, without running anything. Those that mend come first, then those of
 * which nothing is known; those that leave the tests failing, or break one that passed, are dropped.
 */
export function calculated(candidates: readonly Candidate[], project: Project): readonly Tried[] {
  const parsed: ParsedModules = new Map();
  const usual = new Map<string, number>();
  let steps = ALL_STEPS;
  const verdictsWith = (
    texts: ReadonlyMap<string, string>,
    testFile: string,
  ): ReadonlyMap<string, Verdict> => {
    const allowed = Math.min(usual.get(testFile) ?? FILE_STEPS, steps);
    const sources = sourcesOf(texts, project.listing);
    const { verdicts, stepsLeft } = calculateTests(testFile, sources, { steps: allowed, parsed });
    if (!usual.has(testFile)) usual.set(testFile, (allowed - stepsLeft) * TIMES + 500);
    steps -= allowed - stepsLeft;
    return verdicts;
  };
  const known = knownTests(project, verdictsWith);
  const tried = candidates.map((candidate): Tried => {
    const files = known.filter(({ reach }) => reach.has(candidate.path));
    if (known.length === 0 || steps <= 0) return { ...candidate, mends: undefined };
    const texts = new Map(project.texts);
    texts.set(
      candidate.path,
      (texts.get(candidate.path) ?? '').replace(candidate.oldText, () => candidate.newText),
    );
    return { ...candidate, mends: mendedBy(files, (testFile) => verdictsWith(texts, testFile)) };
  });
  // Where the calculator understands the failing test, what it can't say of a change speaks against the change.
  const least = known.length > 0 ? STRONG : Number.NEGATIVE_INFINITY;
  const able = tried.filter(({ mends, score }) => (mends === undefined ? score >= least : mends > 0));
  return able.sort((one, two) => (two.mends ?? 0) - (one.mends ?? 0) || two.score - one.score);
}

interface KnownFile {
  readonly testFile: string;
  /** Files that it imports, directly or not. */
  readonly reach: ReadonlySet<string>;
  /** Its tests of which the calculator said what really happened. */
  readonly failing: readonly string[];
  readonly passing: readonly string[];
}

/** The calculator is believed only where it found the present state right. */
function knownTests(
  { texts, listing, failing }: Project,
  verdictsWith: (texts: ReadonlyMap<string, string>, testFile: string) => ReadonlyMap<string, Verdict>,
): readonly KnownFile[] {
  const files = [...texts.keys()].filter(isTestFile).map((testFile): KnownFile => {
    const verdicts = [...verdictsWith(texts, testFile)];
    const names = (verdict: Verdict, reallyFails: boolean) =>
      verdicts.flatMap(([name, each]) =>
        each === verdict && failing.has(name) === reallyFails ? [name] : [],
      );
    return {
      testFile,
      reach: reachOf(testFile, texts, listing),
      failing: names('fails', true),
      passing: names('passes', false),
    };
  });
  return files.some(({ failing: wrong }) => wrong.length > 0) ? files : [];
}

function mendedBy(
  files: readonly KnownFile[],
  verdictsOf: (testFile: string) => ReadonlyMap<string, Verdict>,
): number | undefined {
  let mended = 0;
  let unknown = false;
  for (const { testFile, failing, passing } of files) {
    const verdicts = verdictsOf(testFile);
    if (passing.some((name) => verdicts.get(name) === 'fails')) return 0;
    mended += failing.filter((name) => verdicts.get(name) === 'passes').length;
    unknown ||= failing.some((name) => verdicts.get(name) === 'unknown');
  }
  // None of the tests that fail gets there: nothing can be mended here.
  return mended === 0 && unknown ? undefined : mended;
}

function reachOf(
  from: string,
  texts: ReadonlyMap<string, string>,
  listing: readonly string[],
): ReadonlySet<string> {
  const reach = new Set<string>([from]);
  // A set that grows while it is walked: every file that was added is visited too.
  for (const path of reach)
    for (const next of importsOf(path, texts.get(path) ?? '', listing)) reach.add(next);
  return reach;
}

function sourcesOf(texts: ReadonlyMap<string, string>, listing: readonly string[]) {
  return {
    text: (path: string) => texts.get(path),
    resolve: (from: string, specifier: string) =>
      /^\.{1,2}\//.test(specifier) ? resolve(from, specifier, listing) : undefined,
  };
}
