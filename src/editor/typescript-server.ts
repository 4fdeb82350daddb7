import * as vscode from 'vscode';
import { z } from 'zod';
import type { Problem } from '#host/intelligence';

/** The editor's own extension for TypeScript and JavaScript. */
const EXTENSION = 'vscode.typescript-language-features';

const response = z.object({
  type: z.literal('response'),
  body: z.array(
    z.object({
      start: z.object({ line: z.number() }),
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
 * What TypeScript's server finds in a file that needs no tab (observed in VS Code 1.139: 36–90 ms). The command isn't documented:
 * whatever it rejects with counts as not knowing.
 */
export async function askTypeScript(uri: vscode.Uri): Promise<readonly Problem[]> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return [];
  }
  await startTypeScript();
  // The server knows only what was opened once.
  await vscode.workspace.openTextDocument(uri);
  const found = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((request) =>
      vscode.commands.executeCommand('typescript.tsserverRequest', request, { file: uri }),
    ),
  );
  return found.flatMap((answer) => response.parse(answer).body).flatMap(toProblem);
}

function toProblem({ start, text, code, category, source }: z.infer<typeof response>['body'][number]) {
  if (category !== 'error' && category !== 'warning') return [];
  return [
    {
      severity: category,
      line: start.line,
      message: text,
      source: `${source ?? 'ts'} ${code ?? ''}`.trim(),
    } as const,
  ];
}
