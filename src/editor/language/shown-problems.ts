import * as vscode from 'vscode';
import type { Problem, Severity } from '#host/language/problems';

/** What the editor's list of problems holds of a file: its servers' and those of tasks. */
export function shownProblems(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).map(toProblem);
}

/** The very object that an extension made, or made of what a server sent (`"code": null` is common): no field is surely what its type says. */
interface Unchecked {
  readonly severity?: vscode.DiagnosticSeverity | null;
  readonly range?: vscode.Range | null;
  readonly message?: unknown;
  readonly source?: unknown;
  readonly code?: unknown;
}

/** A diagnostic of the editor's, whatever stands in it: one odd report must keep nobody from looking, nor from editing. */
export function toProblem({ severity, range, message, source, code }: Unchecked): Problem {
  const start = range?.start;
  const number: unknown = typeof code === 'object' && code !== null ? Reflect.get(code, 'value') : code;
  return {
    severity: severityOf(severity),
    line: (start?.line ?? 0) + 1,
    column: (start?.character ?? 0) + 1,
    message: wordOf(message),
    source: `${wordOf(source)} ${wordOf(number)}`.trim(),
  };
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Lines move with an edit: the same words from the same source count as the same problem, as often as there were. Only errors and warnings. */
export function newOf(now: readonly Problem[], before: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return now.filter(isGrave).filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function isGrave({ severity }: Problem): boolean {
  return severity === 'error' || severity === 'warning';
}

function keyOf({ severity, source, message }: Problem): string {
  return JSON.stringify([severity, source, message]);
}

function severityOf(severity: Unchecked['severity']): Severity {
  switch (severity) {
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    case vscode.DiagnosticSeverity.Information:
      return 'information';
    case vscode.DiagnosticSeverity.Hint:
      return 'hint';
    default:
      // As the editor shows one that has none.
      return 'error';
  }
}
