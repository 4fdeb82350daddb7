import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { RestoreOutcome } from '#protocol/checkpoint';
import type { ToPanel } from '#protocol/wire';
import { plainText } from './plain-text';
import { outcomeTitle, type UndoRequest } from './undo';

/** Tells the panel; false when nobody sees it there. */
export type Post = (message: ToPanel) => boolean;

/** Longest list of conflicts in a notification, in characters; the panel's card has them all. */
const LONGEST = 900;

/** Tells what an undo or redo came to: in the panel, or where the panel isn't on screen, in a notification. */
export function showOutcome(
  post: Post,
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
    showNotice(post, { sessionId: session.id, severity: 'info', title, detail: notes.join('\n') });
}

/** Something that a person should know about what they asked for. */
export function showNotice(post: Post, notice: Omit<ToPanel & { readonly type: 'notice' }, 'type'>): void {
  if (post({ type: 'notice', ...notice })) return;
  const { severity, title, detail } = notice;
  const text = plainText(`Belay: ${detail === '' ? title : t('{0}. {1}', title, detail)}`);
  if (severity === 'info') void vscode.window.showInformationMessage(text);
  else if (severity === 'warning') void vscode.window.showWarningMessage(text);
  else void vscode.window.showErrorMessage(text);
}

interface Conflict {
  readonly session: AppSession;
  readonly title: string;
  readonly outcome: RestoreOutcome & { readonly status: 'conflict' };
  readonly request: UndoRequest | undefined;
}

function showConflict(post: Post, { session, title, outcome, request }: Conflict): void {
  const seen = post({
    type: 'restore-outcome',
    sessionId: session.id,
    title,
    conflicts: outcome.conflicts,
    ...(request ? { retry: retryOf(request) } : {}),
  });
  if (seen) return;
  const listed = outcome.conflicts.map(({ path, why }) => `${path}: ${why}`).join('; ');
  void vscode.window.showWarningMessage(plainText(t('{0}. {1}', title, listed).slice(0, LONGEST)));
}

/** The same request again, whatever its answer to conflicts will be. */
function retryOf({ turn, scope, only }: UndoRequest) {
  return { turn, scope, ...(only ? { only } : {}) };
}
