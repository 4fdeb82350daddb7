import { posix as path } from 'node:path';
import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import { targetOf } from '#disk/links';
import { queryUri } from '#editor/checkpoint-files';

/** A file that waits for review. */
export type ReviewChange = Awaited<ReturnType<AppSession['review']['changes']>>[number];

/** Opens one file's changes that wait for review: what they are compared with ↔ the file. Only on a person's click. */
export async function openReviewFile(
  folder: vscode.Uri,
  sessionId: string,
  change: ReviewChange,
): Promise<void> {
  const [file, before, after] = await sidesOf(folder, sessionId, change);
  const title = t('{0} (changes to review)', path.basename(change.path));
  await vscode.commands.executeCommand('vscode.diff', before, after ?? nothingAt(file), title);
}

/** All of them, in one multi-diff editor. */
export async function openReview(
  folder: vscode.Uri,
  sessionId: string,
  changes: readonly ReviewChange[],
): Promise<void> {
  const sides = await Promise.all(changes.map((change) => sidesOf(folder, sessionId, change)));
  const rows = sides.flatMap(([file, before, after], index) => {
    const isNew = changes[index]?.operation === 'create';
    // The editor shows no row without a side.
    return isNew && !after ? [] : [[file, isNew ? undefined : before, after] as const];
  });
  if (rows.length === 0) throw new Error(t('There is nothing to compare: these files are gone again.'));
  await vscode.commands.executeCommand('vscode.changes', t('Belay: changes to review'), rows);
}

/**
 * The file, the earlier side under its name of then, and the file if it is there. Of a link what is written in it: the editor would
 * follow it.
 */
async function sidesOf(
  folder: vscode.Uri,
  session: string,
  { path: name, from }: ReviewChange,
): Promise<readonly [file: vscode.Uri, before: vscode.Uri, after: vscode.Uri | undefined]> {
  const file = vscode.Uri.joinPath(folder, name);
  const before = queryUri(vscode.Uri.joinPath(folder, from ?? name), { side: 'review', session, path: name });
  if (targetOf(file.fsPath) !== undefined) return [file, before, queryUri(file, { side: 'now', path: name })];
  return [file, before, (await exists(file)) ? file : undefined];
}

function nothingAt(file: vscode.Uri): vscode.Uri {
  return queryUri(file, { side: 'nothing' });
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
