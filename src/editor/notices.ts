import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { ToPanel } from '#protocol/wire';
import { plainText } from './plain-text';

/** Tells the panel; false when nobody sees it there. */
export type Post = (message: ToPanel) => boolean;

/** Says what a person should know: in the panel, or where nobody sees that, in a notification. */
export function showNotice(post: Post, notice: Omit<ToPanel & { readonly type: 'notice' }, 'type'>): void {
  if (post({ type: 'notice', ...notice })) return;
  const { severity, title, detail } = notice;
  const text = plainText(`Belay: ${detail === '' ? title : t('{0}. {1}', title, detail)}`);
  if (severity === 'info') void vscode.window.showInformationMessage(text);
  else if (severity === 'warning') void vscode.window.showWarningMessage(text);
  else void vscode.window.showErrorMessage(text);
}

/** What can be seen anyway needs no more than a word at the window's edge. */
export function say(words: string): void {
  vscode.window.setStatusBarMessage(words, 5000);
}
