import * as vscode from 'vscode';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import type { Log } from '#host';
import type { NewProblems, Problem, ProblemWatch } from '#host/intelligence';
import type { AbsolutePath } from '#protocol/ids';
import { hasTab } from './tabs';
import { withinTime } from './time-limit';
import { askTypeScript, isTypeScriptFile } from './typescript-server';

/** Milliseconds that the look before a change may take: a server that is just starting isn't waited for. */
const LOOK_LIMIT = 500;
/** Milliseconds without a further report after which a server counts as done: syntax comes before meaning. */
const SETTLED = 200;

/**
 * Watches one file's problems over a change. The editor looks for problems in files that have a tab, and tells by an event; of others
 * only TypeScript's server can be asked, and answers at once.
 */
export async function watchProblems(
  path: AbsolutePath,
  signal: AbortSignal,
  log: Log,
): Promise<ProblemWatch> {
  const watched = { uri: vscode.Uri.file(path), signal, log };
  if (isTypeScriptFile(path)) return askedWatch(watched, await quietly(watched, LOOK_LIMIT));
  if (!hasTab(watched.uri)) return { since: async () => ({ kind: 'unknown' }), dispose: () => undefined };
  return reportedWatch(watched);
}

/** A stop ends every wait for it early; the change has happened by then, so nothing rejects. */
interface Watched {
  readonly uri: vscode.Uri;
  readonly signal: AbortSignal;
  readonly log: Log;
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

/** For servers that only report: what is there when they have fallen silent. */
function reportedWatch({ uri, signal }: Watched): ProblemWatch {
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
      if (reportedAt === undefined) return { kind: 'quiet' };
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

function shownProblems(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).flatMap(({ severity, range, message, source, code }) => {
    if (severity > vscode.DiagnosticSeverity.Warning) return [];
    const number = typeof code === 'object' ? code.value : (code ?? '');
    return [
      {
        severity: severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning',
        line: range.start.line + 1,
        message,
        source: `${source ?? ''} ${number}`.trim(),
      } as const,
    ];
  });
}

/** Lines move with an edit: the same words from the same source count as the same problem, as often as there were. */
function newOf(now: readonly Problem[], before: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return now.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ severity, source, message }: Problem): string {
  return JSON.stringify([severity, source, message]);
}
