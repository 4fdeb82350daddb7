import { posix as path } from 'node:path';
import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { targetOf } from '#disk/links';
import type { CheckpointSummary, FileChange } from '#protocol/checkpoint';
import { queryUri, type Side, sideUri } from './checkpoint-files';

/** Opens what one turn did to one file: before ↔ after, or before ↔ the file as it is now. Only on a person's click. */
export async function openFileDiff(
  folder: vscode.Uri,
  checkpoint: CheckpointSummary,
  change: FileChange,
  against: 'after' | 'now',
): Promise<void> {
  if (change.before.kind === 'folder')
    throw new Error(t('Only the permissions of this folder changed, so there is nothing to compare.'));
  const file = vscode.Uri.joinPath(folder, change.path);
  const side = (where: vscode.Uri, which: Side) => sideUri(where, checkpoint.id, change.path, which);
  const name = path.basename(change.path);
  const before = side(beforeFile(folder, change), 'before');
  if (against === 'after') {
    const title = t('{0} (turn {1})', name, checkpoint.turn);
    await vscode.commands.executeCommand('vscode.diff', before, side(file, 'after'), title);
    return;
  }
  // The editor opens no diff with a file that isn't there, and follows a link.
  const link =
    targetOf(file.fsPath) === undefined ? undefined : queryUri(file, { side: 'now', path: change.path });
  const isThere = link !== undefined || (await exists(file));
  const title = isThere
    ? t('{0} (before turn {1} ↔ now)', name, checkpoint.turn)
    : t('{0} (before turn {1} ↔ now deleted)', name, checkpoint.turn);
  await vscode.commands.executeCommand(
    'vscode.diff',
    before,
    isThere ? (link ?? file) : side(file, 'nothing'),
    title,
  );
}

/** Opens all that turns did, one multi-diff editor. The last state of each path stands on the right. */
export async function openTurnsDiff(
  folder: vscode.Uri,
  checkpoints: readonly CheckpointSummary[],
  title: string,
): Promise<void> {
  const rows = [...composed(checkpoints).values()].flatMap((steps) => rowOf(folder, steps));
  if (rows.length > 0) await vscode.commands.executeCommand('vscode.changes', title, rows);
  else if (checkpoints.some(({ files }) => files.length > 0))
    throw new Error(t('There is nothing to compare: these files are gone again.'));
  else if (checkpoints.every(({ folders }) => folders))
    throw new Error(t('Only folders were made or removed here, so there is nothing to compare.'));
  else throw new Error(t('Only commands changed files here, and Belay has no earlier copy of those.'));
}

type Row = readonly [file: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined];

/** Empty for a file that came and went: it has no side to show. */
function rowOf(folder: vscode.Uri, { first, last }: Steps): readonly Row[] {
  const file = vscode.Uri.joinPath(folder, last.change.path);
  const isNew = first.change.before.kind === 'absent' && first.change.operation !== 'rename';
  const isGone = last.change.after.kind === 'absent';
  if (isNew && isGone) return [];
  const before = sideUri(beforeFile(folder, first.change), first.checkpoint.id, first.change.path, 'before');
  const after = sideUri(file, last.checkpoint.id, last.change.path, 'after');
  return [[file, isNew ? undefined : before, isGone ? undefined : after]];
}

interface Steps {
  readonly first: Step;
  readonly last: Step;
}

interface Step {
  readonly checkpoint: CheckpointSummary;
  readonly change: FileChange;
}

/** First and last state of every path over several turns, oldest turn first. */
function composed(checkpoints: readonly CheckpointSummary[]): ReadonlyMap<string, Steps> {
  const paths = new Map<string, Steps>();
  for (const checkpoint of [...checkpoints].sort((a, b) => a.turn - b.turn)) {
    for (const change of checkpoint.files) {
      if (change.before.kind === 'folder') continue;
      const earlier = paths.get(change.from ?? change.path) ?? paths.get(change.path);
      if (change.from) paths.delete(change.from);
      paths.set(change.path, {
        first: earlier?.first ?? { checkpoint, change },
        last: { checkpoint, change },
      });
    }
  }
  return paths;
}

function beforeFile(folder: vscode.Uri, change: FileChange): vscode.Uri {
  return vscode.Uri.joinPath(folder, change.from ?? change.path);
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
