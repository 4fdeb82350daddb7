import { argument, type Exchange, succeeded } from '#models/demo/task';
import { fileText, sourcePaths } from './read-text';
import { parseTestReport, type TestReport } from './test-report';

/** One change of one file, as `edit_file` takes it. */
export interface Change {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/** Where the search for a fix stands, read from what was done so far. */
export interface Progress {
  /** Text of the package.json, once it was read. */
  readonly manifest: string | undefined;
  /** Source files of the project; undefined before they were listed. */
  readonly listing: readonly string[] | undefined;
  /** Files that were asked for, read or not. */
  readonly asked: ReadonlySet<string>;
  /** Files as they are without the change that is on trial. */
  readonly texts: ReadonlyMap<string, string>;
  readonly searched: boolean;
  /** The last test run that counts: that of the files without a change on trial. Undefined before the first run. */
  readonly report: TestReport | undefined;
  /** What the last run printed. */
  readonly output: string;
  /** In place and found to be no improvement: has to be taken back. */
  readonly onTrial: Change | undefined;
  /** Changes that made a failing test pass. */
  readonly kept: readonly Change[];
  /** Changes that had helped were taken back: no more is tried. */
  readonly gaveUp: boolean;
  /** Keys of all changes that were tried. */
  readonly tried: ReadonlySet<string>;
  /** A call that didn't come off and without which there is no going on. */
  readonly obstacle: Exchange | undefined;
}

type Draft = { -readonly [Key in keyof Progress]: Progress[Key] } & {
  texts: Map<string, string>;
  tried: Set<string>;
  asked: Set<string>;
  listing: string[] | undefined;
};

export function progressOf(exchanges: readonly Exchange[]): Progress {
  const draft: Draft = {
    manifest: undefined,
    listing: undefined,
    asked: new Set(),
    texts: new Map(),
    searched: false,
    report: undefined,
    output: '',
    onTrial: undefined,
    kept: [],
    gaveUp: false,
    tried: new Set(),
    obstacle: undefined,
  };
  for (const exchange of exchanges) NOTES[exchange.name]?.(draft, exchange);
  return draft;
}

export function keyOf({ path, oldText, newText }: Change): string {
  return JSON.stringify([path, oldText, newText]);
}

const NOTES: Readonly<Record<string, (draft: Draft, exchange: Exchange) => void>> = {
  read_file: noteRead,
  glob_files: noteListing,
  search_files: noteListing,
  edit_file: noteEdit,
  run_command: noteRun,
};

function noteRead(draft: Draft, exchange: Exchange): void {
  const path = argument(exchange, 'path');
  draft.asked.add(path);
  const text = succeeded(exchange) ? fileText(exchange.result.content) : '';
  if (path === 'package.json') draft.manifest = text;
  else if (text !== '') draft.texts.set(path, text);
}

function noteListing(draft: Draft, exchange: Exchange): void {
  if (exchange.name === 'search_files') draft.searched = true;
  const found = succeeded(exchange) ? sourcePaths(exchange.result.content) : [];
  draft.listing = [...new Set([...(draft.listing ?? []), ...found])];
}

function noteEdit(draft: Draft, exchange: Exchange): void {
  const change = {
    path: argument(exchange, 'path'),
    oldText: argument(exchange, 'oldText'),
    newText: argument(exchange, 'newText'),
  };
  if (!succeeded(exchange)) {
    draft.tried.add(keyOf(change));
    draft.obstacle ??= exchange;
  } else if (takesBack(draft.onTrial, change)) {
    draft.onTrial = undefined;
  } else if (takesBack(draft.kept.at(-1), change)) {
    draft.kept = draft.kept.slice(0, -1);
    draft.gaveUp = true;
    apply(draft, change);
  } else {
    draft.tried.add(keyOf(change));
    draft.onTrial = change;
  }
}

function takesBack(done: Change | undefined, change: Change): boolean {
  return done !== undefined && keyOf(inverse(done)) === keyOf(change);
}

function apply({ texts }: Draft, { path, oldText, newText }: Change): void {
  texts.set(
    path,
    (texts.get(path) ?? '').replace(oldText, () => newText),
  );
}

/** What takes a change back. */
export function inverse({ path, oldText, newText }: Change): Change {
  return { path, oldText: newText, newText: oldText };
}

function noteRun(draft: Draft, exchange: Exchange): void {
  if (!succeeded(exchange)) {
    draft.obstacle ??= exchange;
    return;
  }
  draft.output = exchange.result.content;
  const report = parseTestReport(exchange.result.content);
  const { onTrial, report: before } = draft;
  if (before && !improves(before, report)) return;
  draft.report = report;
  if (!onTrial) return;
  draft.kept = [...draft.kept, onTrial];
  draft.onTrial = undefined;
  apply(draft, onTrial);
}

/** Fewer failures alone don't count: a file that no longer loads has only one. */
function improves(before: TestReport, after: TestReport): boolean {
  return after.failed < before.failed && (after.passed ?? 0) > (before.passed ?? -1);
}
