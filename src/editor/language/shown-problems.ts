import * as vscode from 'vscode';
import type { Problem, Severity } from '#host/language/problems';

/** What the editor's list of problems holds of a file: its servers' and those of tasks. */
export function shownProblems(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).map(toProblem);
}

/** A diagnostic of the editor's. */
export function toProblem({ severity, range, message, source, code }: vscode.Diagnostic): Problem {
  const number = typeof code === 'object' ? code.value : (code ?? '');
  return {
    severity: severityOf(severity),
    line: range.start.line + 1,
    column: range.start.character + 1,
    message,
    source: `${source ?? ''} ${number}`.trim(),
  };
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

function severityOf(severity: vscode.DiagnosticSeverity): Severity {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return 'error';
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    case vscode.DiagnosticSeverity.Information:
      return 'information';
    case vscode.DiagnosticSeverity.Hint:
      return 'hint';
  }
}
