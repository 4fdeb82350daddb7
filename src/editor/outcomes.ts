import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { ConflictChoices, RestoreOutcome } from '#protocol/checkpoint';
import { type Post, showNotice } from './notices';
import { plainText } from './plain-text';
import { outcomeTitle, partsOf, type UndoRequest } from './undo';

/** Longest list of conflicts in a notification, in characters; the panel's card has them all. */
const LONGEST = 900;

/** Where an outcome is told, and how what it leaves open is asked where no panel is on screen. */
export interface Told {
  readonly post: Post;
  decide(request: UndoRequest, outcome: Refused): Promise<ConflictChoices | undefined>;
  again(request: UndoRequest): Promise<void>;
}

type Refused = RestoreOutcome & { readonly status: 'conflict' };

/** Tells what an undo or redo came to: in the panel, or where the panel isn't on screen, by the editor's own means. */
export async function showOutcome(
  told: Told,
  session: AppSession,
  outcome: RestoreOutcome,
  request: UndoRequest | undefined,
): Promise<void> {
  const title = outcomeTitle(outcome, request);
  if (outcome.status === 'conflict') return showConflict(told, { session, title, outcome, request });
  const notes = outcome.status === 'done' ? outcome.notes : [];
  // What was done is seen; what was not, or differently, is said.
  if (outcome.status === 'done' && notes.length === 0)
    vscode.window.setStatusBarMessage(`Belay: ${title}`, 5000);
  else showNotice(told.post, { sessionId: session.id, severity: 'info', title, detail: notes.join('\n') });
}

interface Conflict {
  readonly session: AppSession;
  readonly title: string;
  readonly outcome: Refused;
  readonly request: UndoRequest | undefined;
}

async function showConflict(told: Told, { session, title, outcome, request }: Conflict): Promise<void> {
  const seen = told.post({
    type: 'restore-outcome',
    sessionId: session.id,
    title,
    conflicts: outcome.conflicts,
    ...(request ? { retry: retryOf(request) } : {}),
  });
  if (seen) return;
  if (request) {
    const choices = await told.decide(request, outcome);
    if (choices) await told.again({ ...request, onConflict: 'stop', choices });
    return;
  }
  const listed = outcome.conflicts.map(({ path, why }) => `${path}: ${why}`).join('; ');
  void vscode.window.showWarningMessage(plainText(t('{0}. {1}', title, listed).slice(0, LONGEST)));
}

/** The same request again, whatever its answer to conflicts will be. */
function retryOf(request: UndoRequest) {
  const { turn, scope } = request;
  return { turn, scope, ...partsOf(request) };
}
