import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import type { Landing } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { editorWorld, hash, onDisk } from '#test/host/support/editor-world';

const replace = (path: AbsolutePath, from: string, to: string): Landing => ({
  kind: 'replace',
  path,
  bytes: Buffer.from(to),
  expected: hash(from),
});

suite('several files of one turn', () => {
  test('each open file has a step of its own: one Ctrl+Z takes back that file and no other', async () => {
    await using world = editorWorld();
    const first = world.put('first.txt', 'one\n');
    const second = world.put('second.txt', 'two\n');
    const other = await world.show(second);
    const editor = await world.show(first);
    for (const landing of [replace(first, 'one\n', 'ONE\n'), replace(second, 'two\n', 'TWO\n')])
      assert.equal((await world.files.land(landing)).ok, true);
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(
      { undone: editor.document.getText(), other: other.document.getText(), disk: onDisk(second) },
      { undone: 'one\n', other: 'TWO\n', disk: 'TWO\n' },
    );
  });

  test('unsaved text behind another tab is a conflict too, and the tab in front stays', async () => {
    await using world = editorWorld();
    const behind = world.put('behind.txt', 'saved\n');
    const front = world.put('front.txt', 'front\n');
    const editor = await world.show(behind);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed '));
    await world.show(front);
    const landed = await world.files.land(replace(behind, 'saved\n', 'agent\n'));
    assert.deepEqual(
      {
        problem: !landed.ok && landed.error.kind,
        disk: onDisk(behind),
        text: editor.document.getText(),
        active: vscode.window.activeTextEditor?.document.uri.fsPath,
      },
      { problem: 'dirty', disk: 'saved\n', text: 'typed saved\n', active: front },
    );
  });

  test('neither a deletion nor a rename of a file with unsaved text goes through', async () => {
    await using world = editorWorld();
    const file = world.put('typed.txt', 'saved\n');
    const editor = await world.show(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed '));
    const to = `${world.folder}/moved.txt` as AbsolutePath;
    const problems = [];
    for (const landing of [
      { kind: 'delete', path: file, expected: hash('saved\n') },
      { kind: 'rename', path: file, to, expected: hash('saved\n') },
    ] as const) {
      const landed = await world.files.land(landing);
      problems.push(!landed.ok && landed.error.kind);
    }
    assert.deepEqual(
      { problems, disk: onDisk(file), text: editor.document.getText() },
      { problems: ['dirty', 'dirty'], disk: 'saved\n', text: 'typed saved\n' },
    );
  });
});
