import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { CheckpointSummary, FileChange } from '#protocol/checkpoint';
import { sideUri } from './checkpoint-files';

/** Opens what one turn did to one file: before ↔ after, or before ↔ the file as it is now. Only on a person's click. */
export async function openFileDiff(
  folder: vscode.Uri,
  checkpoint: CheckpointSummary,
  change: FileChange,
  against: 'after' | 'now',
): Promise<void> {
  const file = vscode.Uri.joinPath(folder, change.path);
  const before = sideUri(beforeFile(folder, change), checkpoint.id, change.path, 'before');
  const name = change.path.split('/').at(-1) ?? change.path;
  if (against === 'now') {
    await vscode.commands.executeCommand(
      'vscode.diff',
      before,
      file,
      t('{0} (before turn {1} ↔ now)', name, checkpoint.turn),
    );
    return;
  }
  const after = sideUri(file, checkpoint.id, change.path, 'after');
  await vscode.commands.executeCommand(
    'vscode.diff',
    before,
    after,
    t('{0} (turn {1})', name, checkpoint.turn),
  );
}

/** Opens all that turns did, one multi-diff editor. The last state of each path stands on the right. */
export async function openTurnsDiff(
  folder: vscode.Uri,
  checkpoints: readonly CheckpointSummary[],
  title: string,
): Promise<void> {
  const rows = [...composed(checkpoints).values()].map(
    ({ first, last }): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] => {
      const file = vscode.Uri.joinPath(folder, last.change.path);
      const before =
        first.change.before.kind === 'absent' && first.change.operation !== 'rename'
          ? undefined
          : sideUri(beforeFile(folder, first.change), first.checkpoint.id, first.change.path, 'before');
      const after =
        last.change.after.kind === 'absent'
          ? undefined
          : sideUri(file, last.checkpoint.id, last.change.path, 'after');
      return [file, before, after];
    },
  );
  if (rows.length > 0) await vscode.commands.executeCommand('vscode.changes', title, rows);
}

interface Step {
  readonly checkpoint: CheckpointSummary;
  readonly change: FileChange;
}

/** First and last state of every path over several turns, oldest turn first. */
function composed(
  checkpoints: readonly CheckpointSummary[],
): Map<string, { readonly first: Step; readonly last: Step }> {
  const paths = new Map<string, { first: Step; last: Step }>();
  for (const checkpoint of [...checkpoints].sort((a, b) => a.turn - b.turn)) {
    for (const change of checkpoint.files) {
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
