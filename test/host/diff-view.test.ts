import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { openFileDiff, openTurnsDiff } from '#editor/diff-view';
import type { CheckpointSummary, FileChange } from '#protocol/checkpoint';
import type { CheckpointId, Sha256, TurnId } from '#protocol/ids';
import { eventually } from '#test/host/support/editor-world';

const ABSENT = { kind: 'absent' } as const;
const THERE = { kind: 'file', sha256: 's' as Sha256, bytes: 1, mode: 0o644 } as const;
const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');

suite('what turns changed, side by side', () => {
  test('a file that was deleted since stands beside nothing', async () => {
    const gone = changed('gone.ts', 'modify', { before: THERE, after: THERE });
    await openFileDiff(folder, turn(1, gone), gone, 'now');
    await eventually('the diff is open', () => shownDiff() !== undefined);
    const { label, diff } = shownDiff() ?? {};
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(
      [label, new URLSearchParams(diff?.modified.query).get('side')],
      ['gone.ts (before turn 1 ↔ now deleted)', 'nothing'],
    );
  });

  test('a file that came and went again is left out, and where nothing is left that is said', async () => {
    const made = turn(1, changed('tmp.ts', 'create', { before: ABSENT, after: THERE }));
    const removed = turn(2, changed('tmp.ts', 'delete', { before: THERE, after: ABSENT }));
    await assert.rejects(openTurnsDiff(folder, [made, removed], 'Both'), {
      message: 'There is nothing to compare: these files are gone again.',
    });
  });

  test('of a turn whose commands alone changed files it is said that there is no earlier copy', async () => {
    const commandChanges = [{ path: 'dist/a.js', operation: 'create', command: 'npm run build' } as const];
    await assert.rejects(openTurnsDiff(folder, [{ ...turn(1), commandChanges }], 'Turn 1'), {
      message: 'Only commands changed files here, and Belay has no earlier copy of those.',
    });
  });
});

function shownDiff(): { readonly label: string; readonly diff: vscode.TabInputTextDiff } | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab?.input instanceof vscode.TabInputTextDiff ? { label: tab.label, diff: tab.input } : undefined;
}

function changed(
  path: string,
  operation: FileChange['operation'],
  sides: Pick<FileChange, 'before' | 'after'>,
): FileChange {
  return { path, operation, ...sides, added: 1, removed: 0 };
}

function turn(number: number, ...files: readonly FileChange[]): CheckpointSummary {
  return {
    id: `c${number}` as CheckpointId,
    turnId: `t${number}` as TurnId,
    turn: number,
    prompt: 'p',
    at: 0,
    state: 'sealed',
    files,
    commandChanges: [],
  };
}
