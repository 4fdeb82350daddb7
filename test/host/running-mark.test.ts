import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { RunningMark } from '#editor/running-mark';
import { eventually } from '#test/host/support/editor-world';

const folder = vscode.Uri.file('/some/folder');

suite('the mark of a running turn', () => {
  test('stands while a turn runs, for its own folder alone', async () => {
    const storage = vscode.Uri.file(mkdtempSync(path.join(tmpdir(), 'belay-mark-')));
    try {
      const mark = new RunningMark(storage, folder);
      mark.set(true);
      await seen(storage, folder, true);
      const other = await new RunningMark(storage, vscode.Uri.file('/other')).isLeft();
      mark.set(false);
      await seen(storage, folder, false);
      assert.equal(other, false);
    } finally {
      rmSync(storage.fsPath, { recursive: true, force: true });
    }
  });

  test('what a dead window left is seen, and gone once it has been looked after', async () => {
    const storage = vscode.Uri.file(mkdtempSync(path.join(tmpdir(), 'belay-mark-')));
    try {
      new RunningMark(storage, folder).set(true);
      await seen(storage, folder, true);
      new RunningMark(storage, folder).clear();
      await seen(storage, folder, false);
    } finally {
      rmSync(storage.fsPath, { recursive: true, force: true });
    }
  });
});

async function seen(storage: vscode.Uri, place: vscode.Uri, expected: boolean): Promise<void> {
  let now: boolean | undefined;
  await eventually(`the mark ${expected ? 'stands' : 'is gone'}`, () => {
    void new RunningMark(storage, place).isLeft().then((left) => {
      now = left;
    });
    return now === expected;
  });
}
