import * as vscode from 'vscode';
import { loadWords } from '#base/l10n';

/** The editor has read the bundle of its language before it activates us, so nothing is read or awaited here; in English there is none. */
export function speakTheEditorsLanguage(): void {
  const { bundle } = vscode.l10n;
  if (bundle) loadWords(bundle);
}
