import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { RestoreOutcome } from '#protocol/checkpoint';
import type { ToPanel } from '#protocol/wire';
import { plainText } from './plain-text';
import { outcomeTitle, type UndoRequest } from './undo';

/** Longest list of conflicts in a notification, in characters; the panel's card has them all. */
const LONGEST = 900;

/** Tells what an undo or redo came to, where the person is looking: in the panel, and beside it where that may be closed. */
export function showOutcome(
  post: (message: ToPanel) => void,
  session: AppSession,
  outcome: RestoreOutcome,
  request: UndoRequest | undefined,
): void {
  const title = outcomeTitle(outcome);
  if (outcome.status === 'conflict') {
    showConflict(post, { session, title, outcome, request });
    return;
  }
  vscode.window.setStatusBarMessage(`Belay: ${title}`, 5000);
  const notes = outcome.status === 'done' ? outcome.notes : [];
  if (outcome.status === 'nothing' || notes.length > 0)
    post({ type: 'notice', sessionId: session.id, severity: 'info', title, detail: notes.join('\n') });
}

interface Conflict {
  readonly session: AppSession;
  readonly title: string;
  readonly outcome: RestoreOutcome & { readonly status: 'conflict' };
  readonly request: UndoRequest | undefined;
}

function showConflict(
  post: (message: ToPanel) => void,
  { session, title, outcome, request }: Conflict,
): void {
  post({
    type: 'restore-outcome',
    sessionId: session.id,
    title,
    conflicts: outcome.conflicts,
    ...(request ? { retry: { turn: request.turn, scope: request.scope } } : {}),
  });
  const listed = outcome.conflicts.map(({ path, why }) => `${path}: ${why}`).join('; ');
  void vscode.window.showWarningMessage(plainText(t('{0}. {1}', title, listed).slice(0, LONGEST)));
}
