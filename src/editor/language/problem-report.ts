import { sep } from 'node:path';
import * as vscode from 'vscode';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import { filesInTabs, hasTab } from '#editor/tabs';
import { WindowSilent, withinTime } from '#editor/time-limit';
import {
  askAboutOpened,
  askTypeScript,
  isTypeScriptFile,
  openIfThere,
  openListed,
} from '#editor/typescript-server';
import type { Answer, FileText } from '#host/language/answer';
import type { FileProblems, Problem, ProblemsOfTurn, ProblemsUnder } from '#host/language/problems';
import { BUILD_FOLDERS } from '#protocol/build-folders';
import type { AbsolutePath } from '#protocol/ids';
import { type Asking, awaitText, opened } from './ask';
import { isLookedAt } from './looked-at';
import { newOf, shownProblems } from './shown-problems';
import { allShown, type TurnLook } from './turn-looks';

const ANSWER_LIMIT = 10_000;
/** What a look at a folder may take; files of it without a tab that TypeScript's server is asked about, and that are counted. */
const FOLDER_LIMIT = 8000;
const MOST_ASKED = 40;
const MOST_COUNTED = 1000;
/** So many files are being opened while the server looks at one. */
const OPENED_AHEAD = 4;
/** Milliseconds that the first report on a file may take; 364 were observed. */
const FIRST_REPORT = 1500;

/** The problems of one file. Undefined: nobody looks at it without a tab. */
export async function problemsOf(
  file: FileText,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<FileProblems | undefined>> {
  const { path } = file;
  try {
    const document = await opened(path, asking, signal);
    if (!(await awaitText(document, file.text, signal))) return { kind: 'late' };
    const { uri, languageId: language } = document;
    if (isTypeScriptFile(uri.path)) {
      const found = await withinTime(askTypeScript(uri), ANSWER_LIMIT, 'problems', signal);
      return { kind: 'known', value: { path, by: 'asked', problems: together(found, shownProblems(uri)) } };
    }
    await withinTime(asking.served.start(document), ANSWER_LIMIT, 'start of a language', signal);
    await withinTime(asking.served.looked(document), ANSWER_LIMIT, 'problems', signal);
    const by = asking.served.by(document);
    if (by.kind === 'failed') return { kind: 'refused', why: by.why };
    const isShown = hasTab(uri) || by.kind === 'server';
    if (hasTab(uri) && asking.served.isYoung(document)) await firstReport(uri, signal);
    const problems = shownProblems(uri);
    if (problems.length > 0)
      return { kind: 'known', value: { path, by: isShown ? 'shown' : 'reported', problems } };
    if (by.kind === 'nobody') return { kind: 'unserved', language };
    if (by.kind === 'starting') return { kind: 'starting', language };
    return { kind: 'known', value: isShown ? { path, by: 'shown', problems } : undefined };
  } catch (error) {
    signal.throwIfAborted();
    asking.log.debug(`problems: ${path}: ${messageOf(error)}`);
    return error instanceof WindowSilent ? { kind: 'late' } : { kind: 'refused', why: messageOf(error) };
  }
}

/** What is known of a folder without opening anything, and of some of its TypeScript files by asking. */
export async function problemsUnder(
  folder: AbsolutePath,
  signal: AbortSignal,
  asking: Asking,
): Promise<ProblemsUnder> {
  const inside = (path: string) => path === folder || path.startsWith(`${folder}${sep}`);
  const shown = new Set(filesInTabs().map(({ fsPath }) => fsPath));
  const files = new Map<string, FileProblems>();
  for (const [path, problems] of allShown())
    if (inside(path) && problems.length > 0)
      files.set(path, {
        path: path as AbsolutePath,
        by: shown.has(path) ? 'shown' : 'reported',
        problems,
      });
  const quiet = (await typeScriptFiles(folder, signal)).filter(({ fsPath }) => !shown.has(fsPath));
  const asked = await askEach({ files: quiet.slice(0, MOST_ASKED), open: openListed }, signal, asking);
  for (const [path, problems] of asked) {
    const all = together(problems, files.get(path)?.problems ?? []);
    if (all.length > 0) files.set(path, { path: path as AbsolutePath, by: 'asked', problems: all });
  }
  const tabs = filesInTabs().filter((uri) => inside(uri.fsPath) && isLookedAt(uri, asking.served)).length;
  return { files: [...files.values()], tabs, asked: { files: asked.size, of: quiet.length } };
}

/** What is new of everything that the editor knows, and of the files that the turn changed. */
export async function problemsOfTurn(
  look: TurnLook,
  signal: AbortSignal,
  asking: Asking,
): Promise<ProblemsOfTurn> {
  const present = new Map<string, readonly Problem[]>(allShown());
  const quiet = [...look.files].flatMap(([path, before]) =>
    before !== undefined && isTypeScriptFile(path) ? [vscode.Uri.file(path)] : [],
  );
  const asked = await askEach({ files: quiet.slice(0, MOST_ASKED), open: openIfThere }, signal, asking);
  const now = (path: AbsolutePath) =>
    isTypeScriptFile(path)
      ? asked.get(path)
      : (present.get(path) ?? (isLookedAt(vscode.Uri.file(path), asking.served) ? [] : undefined));
  const changed = [...look.files].map(([path, before]) => {
    const found = now(path);
    return { path, problems: before && found && newOf(found, before) };
  });
  const others = [...present].flatMap(([path, problems]): readonly FileProblems[] => {
    if (look.files.has(path as AbsolutePath)) return [];
    const fresh = newOf(problems, look.shown.get(path) ?? []);
    const by = hasTab(vscode.Uri.file(path)) ? 'shown' : 'reported';
    return fresh.length === 0 ? [] : [{ path: path as AbsolutePath, by, problems: fresh }];
  });
  return { changed, others };
}

/** Files to ask about. `open` says whether there is such a file. */
interface AskedFiles {
  readonly files: readonly vscode.Uri[];
  readonly open: (uri: vscode.Uri) => Promise<boolean>;
}

/**
 * One after the other, as the server works anyway and the person's own questions must not wait for long, while there is time; the next
 * ones are opened meanwhile. What didn't answer is left out.
 */
async function askEach(
  { files, open }: AskedFiles,
  signal: AbortSignal,
  { log }: Asking,
): Promise<ReadonlyMap<string, readonly Problem[]>> {
  const end = performance.now() + FOLDER_LIMIT;
  const found = new Map<string, readonly Problem[]>();
  const opening: Promise<boolean>[] = [];
  for (const [index, uri] of files.entries()) {
    for (const next of files.slice(opening.length, index + 1 + OPENED_AHEAD)) opening.push(begun(open(next)));
    const left = end - performance.now();
    if (left <= 0) break;
    const asked = async () => ((await opening[index]) ? askAboutOpened(uri) : []);
    try {
      found.set(uri.fsPath, await withinTime(asked(), left, 'problems', signal));
    } catch (error) {
      signal.throwIfAborted();
      log.debug(`problems: ${uri.fsPath}: ${messageOf(error)}`);
      if (error instanceof WindowSilent) break;
    }
  }
  return found;
}

/** Its failure is told to whoever waits for it, if anybody still does. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

async function typeScriptFiles(folder: AbsolutePath, signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const skipped = `{${['node_modules', '.git', ...BUILD_FOLDERS].map((name) => `**/${name}/**`).join(',')}}`;
  const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*.{ts,tsx,mts,cts}');
  try {
    const finding = vscode.workspace.findFiles(pattern, skipped, MOST_COUNTED);
    return (await withinTime(finding, FOLDER_LIMIT, 'find files', signal)).toSorted((a, b) =>
      a.fsPath < b.fsPath ? -1 : 1,
    );
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** The server that was asked names itself otherwise than in the list: the same words in the same line are the same problem. */
function together(asked: readonly Problem[], shown: readonly Problem[]): readonly Problem[] {
  const keyOf = ({ line, message }: Problem) => `${line} ${message}`;
  const known = new Set(asked.map(keyOf));
  return [...asked, ...shown.filter((problem) => !known.has(keyOf(problem)))];
}

/** A file that was just opened has no report yet, and one without problems never gets one. */
async function firstReport(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
  const end = performance.now() + FIRST_REPORT;
  while (vscode.languages.getDiagnostics(uri).length === 0 && performance.now() < end)
    await delay(50, signal);
}
