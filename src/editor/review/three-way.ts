import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import { queryUri, type SideQuery } from '#editor/checkpoint-files';
import { optionsOf, type UndoRequest } from '#editor/undo';

type Sides = NonNullable<ReturnType<AppSession['sides']>>;

/**
 * Opens a file that an undo met as three comparisons below each other: what Belay did, what was done since, what the undo would do.
 * Only on a person's click: it takes the focus. An editor for merging is no part of the editor's stable interface.
 */
export async function openThreeWay(
  folder: vscode.Uri,
  session: AppSession,
  { request, path }: { readonly request: UndoRequest; readonly path: string },
): Promise<void> {
  const sides = session.sides(request.turn, path, optionsOf(request));
  if (!sides) throw new Error(t('Turn {0} did not change {1}.', request.turn, path));
  const before = contentOf(sides.before);
  const after = contentOf(sides.after ?? { kind: 'absent' });
  const now: SideQuery = { side: 'now', path };
  const rows = [
    row(folder, path, { words: t('1 What Belay changed'), from: before, to: after }),
    row(folder, path, { words: t('2 What was changed since'), from: after, to: now }),
    row(folder, path, { words: t('3 What undo would do'), from: now, to: before }),
  ];
  await vscode.commands.executeCommand('vscode.changes', t('Belay: {0} before undo', path), rows);
}

interface Row {
  readonly words: string;
  readonly from: SideQuery;
  readonly to: SideQuery;
}

/** The words stand where the file's folder would: that is what the editor shows over each comparison. */
function row(folder: vscode.Uri, path: string, { words, from, to }: Row) {
  const shown = vscode.Uri.joinPath(folder, words, path);
  return [queryUri(shown, to), queryUri(shown, from), queryUri(shown, to)] as const;
}

function contentOf(state: Sides['before']): SideQuery {
  if (state.kind === 'link') return { side: 'link', target: state.target };
  return state.kind === 'file' ? { side: 'content', sha256: state.sha256 } : { side: 'nothing' };
}
