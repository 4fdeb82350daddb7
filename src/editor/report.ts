import * as vscode from 'vscode';
import { messageOf } from '#base/result';
import type { EditorLog } from './log';
import { plainText } from './plain-text';

/** All that is known of a failure, for the log. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Tells a person that what they asked for failed; the log has the rest. */
export function showFailure(error: unknown, log: Pick<EditorLog, 'error' | 'redacted'>): void {
  log.error(traceOf(error));
  void vscode.window.showErrorMessage(plainText(log.redacted(`Belay: ${messageOf(error)}`)));
}
