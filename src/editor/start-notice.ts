import * as vscode from 'vscode';
import type { StartNotice } from '#app/notices';
import { t } from '#base/l10n';
import { plainText } from './plain-text';

/** What was recovered or set aside at start, once; the panel's card has the buttons. */
export function showStartNotice({ sessionId, title, detail }: StartNotice): void {
  const show = t('Show');
  const buttons = sessionId === undefined ? [] : [show];
  void vscode.window.showWarningMessage(plainText(`${title}. ${detail}`), ...buttons).then(async (chosen) => {
    if (chosen === show) await vscode.commands.executeCommand('belay.openChat', sessionId);
  });
}
