import * as vscode from 'vscode';
import type { EditorLog } from './log';
import { showFailure } from './report';

const OURS = 'belay.';

/** Registers the commands that the manifest lists. `run` gets an id without `belay.`; what it rejects with is told to the person. */
export function registerCommands(
  { packageJSON }: vscode.Extension<unknown>,
  run: (id: string, args: readonly unknown[]) => Promise<void>,
  log: EditorLog,
): vscode.Disposable {
  const listed: readonly { readonly command: string }[] = packageJSON.contributes.commands;
  const registered = listed.map(({ command }) =>
    vscode.commands.registerCommand(command, async (...args: unknown[]) => {
      try {
        await run(command.slice(OURS.length), args);
      } catch (error) {
        showFailure(error, log);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
