import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { editorTerminals } from '#editor/terminals/editor-terminals';
import { Mirror } from '#editor/terminals/mirror';
import type { ShownCommand } from '#host/terminals';
import { eventually } from '#test/host/support/editor-world';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A command that only remembers what its terminal told it. */
function remembering(size?: Size) {
  const told: { readonly input: string[]; readonly sizes: Size[]; closed: number } = {
    input: [],
    sizes: [],
    closed: 0,
  };
  const command: ShownCommand = {
    name: `Belay: mirror ${Math.random()}`,
    ...(size ? { size } : {}),
    onInput: (text) => void told.input.push(text),
    onResized: (seen) => void told.sizes.push(seen),
    onClosed: () => {
      told.closed++;
    },
  };
  return { command, told };
}

const listed = (name: string) => vscode.window.terminals.find((terminal) => terminal.name === name);

suite('terminals of background commands', () => {
  test('one is listed, nothing is shown and the focus stays', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'x' });
    await vscode.window.showTextDocument(document);
    const before = vscode.window.activeTextEditor?.document.uri.toString();
    const { command } = remembering();
    const view = editorTerminals.add(command);
    await eventually('it is listed', () => listed(command.name) !== undefined);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), before);
    view.dispose();
    await eventually('it is gone from the list', () => listed(command.name) === undefined);
  });

  test('what a person types comes as they type it, and closing it is told once', async () => {
    const { command, told } = remembering({ columns: 90, rows: 20 });
    editorTerminals.add(command);
    await eventually('it is listed', () => listed(command.name) !== undefined);
    listed(command.name)?.sendText('ls', true);
    await eventually('what is typed comes', () => told.input.join('') === 'ls\r');
    listed(command.name)?.dispose();
    await eventually('the closing is told', () => told.closed === 1);
  });

  test('Belay taking it away is no closing by the person', async () => {
    const { command, told } = remembering();
    const view = editorTerminals.add(command);
    await eventually('it is listed', () => listed(command.name) !== undefined);
    view.dispose();
    await eventually('it is gone from the list', () => listed(command.name) === undefined);
    assert.equal(told.closed, 0);
  });

  test('what is printed before it opens is kept, and its size is the command’s until that lets go', () => {
    const { command, told } = remembering({ columns: 90, rows: 20 });
    const mirror = new Mirror(command);
    const written: string[] = [];
    const sizes: (vscode.TerminalDimensions | undefined)[] = [];
    mirror.onDidWrite((text) => written.push(text));
    mirror.onDidOverrideDimensions((size) => sizes.push(size));
    mirror.write('before');
    assert.deepEqual(written, []);
    mirror.open();
    mirror.write('after');
    mirror.setDimensions({ columns: 40, rows: 10 });
    mirror.keepTo(undefined);
    mirror.setDimensions({ columns: 50, rows: 11 });
    assert.deepEqual(
      [written, sizes, told.sizes],
      [['before', 'after'], [{ columns: 90, rows: 20 }, undefined], [{ columns: 50, rows: 11 }]],
    );
  });
});
