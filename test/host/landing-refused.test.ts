import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { editorWorld, hash, onDisk } from '#test/host/support/editor-world';

const bytes = (text: string) => Buffer.from(text, 'utf8');

suite('changes that do not land', () => {
  test('a file with unsaved changes is a conflict: nothing is written, the text stays the person’s', async () => {
    await using world = editorWorld();
    const file = world.put('dirty.txt', 'saved\n');
    const editor = await world.show(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved '));
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes('agent\n'),
      expected: hash('saved\n'),
    });
    const after = {
      problem: !landed.ok && landed.error.kind,
      disk: onDisk(file),
      text: editor.document.getText(),
    };
    assert.deepEqual(after, { problem: 'dirty', disk: 'saved\n', text: 'unsaved saved\n' });
  });

  test('a save that the editor refuses is a failure, and the new text does not wait in the editor', async () => {
    await using world = editorWorld();
    const configuration = vscode.workspace.getConfiguration('files');
    await configuration.update(
      'readonlyInclude',
      { '**/locked.txt': true },
      vscode.ConfigurationTarget.Global,
    );
    try {
      const file = world.put('locked.txt', 'a\n');
      const editor = await world.show(file);
      const landed = await world.files.land({
        kind: 'replace',
        path: file,
        bytes: bytes('b\n'),
        expected: hash('a\n'),
      });
      assert.deepEqual(
        { problem: !landed.ok && landed.error.kind, text: onDisk(file), shown: editor.document.getText() },
        { problem: 'failed', text: 'a\n', shown: 'a\n' },
      );
    } finally {
      await configuration.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test('a file whose mode forbids writing is left alone, closed or open, and its tab stays clean', async () => {
    await using world = editorWorld();
    const closed = world.put('closed.txt', 'a\n', 0o444);
    const shown = world.put('shown.txt', 'a\n', 0o444);
    const { document } = await world.show(shown);
    const ends = await Promise.all(
      [closed, shown].map(async (path) => {
        const change = { kind: 'replace', path, bytes: bytes('b\n'), expected: hash('a\n') } as const;
        const landed = await world.files.land(change);
        return [landed.ok ? landed : landed.error, onDisk(path), statSync(path).mode & 0o7777];
      }),
    );
    const denied = {
      kind: 'denied',
      message: 'the file is read-only (mode 444); make it writable first',
    };
    assert.deepEqual(
      { ends, text: document.getText(), unsaved: document.isDirty },
      {
        ends: [
          [denied, 'a\n', 0o444],
          [denied, 'a\n', 0o444],
        ],
        text: 'a\n',
        unsaved: false,
      },
    );
  });

  test('a change while the person types lands whole beside their words or not at all', async () => {
    await using world = editorWorld();
    const file = world.put('typed.txt', 'one\ntwo\n');
    const editor = await world.show(file);
    const typing = (async () => {
      for (const character of 'hello')
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), character));
    })();
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes('one\nTWO\n'),
      expected: hash('one\ntwo\n'),
    });
    await typing;
    const text = editor.document.getText();
    assert.equal([...(text.split('\n', 1)[0] ?? '')].sort().join(''), [...'helloone'].sort().join(''));
    assert.deepEqual(
      { agents: text.includes('TWO'), problem: landed.ok ? undefined : landed.error.kind },
      landed.ok ? { agents: true, problem: undefined } : { agents: false, problem: 'dirty' },
    );
  });

  test('a file that changed since it was read is not overwritten', async () => {
    await using world = editorWorld();
    const file = world.put('changed.txt', 'theirs\n');
    await world.show(file);
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes('ours\n'),
      expected: hash('before\n'),
    });
    assert.deepEqual(
      { problem: !landed.ok && landed.error.kind, text: onDisk(file) },
      { problem: 'changed', text: 'theirs\n' },
    );
  });

  test('a document of another scheme with the same path is not taken for the file', async () => {
    await using world = editorWorld();
    const file = world.put('twin.txt', 'disk\n');
    const provider = vscode.workspace.registerTextDocumentContentProvider('belay-test', {
      provideTextDocumentContent: () => 'elsewhere\n',
    });
    try {
      await vscode.window.showTextDocument(vscode.Uri.from({ scheme: 'belay-test', path: file }));
      assert.equal(world.documents.find(file), undefined);
    } finally {
      provider.dispose();
    }
  });
});
