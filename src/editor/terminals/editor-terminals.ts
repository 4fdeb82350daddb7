import * as vscode from 'vscode';
import type { ShownCommand, Terminals, TerminalView } from '#host/terminals';
import { Mirror } from './mirror';

/** Background commands in the editor's own list of terminals. Nothing is shown until the person clicks it there. */
export const editorTerminals: Terminals = {
  add(command: ShownCommand): TerminalView {
    const mirror = new Mirror(command);
    const terminal = vscode.window.createTerminal({
      name: command.name,
      pty: mirror,
      iconPath: new vscode.ThemeIcon('server-process'),
      // A window that comes back finds commands that are gone.
      isTransient: true,
    });
    return {
      write: (text) => mirror.write(text),
      keepTo: (size) => mirror.keepTo(size),
      show: () => terminal.show(),
      ended: () => mirror.ended(),
      dispose() {
        mirror.leave();
        terminal.dispose();
      },
    };
  },
};
