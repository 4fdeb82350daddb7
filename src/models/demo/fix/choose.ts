import type { Outcome, Verdict } from '#models/demo/trial/run-tests';
import type { Project } from '#models/demo/trial/sources';
import { Trial } from '#models/demo/trial/trial';
import type { Candidate } from './candidates';
import { importsOf, isTestFile } from './places';

/** Candidates that are run at most for one decision, from the likeliest on. */
const MOST_CANDIDATES = 300;
/** How many more are run once one was found that mends something but not all: with two bugs none mends all. */
const MORE_CANDIDATES = 60;
/** Ticks that they may take together: some seconds. */
const ALL_TICKS = 3000;
/** Ticks of one test file as it is. With a change it may take some times what it took without: an endless loop shall not eat all. */
const FILE_TICKS = 300;
const TIMES = 4;

/** Score from which a candidate is tried though nothing is known of it. */
const STRONG = 50;

/** A change, and what a trial says of it. */
export interface Choice extends Candidate {
  /** Failing tests that hold with it; undefined where nothing can be said. */
  readonly mends: number | undefined;
}

interface Broken extends Project {
  /** Names of the tests that really fail. */
  readonly failing: ReadonlySet<string>;
}

/** A test file that the trial understands. */
interface Known {
  readonly testFile: string;
  /** Files that it imports, directly or not. */
  readonly reach: ReadonlySet<string>;
  /** Its tests of which the trial said what really happened. */
  readonly failing: readonly string[];
  readonly passing: readonly string[];
  readonly ticks: number;
}

/**
 * The candidate that mends most in a trial, without changing any file. One that breaks a test that passed, or leaves the failing ones
 * as they are, is never chosen. Where the trial can't run the failing test, the likeliest candidate.
 */
export async function choose(
  candidates: readonly Candidate[],
  project: Broken,
  signal: AbortSignal,
): Promise<Choice | undefined> {
  using trial = new Trial(project);
  signal.addEventListener('abort', () => trial[Symbol.dispose](), { once: true });
  const known = await knownFiles(trial, project);
  signal.throwIfAborted();
  const most = known.flatMap(({ failing }) => failing).length;
  if (most === 0) return candidates[0] && { ...candidates[0], mends: undefined };
  const bench: Bench = { trial, known, project, ticksLeft: ALL_TICKS };
  let best: Choice | undefined;
  let left = MOST_CANDIDATES;
  for (const candidate of candidates) {
    const mends = await mendedBy(candidate, bench);
    signal.throwIfAborted();
    if (mends === undefined ? !best && candidate.score >= STRONG : mends > (best?.mends ?? 0))
      best = { ...candidate, mends };
    left = Math.min(left - 1, best?.mends ? MORE_CANDIDATES : MOST_CANDIDATES);
    if (mends === most || left <= 0 || bench.ticksLeft <= 0) break;
  }
  return best;
}

/** The trial is believed only where it found the present state right. */
async function knownFiles(trial: Trial, { texts, listing, failing }: Broken): Promise<readonly Known[]> {
  const known: Known[] = [];
  for (const testFile of [...texts.keys()].filter(isTestFile)) {
    const { verdicts = new Map(), ticks } = await trial.run({ testFile, ticks: FILE_TICKS });
    const names = (verdict: Verdict, reallyFails: boolean) =>
      [...verdicts].flatMap(([name, each]) =>
        each === verdict && failing.has(name) === reallyFails ? [name] : [],
      );
    const reach = reachOf(testFile, texts, listing);
    known.push({ testFile, reach, failing: names('fails', true), passing: names('passes', false), ticks });
  }
  // Those with a failing test first: most candidates end there.
  return known.sort((one, two) => two.failing.length - one.failing.length);
}

interface Bench {
  readonly trial: Trial;
  readonly known: readonly Known[];
  readonly project: Project;
  ticksLeft: number;
}

async function mendedBy(candidate: Candidate, bench: Bench): Promise<number | undefined> {
  const { trial, known, project } = bench;
  const { path, oldText, newText } = candidate;
  const text = (project.texts.get(path) ?? '').replace(oldText, () => newText);
  let mended = 0;
  let isUnknown = false;
  for (const { testFile, reach, failing, passing, ticks } of known) {
    if (!reach.has(path) || (failing.length === 0 && mended === 0)) continue;
    const outcome = await trial.run({ testFile, change: { path, text }, ticks: ticks * TIMES + 10 });
    bench.ticksLeft -= outcome.ticks;
    const count = (names: readonly string[], verdict: Verdict) =>
      names.filter((name) => verdictOf(outcome, name) === verdict).length;
    if (count(passing, 'fails') > 0) return 0;
    mended += count(failing, 'passes');
    isUnknown ||= count(failing, 'unknown') > 0;
  }
  return mended === 0 && isUnknown ? undefined : mended;
}

/** A test that isn't there any more fails; of a file that needs what the trial hasn't nothing is known. */
function verdictOf({ verdicts }: Outcome, name: string): Verdict {
  return verdicts ? (verdicts.get(name) ?? 'fails') : 'unknown';
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
