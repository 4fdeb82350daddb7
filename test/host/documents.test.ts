import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { editorWorld, eventually } from '#test/host/support/editor-world';

const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'a', metadata: {}, source: ['1'], outputs: [], execution_count: null }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

suite('what a person has open', () => {
  test('an unsaved notebook counts under its real path, though it was opened through a link', async () => {
    await using world = editorWorld();
    const real = world.put('real.ipynb', NOTEBOOK);
    const link = path.join(path.dirname(real), 'link.ipynb');
    symlinkSync(real, link);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(link));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(notebook.cellAt(0).document.uri, new vscode.Range(0, 0, 0, 1), '2');
    await vscode.workspace.applyEdit(edit);
    try {
      await eventually('the notebook is unsaved', () => notebook.isDirty);
      assert.equal(world.documents.dirtyNotebook(real), true);
    } finally {
      await notebook.save();
    }
  });
});
