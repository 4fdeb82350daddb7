import * as vscode from 'vscode';
import { z } from 'zod';
import type { Problem, Severity } from '#host/language/problems';

/** The editor's own extension for TypeScript and JavaScript. */
const EXTENSION = 'vscode.typescript-language-features';

const response = z.object({
  type: z.literal('response'),
  body: z.array(
    z.object({
      start: z.object({ line: z.number(), offset: z.number() }),
      text: z.string(),
      code: z.number().optional(),
      category: z.string(),
      source: z.string().optional(),
    }),
  ),
});

/** By its name: what TypeScript's server serves, JavaScript too. */
export function isTypeScriptFile(path: string): boolean {
  return /\.[cm]?[jt]sx?$/i.test(path);
}

/** Starts the server where it isn't running yet: without it nobody answers, and nobody says so. */
export async function startTypeScript(): Promise<void> {
  await vscode.extensions.getExtension(EXTENSION)?.activate();
}

/**
 * What TypeScript's server finds in a file that needs no tab (observed in VS Code 1.139: 36–90 ms). Nothing where there is no such
 * file. The command isn't documented: whatever it rejects with counts as not knowing.
 */
export async function askTypeScript(uri: vscode.Uri): Promise<readonly Problem[]> {
  return (await openIfThere(uri)) ? askAboutOpened(uri) : [];
}

/** The server knows only what was opened once. False where there is no such file: a document may outlive it. */
export async function openIfThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return false;
  }
  return openListed(uri);
}

/** The same for a file that was found on the disk a moment ago. */
export async function openListed(uri: vscode.Uri): Promise<boolean> {
  await startTypeScript();
  await vscode.workspace.openTextDocument(uri);
  return true;
}

/** What it finds in a file that has been opened. */
export async function askAboutOpened(uri: vscode.Uri): Promise<readonly Problem[]> {
  const found = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((request) =>
      vscode.commands.executeCommand('typescript.tsserverRequest', request, { file: uri }),
    ),
  );
  return found.flatMap((answer) => response.parse(answer).body).flatMap(toProblem);
}

const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: 'error',
  warning: 'warning',
  suggestion: 'hint',
  message: 'information',
};

function toProblem({ start, text, code, category, source }: z.infer<typeof response>['body'][number]) {
  const severity = SEVERITIES[category];
  if (severity === undefined) return [];
  return [
    {
      severity,
      line: start.line,
      column: start.offset,
      message: text,
      source: `${source ?? 'ts'} ${code ?? ''}`.trim(),
    } as const,
  ];
}
