import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import type { AbsolutePath } from '#protocol/ids';
import { type EditorWorld, editorWorld, eventually, hash, onDisk } from '#test/host/support/editor-world';
import { codeCell, notebookOf, printed } from '#test/support/notebook';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
const OLD = notebookOf([
  codeCell('first', ['import os\n', 'print(os.name)'], [printed('posix\n')]),
  codeCell('second', ['x = 1']),
  codeCell('third', []),
]);
const WANTED = OLD.replace('"x = 1"', '"x = 2\\n",\n    "x"').replace(
  '"source": []',
  '"source": [\n    "y"\n   ]',
);
/** The same after an edit of a cell that ran. */
const RAN = WANTED.replace('os.name', 'os.sep');

async function shown(world: EditorWorld, name: string, content: string): Promise<vscode.NotebookDocument> {
  const uri = vscode.Uri.file(world.put(name, content));
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  await vscode.window.showNotebookDocument(notebook, { preview: false });
  await eventually('the notebook has a tab', () => tabs().includes(name));
  return notebook;
}

async function landed(world: EditorWorld, name: string, wanted: string, old = OLD) {
  const path = join(world.folder, name) as AbsolutePath;
  const result = await world.files.land({ kind: 'replace', path, bytes: bytes(wanted), expected: hash(old) });
  return {
    how: result.ok ? result.value.via : result.error.kind,
    notes: result.ok ? result.value.notes : [],
    text: onDisk(path),
  };
}

const cellTexts = (notebook: vscode.NotebookDocument) =>
  notebook.getCells().map((cell) => cell.document.getText());

suite('landing of changes in notebooks', () => {
  test('an open notebook is changed cell by cell and saved: ids, outputs and every other byte stay', async () => {
    await using world = editorWorld();
    const notebook = await shown(world, 'open.ipynb', OLD);
    const before = tabs();
    assert.deepEqual(
      {
        ...(await landed(world, 'open.ipynb', WANTED)),
        dirty: notebook.isDirty,
        tabs: tabs(),
        cells: cellTexts(notebook),
      },
      {
        how: 'editor',
        notes: [],
        text: WANTED,
        dirty: false,
        tabs: before,
        cells: ['import os\nprint(os.name)', 'x = 2\nx', 'y'],
      },
    );
    assert.equal(notebook.cellAt(0).outputs.length, 1);
    // The person's own Ctrl+Z in one cell takes the change back in all of them.
    await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(1, 2)] });
    await vscode.commands.executeCommand('notebook.cell.edit');
    const cell = notebook.cellAt(1).document.uri.toString();
    await eventually(
      'the cell has the focus',
      () => vscode.window.activeTextEditor?.document.uri.toString() === cell,
    );
    await vscode.commands.executeCommand('undo');
    await eventually('the undo shows', () => cellTexts(notebook)[1] === 'x = 1');
    assert.deepEqual(cellTexts(notebook), ['import os\nprint(os.name)', 'x = 1', '']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('a notebook behind another editor is changed without a change of focus or selection', async () => {
    await using world = editorWorld();
    const notebook = await shown(world, 'behind.ipynb', OLD);
    const editor = await world.show(world.put('front.txt', 'one\ntwo\n'));
    editor.selection = new vscode.Selection(1, 1, 1, 2);
    const { how, text } = await landed(world, 'behind.ipynb', WANTED);
    assert.deepEqual(
      {
        how,
        text,
        active: vscode.window.activeTextEditor?.document.uri.fsPath,
        selection: vscode.window.activeTextEditor?.selection,
        tab: vscode.window.tabGroups.activeTabGroup.activeTab?.label,
        cells: cellTexts(notebook)[2],
      },
      {
        how: 'editor',
        text: WANTED,
        active: editor.document.uri.fsPath,
        selection: editor.selection,
        tab: 'front.txt',
        cells: 'y',
      },
    );
  });

  test('a closed notebook is written to disk and no tab opens', async () => {
    await using world = editorWorld();
    world.put('closed.ipynb', OLD);
    const before = tabs();
    assert.deepEqual(
      { ...(await landed(world, 'closed.ipynb', WANTED)), tabs: tabs() },
      { how: 'disk', notes: [], text: WANTED, tabs: before },
    );
  });

  test('a notebook with unsaved changes is a conflict: nothing is written', async () => {
    await using world = editorWorld();
    const notebook = await shown(world, 'dirty.ipynb', OLD);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(1).document.uri, new vscode.Position(0, 0), '# mine\n');
    await vscode.workspace.applyEdit(edit);
    await eventually('the notebook is dirty', () => notebook.isDirty);
    assert.deepEqual(
      { ...(await landed(world, 'dirty.ipynb', WANTED)), mine: cellTexts(notebook)[1] },
      { how: 'dirty', notes: [], text: OLD, mine: '# mine\nx = 1' },
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('what the editor changes beside the sources goes back: it takes the number of a run from an edited cell', async () => {
    await using world = editorWorld();
    const notebook = await shown(world, 'ran.ipynb', OLD);
    assert.deepEqual(await landed(world, 'ran.ipynb', RAN), {
      how: 'disk',
      notes: [],
      text: RAN,
    });
    await eventually(
      'the notebook is clean and new',
      () => !notebook.isDirty && cellTexts(notebook)[1] === 'x = 2\nx',
    );
  });

  test('an open notebook of another form lands on disk byte by byte, and the editor shows it', async () => {
    await using world = editorWorld();
    const odd = (text: string) =>
      JSON.stringify({ nbformat: 4, nbformat_minor: 5, ...JSON.parse(text) }, null, 3);
    const notebook = await shown(world, 'odd.ipynb', odd(OLD));
    assert.deepEqual(await landed(world, 'odd.ipynb', odd(WANTED), odd(OLD)), {
      how: 'disk',
      notes: [],
      text: odd(WANTED),
    });
    await eventually('the editor shows the new text', () => cellTexts(notebook)[1] === 'x = 2\nx');
  });

  test('an undo puts back the exact bytes under an open notebook', async () => {
    await using world = editorWorld();
    const notebook = await shown(world, 'undo.ipynb', OLD);
    await landed(world, 'undo.ipynb', WANTED);
    const path = notebook.uri.fsPath as AbsolutePath;
    await world.files.land({ kind: 'replace', path, bytes: bytes(OLD), expected: hash(WANTED), exact: true });
    assert.equal(onDisk(path), OLD);
    await eventually('the editor shows the old text', () => cellTexts(notebook)[1] === 'x = 1');
  });
});
