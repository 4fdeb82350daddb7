import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import { count } from '#base/text';
import type { OnConflict, RestoreOutcome, RestoreScope } from '#protocol/checkpoint';

/** What a person wants taken back: a turn with all after it, or that one alone. */
export interface UndoRequest {
  readonly turn: number;
  readonly scope: RestoreScope;
  readonly onConflict?: OnConflict | undefined;
  readonly only?: true | undefined;
}

/** Shows what an undo came to, where the person is looking: the panel's card and one notification. */
export type ShowOutcome = (
  session: AppSession,
  outcome: RestoreOutcome,
  request: UndoRequest | undefined,
) => void;

/**
 * Takes turns back, after saying what can't be taken back: what commands changed on disk. Overwriting hand edits is asked
 * again. The dialog is modal since the person has just asked for this.
 */
export async function undoTurns(session: AppSession, request: UndoRequest, show: ShowOutcome): Promise<void> {
  if (session.running)
    return show(
      session,
      { status: 'nothing', why: t('A turn is running in this session. Stop it first.') },
      undefined,
    );
  if (request.scope !== 'session' && !(await agreesTo(session, request))) return;
  const outcome = await session.undo(request.turn, request.scope, {
    onConflict: request.onConflict ?? 'stop',
    ...(request.only ? { only: true } : {}),
  });
  show(session, outcome, request);
}

async function agreesTo(session: AppSession, request: UndoRequest): Promise<boolean> {
  const preview = await session.preview(request.turn, request.scope, request.only ? { only: true } : {});
  const overwritten = request.onConflict === 'overwrite' ? preview.conflicts : [];
  if (overwritten.length > 0) {
    const detail = overwritten.map(({ path, why }) => `${path}: ${why}`).join('\n');
    return confirm(
      t('Overwrite {0}?', count(overwritten.length, 'file')),
      t('These changes are lost:\n{0}', detail),
      t('Overwrite'),
    );
  }
  const { conflicts, notUndoable, files } = preview;
  // Without a file to undo the outcome itself says why.
  if (conflicts.length > 0 || notUndoable.length === 0 || files.length === 0) return true;
  const detail = t(
    'Changed while a command ran, and left as it is:\n{0}',
    notUndoable.slice(0, 20).join('\n'),
  );
  return confirm(t('Undo {0}?', count(files.length, 'file')), detail, t('Undo'));
}

async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

/** One sentence for a notification or a card's head. */
export function outcomeTitle(outcome: RestoreOutcome): string {
  switch (outcome.status) {
    case 'done':
      return outcome.files.length === 0
        ? t('The conversation was taken back')
        : t('{0} restored', count(outcome.files.length, 'file'));
    case 'conflict':
      return t('Nothing was undone: {0} changed since', count(outcome.conflicts.length, 'file'));
    case 'nothing':
      return outcome.why;
  }
}
