import type { Step, Wish } from '#models/demo/task';
import { evidenceOf } from './evidence';
import { importsOf, isTestFile, listed } from './places';
import type { Progress } from './progress';
import type { Failure } from './test-report';

const MOST_FILES = 20;
/** Other test files that are read, so that the fix of one test is not the end of another. */
const MOST_OTHER_TESTS = 6;

/** Reads the failing test, then what it and its imports import, then whatever else mentions what it calls. */
export function readMore(failure: Failure, progress: Progress): Step | undefined {
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

/** The test file that a failure comes from, if it is one of the project's. */
export function testFileOf({ file, details }: Failure, listing: readonly string[]): string | undefined {
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
