import { missingTool, obstacle, type Step, succeeded, type Task, type Wish } from '#models/demo/task';
import { candidatesOf } from './candidates';
import { type Choice, choose } from './choose';
import { evidenceOf } from './evidence';
import { isTestFile, suspectLines } from './places';
import { type Change, inverse, keyOf, type Progress, progressOf } from './progress';
import { readMore, testFileOf } from './reading';
import type { Failure, TestReport } from './test-report';
import { sourceFile } from './units';
import { couldNot, fixed, nothingToFix, trying, unreadable } from './words';

/** Changes that are tried at most: each costs a test run, and a test run may cost an approval. */
const MOST_TRIES = 4;
const MOST_LISTED = 1000;
/** Characters of a source beyond which it is left alone. */
const LARGEST = 40_000;
const SOURCES = '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}';

/**
 * Finds the bug behind a failing test by rules: run the tests, read the failing one and what it imports, change the one place that
 * explains the difference best, run again; take back what didn't help. Where it stands is read from the results alone.
 */
export async function fixTests(task: Task, signal: AbortSignal): Promise<Step> {
  for (const tool of ['read_file', 'glob_files', 'search_files', 'run_command', 'edit_file']) {
    const missing = missingTool(task, tool);
    if (missing) return missing;
  }
  const progress = progressOf(task.exchanges);
  if (progress.obstacle) return stuck(progress);
  if (progress.manifest === undefined || progress.listing === undefined) return look();
  if (!progress.report) return runFirst(progress.manifest, progress.listing);
  const { report } = progress;
  if (report.failed === 0) return wholeAgain(progress, report, task);
  const failure = clearest(report.failures);
  if (!failure) return { say: unreadable(progress.output) };
  return readMore(failure, progress) ?? (await tryNext(failure, progress, signal));
}

function look(): Step {
  return {
    say: 'I look at how this project runs its tests, and which sources it has.',
    calls: [
      { name: 'read_file', input: { path: 'package.json' } },
      { name: 'glob_files', input: { pattern: SOURCES, limit: MOST_LISTED } },
    ],
  };
}

function runFirst(manifest: string, listing: readonly string[]): Step {
  const command = testCommand(manifest, listing);
  if (!command) {
    return {
      say: 'I find no tests here: there is no `test` script in a package.json of this folder, and no file that looks like a test of `node --test`.',
    };
  }
  return { say: `I run the tests with \`${command}\`.`, calls: [run(command)] };
}

function testCommand(manifest: string, listing: readonly string[]): string | undefined {
  const script = /"test"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(manifest)?.[1];
  if (script && !/no test specified/.test(script)) return 'npm test';
  return listing.some(isTestFile) ? 'node --test' : undefined;
}

function run(command: string): Wish {
  return { name: 'run_command', input: { command, description: 'Runs the tests of this project' } };
}

function wholeAgain({ kept, output }: Progress, { passed }: TestReport, task: Task): Step {
  // Without any count it isn't known what was printed; the exit code may be all that there is.
  const failedAnyway = passed === undefined && /exit(?:ed with)?(?: code| status)?:? [1-9]/i.test(output);
  if (failedAnyway) return { say: unreadable(output) };
  return { say: kept.length > 0 ? fixed(kept, passed) : nothingToFix(passed, runsOf(task)) };
}

function runsOf({ exchanges }: Task): number {
  return exchanges.filter((exchange) => exchange.name === 'run_command' && succeeded(exchange)).length;
}

/** The failure that says most: with values, and the shortest of them. */
function clearest(failures: readonly Failure[]): Failure | undefined {
  const size = ({ expected, actual }: Failure) =>
    expected === undefined || actual === undefined ? 1e6 : expected.length + actual.length;
  return [...failures].sort((one, two) => size(one) - size(two))[0];
}

async function tryNext(failure: Failure, progress: Progress, signal: AbortSignal): Promise<Step> {
  const { onTrial, kept, tried, gaveUp, report } = progress;
  const back = onTrial ? [edit(inverse(onTrial))] : [];
  const more = !gaveUp && tried.size < MOST_TRIES + kept.length;
  const next = more ? await nextChange(failure, progress, signal) : undefined;
  if (next) {
    const command = testCommand(progress.manifest ?? '', progress.listing ?? []) ?? 'npm test';
    return { say: trying(next, failure, progress), calls: [...back, edit(next), run(command)] };
  }
  // A change that only helped in part may have helped by chance: without the rest it has no right to stay.
  const all = [...back, ...kept.toReversed().map((change) => edit(inverse(change)))];
  if (all.length > 0)
    return { say: 'I find nothing more to try, so I take back what I changed.', calls: all };
  return { say: couldNot(report?.failures ?? [], progress) };
}

function nextChange(failure: Failure, progress: Progress, signal: AbortSignal): Promise<Choice | undefined> {
  const { texts, tried, report, listing = [] } = progress;
  const evidence = evidenceOf(failure, texts.get(testFileOf(failure, listing) ?? '') ?? '');
  const files = [...texts]
    .filter(([path, text]) => !isTestFile(path) && text.length < LARGEST)
    .map(([path, text]) => sourceFile(path, text));
  const fresh = candidatesOf(files, evidence, suspectLines(failure, listing)).filter(
    (each) => !tried.has(keyOf(each)),
  );
  const failing = new Set(report?.failures.map(({ name }) => name));
  return choose(fresh, { texts, listing, failing }, signal);
}

function edit({ path, oldText, newText }: Change): Wish {
  return { name: 'edit_file', input: { path, oldText, newText } };
}

/** A call was denied or went wrong: nothing more is tried, and what is on trial is named. */
function stuck({ obstacle: exchange, onTrial }: Progress): Step {
  if (!exchange) return { say: '' };
  const left = onTrial
    ? ` My last change in \`${onTrial.path}\` is still there and not proven: *Undo* takes it back.`
    : '';
  return { say: obstacle(exchange) + left };
}
