import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { editorWorld, eventually, hash, onDisk } from '#test/host/support/editor-world';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));

suite('landing of changes in the editor', () => {
  test('a closed file is written to disk and no tab opens', async () => {
    await using world = editorWorld();
    const file = world.put('closed.txt', 'one\n');
    const before = tabs();
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes('two\n'),
      expected: hash('one\n'),
    });
    assert.deepEqual(
      { via: landed.ok && landed.value.via, text: onDisk(file), tabs: tabs() },
      { via: 'disk', text: 'two\n', tabs: before },
    );
  });

  test('an open clean file is edited and saved in place; the cursor moves along and one undo takes it back', async () => {
    await using world = editorWorld();
    const file = world.put('open.txt', 'one\ntwo\nthree\n');
    const editor = await world.show(file);
    editor.selection = new vscode.Selection(2, 3, 2, 3);
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes('zero\none\ntwo\nthree\n'),
      expected: hash('one\ntwo\nthree\n'),
    });
    const after = {
      via: landed.ok && landed.value.via,
      text: onDisk(file),
      dirty: editor.document.isDirty,
      line: editor.selection.active.line,
    };
    assert.deepEqual(after, { via: 'editor', text: 'zero\none\ntwo\nthree\n', dirty: false, line: 3 });
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  test('CRLF, a byte order mark and no final newline survive through an open editor', async () => {
    await using world = editorWorld();
    const old = '\ufeffone\r\ntwo\r\nthree';
    const wanted = '\ufeffone\r\n2\r\nthree';
    const file = world.put('windows.txt', old);
    await world.show(file);
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes(wanted),
      expected: hash(old),
    });
    assert.deepEqual(
      { via: landed.ok && landed.value.via, text: onDisk(file) },
      { via: 'editor', text: wanted },
    );
  });

  test('mixed line ends land on disk, since the editor would rewrite every line', async () => {
    await using world = editorWorld();
    const old = 'a\r\nb\nc\r\n';
    const wanted = 'a\r\nB\nc\r\n';
    const file = world.put('mixed.txt', old);
    const editor = await world.show(file);
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes(wanted),
      expected: hash(old),
    });
    assert.deepEqual(
      { via: landed.ok && landed.value.via, text: onDisk(file) },
      { via: 'disk', text: wanted },
    );
    await eventually('the editor shows the new text', () => editor.document.getText().includes('B'));
  });

  test('bytes that are not UTF-8 stay as they are: the change lands on disk', async () => {
    await using world = editorWorld();
    const before = Buffer.concat([bytes('caf'), Buffer.from([0xe9]), bytes('\nx\n')]);
    const after = Buffer.concat([bytes('caf'), Buffer.from([0xe9]), bytes('\ny\n')]);
    const file = world.put('latin.txt', before);
    await world.show(file);
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: after,
      expected: hash(before),
    });
    const now = await world.files.read(file);
    assert.deepEqual(
      { via: landed.ok && landed.value.via, hash: now.ok && now.value.sha256 },
      { via: 'disk', hash: hash(after) },
    );
  });

  test('mode 755 is kept in an open editor', async () => {
    await using world = editorWorld();
    const file = world.put('run.sh', '#!/bin/sh\n', 0o755);
    await world.show(file);
    await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes('#!/bin/sh\ntrue\n'),
      expected: hash('#!/bin/sh\n'),
    });
    assert.deepEqual(
      { mode: statSync(file).mode & 0o777, text: onDisk(file) },
      { mode: 0o755, text: '#!/bin/sh\ntrue\n' },
    );
  });

  test('a file in two groups and in a diff is edited without changing focus or tabs', async () => {
    await using world = editorWorld();
    const [file, other] = [world.put('shown.txt', 'old\n'), world.put('focused.txt', 'mine\n')];
    await world.show(file);
    await world.show(file, { viewColumn: vscode.ViewColumn.Two });
    const focused = await world.show(other, { viewColumn: vscode.ViewColumn.One });
    const before = tabs();
    await world.files.land({ kind: 'replace', path: file, bytes: bytes('new\n'), expected: hash('old\n') });
    const active = vscode.window.activeTextEditor?.document.uri.fsPath;
    assert.deepEqual(
      { text: onDisk(file), tabs: tabs(), active },
      { text: 'new\n', tabs: before, active: focused.document.uri.fsPath },
    );
  });

  test('a deleted file’s clean tab is closed, so that a save cannot bring it back', async () => {
    await using world = editorWorld();
    const file = world.put('gone.txt', 'x\n');
    await world.show(file);
    const landed = await world.files.land({ kind: 'delete', path: file, expected: hash('x\n') });
    assert.deepEqual(
      { ok: landed.ok, exists: existsSync(file), tabs: tabs().includes('gone.txt') },
      { ok: true, exists: false, tabs: false },
    );
  });

  test('what saving changed further is told', async () => {
    await using world = editorWorld();
    const configuration = vscode.workspace.getConfiguration('files');
    await configuration.update('insertFinalNewline', true, vscode.ConfigurationTarget.Global);
    try {
      const file = world.put('participant.txt', 'a\n');
      await world.show(file);
      const landed = await world.files.land({
        kind: 'replace',
        path: file,
        bytes: bytes('a\nb'),
        expected: hash('a\n'),
      });
      const told = landed.ok && { notes: landed.value.notes.length, after: landed.value.after?.sha256 };
      assert.deepEqual(
        { told, text: onDisk(file) },
        { told: { notes: 1, after: hash('a\nb\n') }, text: 'a\nb\n' },
      );
    } finally {
      await configuration.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test('exact bytes are not formatted, and the open editor shows them', async () => {
    await using world = editorWorld();
    const configuration = vscode.workspace.getConfiguration('files');
    await configuration.update('insertFinalNewline', true, vscode.ConfigurationTarget.Global);
    try {
      const file = world.put('exact.txt', 'a\n');
      const editor = await world.show(file);
      const landed = await world.files.land({
        kind: 'replace',
        path: file,
        bytes: bytes('b'),
        expected: hash('a\n'),
        exact: true,
      });
      await eventually('the editor shows them', () => editor.document.getText() === 'b');
      assert.deepEqual(
        { ok: landed.ok, text: onDisk(file), dirty: editor.document.isDirty },
        { ok: true, text: 'b', dirty: false },
      );
    } finally {
      await configuration.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test('a renamed file’s clean tab is closed, and none is opened', async () => {
    await using world = editorWorld();
    const file = world.put('old-name.txt', 'x\n');
    await world.show(file);
    const to = file.replace('old-name', 'new-name') as typeof file;
    const landed = await world.files.land({ kind: 'rename', path: file, to, expected: hash('x\n') });
    assert.deepEqual(
      {
        ok: landed.ok,
        text: onDisk(to),
        gone: !existsSync(file),
        tabs: tabs().filter((tab) => tab.includes('-name')),
      },
      { ok: true, text: 'x\n', gone: true, tabs: [] },
    );
  });
});
