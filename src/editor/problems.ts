import * as vscode from 'vscode';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import { isLookedAt } from '#editor/language/looked-at';
import type { Served } from '#editor/language/served';
import { newOf, shownProblems } from '#editor/language/shown-problems';
import type { TurnLooks } from '#editor/language/turn-looks';
import type { Log } from '#host';
import type { NewProblems, Problem, ProblemWatch } from '#host/language/problems';
import type { AbsolutePath, TurnId } from '#protocol/ids';
import { hasTab } from './tabs';
import { withinTime } from './time-limit';
import { askTypeScript, isTypeScriptFile } from './typescript-server';

/** Milliseconds that the look before a change may take: a server that is just starting isn't waited for. */
const LOOK_LIMIT = 500;
/** Milliseconds without a further report after which a server counts as done: syntax comes before meaning. */
const SETTLED = 200;

/** Whose watch it is, and where its look is kept for later. */
export interface Watching {
  readonly log: Log;
  readonly looks: TurnLooks;
  readonly served: Served;
  readonly turn?: TurnId | undefined;
}

/**
 * Watches one file's problems over a change. The editor looks for problems in files that have a tab, and tells by an event; of others
 * only TypeScript's server can be asked, and answers at once.
 */
export async function watchProblems(
  path: AbsolutePath,
  signal: AbortSignal,
  { log, looks, served, turn }: Watching,
): Promise<ProblemWatch> {
  const watched = { uri: vscode.Uri.file(path), signal, log };
  const isAsked = isTypeScriptFile(path);
  const isShown = hasTab(watched.uri);
  const own = isAsked ? undefined : await ownDocument(watched, served);
  const before = isAsked
    ? await quietly(watched, LOOK_LIMIT)
    : isShown || own
      ? shownProblems(watched.uri)
      : undefined;
  if (turn !== undefined) looks.note(turn, path, before);
  if (isAsked) return askedWatch(watched, before);
  if (own) return ownWatch(watched, own, served);
  if (!isShown) return { since: async () => ({ kind: 'unknown' }), dispose: () => undefined };
  return reportedWatch(watched, isLookedAt(watched.uri, served));
}

/** A stop ends every wait for it early; the change has happened by then, so nothing rejects. */
interface Watched {
  readonly uri: vscode.Uri;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The document, where a server that Belay started looks at it: tab or not, and it says of which text its report is. */
async function ownDocument({ uri, log }: Watched, served: Served): Promise<vscode.TextDocument | undefined> {
  if (!served.isAnyRunning()) return undefined;
  try {
    const document = await withinTime(vscode.workspace.openTextDocument(uri), LOOK_LIMIT, 'open');
    await withinTime(served.looked(document), LOOK_LIMIT, 'problems');
    return served.hasLooked(document) ? document : undefined;
  } catch (error) {
    log.debug(`problems: ${uri.fsPath}: ${messageOf(error)}`);
    return undefined;
  }
}

function ownWatch(watched: Watched, document: vscode.TextDocument, served: Served): ProblemWatch {
  const before = shownProblems(watched.uri);
  return {
    async since(text, limitMs) {
      const end = performance.now() + limitMs;
      if (!(await holds(watched, text, limitMs))) return { kind: 'unknown' };
      const left = Math.max(0, end - performance.now());
      await Promise.race([served.looked(document), delay(left, watched.signal)]).catch(() => undefined);
      if (!served.hasLooked(document)) return { kind: 'quiet' };
      return { kind: 'known', problems: newOf(shownProblems(watched.uri), before) };
    },
    dispose: () => undefined,
  };
}

/** `before` is undefined when the server didn't answer: then nobody can say what is new. */
function askedWatch(watched: Watched, before: readonly Problem[] | undefined): ProblemWatch {
  return {
    async since(text, limitMs) {
      const end = performance.now() + limitMs;
      if (before === undefined || !(await holds(watched, text, limitMs))) return { kind: 'unknown' };
      const now = await quietly(watched, Math.max(0, end - performance.now()));
      return now === undefined ? { kind: 'unknown' } : { kind: 'known', problems: newOf(now, before) };
    },
    dispose: () => undefined,
  };
}

/** For servers that only report: what is there when they have fallen silent. Where nobody looks silence says nothing. */
function reportedWatch({ uri, signal }: Watched, isLooked: boolean): ProblemWatch {
  const before = shownProblems(uri);
  let reportedAt: number | undefined;
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (uris.some((each) => each.toString() === uri.toString())) reportedAt = performance.now();
  });
  const isSettled = () => reportedAt !== undefined && performance.now() - reportedAt >= SETTLED;
  return {
    async since(_text, limitMs): Promise<NewProblems> {
      const end = performance.now() + limitMs;
      while (!isSettled() && !signal.aborted && performance.now() < end)
        await delay(Math.min(50, end - performance.now()));
      if (reportedAt === undefined) return { kind: isLooked ? 'quiet' : 'unknown' };
      return { kind: 'known', problems: newOf(shownProblems(uri), before) };
    },
    dispose: () => subscription.dispose(),
  };
}

/** Undefined when there is no such server, or it doesn't answer in time. A file that isn't there has no problems. */
async function quietly({ uri, log }: Watched, limitMs: number): Promise<readonly Problem[] | undefined> {
  try {
    return await withinTime(askTypeScript(uri), limitMs, 'problems');
  } catch (error) {
    log.debug(`problems: ${uri.fsPath}: ${messageOf(error)}`);
    return undefined;
  }
}

/** A document without a tab takes some time to read what was written to its file. */
async function holds({ uri, signal }: Watched, text: string, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  const isHeld = () => {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    return document === undefined || hasTab(uri) || sameLines(document.getText(), text);
  };
  while (!isHeld() && !signal.aborted && performance.now() < end) await delay(20);
  return isHeld();
}

/** A document has one kind of line ends, whatever its file has. */
function sameLines(one: string, two: string): boolean {
  return one === two || one.replace(/\r\n?/g, '\n') === two.replace(/\r\n?/g, '\n');
}
