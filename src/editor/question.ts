import * as vscode from 'vscode';

/** A question before something goes for good: what is lost, and what stays. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
}

/** Modal, since the person has just asked for it: whether they go on. */
export async function agreed({ message, detail, button }: Question): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, button)) === button;
}
