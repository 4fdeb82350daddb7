import assert from 'node:assert/strict';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import type { AbsolutePath } from '#protocol/ids';
import { type EditorWorld, editorWorld, hash, onDisk } from '#test/host/support/editor-world';

const OLD = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');
const NEW = OLD.replace('line 40\n', 'changed\nand added\n');

/** What a person would notice if it changed under their hands. */
function seen() {
  const { activeTextEditor, tabGroups, visibleTextEditors } = vscode.window;
  return {
    active: activeTextEditor?.document.uri.toString(),
    selection: activeTextEditor?.selection.active.line,
    tabs: tabGroups.all.map((group) => group.tabs.map(({ label, isActive }) => [label, isActive])),
    shown: visibleTextEditors.map(({ document }) => document.uri.toString()).toSorted(),
  };
}

/** Each leaves the file as a person may have it, and the editor that they are looking at. */
const STATES: Readonly<Record<string, (world: EditorWorld, file: AbsolutePath) => Promise<unknown>>> = {
  'closed, beside another file': async (world) => world.show(world.put('other.txt', OLD)),
  'the active editor': async (world, file) => {
    const editor = await world.show(file);
    editor.selection = new vscode.Selection(4, 0, 4, 2);
  },
  'a tab in the background': async (world, file) => {
    await world.show(file);
    await world.show(world.put('other.txt', OLD));
  },
  'in two groups': async (world, file) => {
    await world.show(file);
    await world.show(file, { viewColumn: vscode.ViewColumn.Two });
  },
  'the side of a diff that can be edited': async (world, file) => {
    const before = vscode.Uri.file(world.put('before.txt', 'older\n'));
    await vscode.commands.executeCommand('vscode.diff', before, vscode.Uri.file(file), 'before ↔ now');
  },
  'closed, beside an untitled text': async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: 'not saved anywhere' });
    await vscode.window.showTextDocument(untitled);
  },
};

suite('a change that lands is noticed by nobody who looks elsewhere', () => {
  for (const [state, arrange] of Object.entries(STATES))
    test(`${state}: focus, tabs and selection stay, and the bytes are on disk`, async () => {
      await using world = editorWorld();
      const file = world.put('file.txt', OLD);
      await arrange(world, file);
      const before = seen();
      const dirty = unsaved();
      const landed = await world.files.land({
        kind: 'replace',
        path: file,
        bytes: Buffer.from(NEW),
        expected: hash(OLD),
      });
      assert.deepEqual(
        { ok: landed.ok, text: onDisk(file), seen: seen(), dirty: unsaved() },
        { ok: true, text: NEW, seen: before, dirty },
      );
    });

  test('a new file leaves an untitled text of the same path as it is', async () => {
    await using world = editorWorld();
    const file = path.join(world.folder, 'new.txt') as AbsolutePath;
    const untitled = await vscode.workspace.openTextDocument(
      vscode.Uri.file(file).with({ scheme: 'untitled' }),
    );
    const editor = await vscode.window.showTextDocument(untitled);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'theirs'));
    const before = seen();
    const landed = await world.files.land({ kind: 'create', path: file, bytes: Buffer.from('mine\n') });
    assert.deepEqual(
      { ok: landed.ok, text: onDisk(file), theirs: untitled.getText(), seen: seen() },
      { ok: true, text: 'mine\n', theirs: 'theirs', seen: before },
    );
  });

  test('in an open editor the change is one step of the person’s own undo stack, above theirs', async () => {
    await using world = editorWorld();
    const file = world.put('file.txt', OLD);
    const editor = await world.show(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'theirs\n'));
    await editor.document.save();
    const mine = `theirs\n${NEW}`;
    await world.files.land({
      kind: 'replace',
      path: file,
      bytes: Buffer.from(mine),
      expected: hash(`theirs\n${OLD}`),
    });
    const steps = [editor.document.getText()];
    for (let step = 0; step < 2; step++) {
      await vscode.commands.executeCommand('undo');
      steps.push(editor.document.getText());
    }
    assert.deepEqual(steps, [mine, `theirs\n${OLD}`, OLD]);
  });
});

function unsaved(): readonly string[] {
  return vscode.workspace.textDocuments
    .filter(({ isDirty }) => isDirty)
    .map(({ uri }) => uri.toString())
    .toSorted();
}
