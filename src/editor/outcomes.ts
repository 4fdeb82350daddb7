import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { RestoreOutcome } from '#protocol/checkpoint';
import { type Post, showNotice } from './notices';
import { plainText } from './plain-text';
import { outcomeTitle, type UndoRequest } from './undo';

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
  const notes = outcome.status === 'done' ? outcome.notes : [];
  // What was done is seen; what was not, or differently, is said.
  if (outcome.status === 'done' && notes.length === 0)
    vscode.window.setStatusBarMessage(`Belay: ${title}`, 5000);
  else showNotice(post, { sessionId: session.id, severity: 'info', title, detail: notes.join('\n') });
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
