import { missingTool, obstacle, type Step, succeeded, type Task, type Wish } from '#models/demo/task';
import { candidatesOf } from './candidates';
import { type Choice, choose } from './choose';
import { evidenceOf } from './evidence';
import { importsOf, isTestFile, listed, suspectLines } from './places';
import { type Change, inverse, keyOf, type Progress, progressOf } from './progress';
import type { Failure, TestReport } from './test-report';
import { sourceFile } from './units';
import { couldNot, fixed, nothingToFix, trying, unreadable } from './words';

/** Changes that are tried at most: each costs a test run, and a test run may cost an approval. */
export const MOST_TRIES = 4;
const MOST_LISTED = 1000;
const MOST_FILES = 20;
/** Other test files that are read, so that the fix of one test is not the end of another. */
const MOST_OTHER_TESTS = 6;
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

/** Reads the failing test, then what it and its imports import, then whatever else mentions what it calls. */
function readMore(failure: Failure, progress: Progress): Step | undefined {
  const { texts, asked, listing = [] } = progress;
  const testFile = testFileOf(failure, listing);
  if (!testFile) return undefined;
  if (!asked.has(testFile)) {
    return {
      say: `It fails in \`${testFile}\`: “${failure.name}”. I read that test.`,
      calls: [read(testFile)],
    };
  }
  const wanted = [...texts].flatMap(([path, text]) => importsOf(path, text, listing));
  const others = listing.filter(isTestFile).slice(0, MOST_OTHER_TESTS);
  const unread = [...new Set([...wanted, ...others])]
    .filter((path) => !asked.has(path))
    .slice(0, Math.max(0, MOST_FILES - asked.size));
  const search = progress.searched ? [] : searchFor(failure, texts.get(testFile) ?? '', unread);
  if (unread.length === 0 && search.length === 0) return undefined;
  return {
    say: progress.searched
      ? 'And what that is made of.'
      : 'I follow it to the code that it tests, and look at the other tests too.',
    calls: [...search, ...unread.map(read)],
  };
}

function testFileOf({ file, details }: Failure, listing: readonly string[]): string | undefined {
  const printed = [
    file ?? '',
    ...[...details.matchAll(/(?:file:\/\/)?[^\s()'"]+\.[cm]?[jt]sx?(?=:\d+)/g)].map(([path]) => path),
  ];
  return printed.flatMap((path) => listed(path, listing) ?? []).find(isTestFile);
}

/** Where else the tested function is used, if the test names one that it imports. */
function searchFor(failure: Failure, testText: string, unread: readonly string[]): readonly Wish[] {
  const { mentioned } = evidenceOf(failure, testText);
  const imported = [...testText.matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]\./g)].flatMap(([, names = '']) =>
    names.split(/[\s,]+/),
  );
  const tested = imported.find((name) => name !== '' && name !== 'as' && mentioned.has(name));
  if (!tested || unread.length === 0) return [];
  return [{ name: 'search_files', input: { pattern: tested, literal: true, mode: 'content' } }];
}

function read(path: string): Wish {
  return { name: 'read_file', input: { path } };
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
