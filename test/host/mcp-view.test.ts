import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { Emitter } from '#base/emitter';
import { mcpItem } from '#editor/mcp/items';
import { McpLogs } from '#editor/mcp/logs';
import { McpReview } from '#editor/mcp/review';
import { McpTree } from '#editor/mcp/tree';
import { QuestionLine } from '#editor/questions/line';
import type { McpServerRow } from '#protocol/mcp';
import { eventually } from '#test/host/support/editor-world';
import { serverQuestion, serverRow, toolRow } from '#test/support/mcp-rows';

/** MCP servers in the test's hands. */
function servers(rows: readonly McpServerRow[] = []) {
  const changed = new Emitter<void>();
  const world = { rows, log: '' };
  const nothing = async () => undefined;
  const mcp = {
    ...{ refresh: nothing, restart: nothing, stop: nothing, signIn: nothing, signOut: nothing },
    servers: () => world.rows,
    problems: () => [],
    questions: () => [],
    answer: async () => false,
    log: () => world.log,
    onDidChange: changed.event,
  };
  return { world, mcp };
}

suite('the view of MCP servers', () => {
  test('a server’s row says its state in words, to the eye and to a screen reader, and all of it in its tooltip', () => {
    const row = serverRow({ state: 'failed', detail: 'No database.', target: 'run [x](command:y)\u202e' });
    const item = mcpItem({ kind: 'server', row, asks: undefined });
    assert.deepEqual(
      [
        item.label,
        item.description,
        item.accessibilityInformation?.label,
        item.tooltip,
        item.collapsibleState,
      ],
      [
        'files',
        'failed',
        'MCP server files, failed',
        'files · failed\nNo database.\nrun [x](command:y)\\u{202e}\nWritten down in .mcp.json',
        vscode.TreeItemCollapsibleState.None,
      ],
    );
  });

  test('a tool has a checkbox where it can be switched, and says why where it is left out', () => {
    const item = (state: 'on' | 'off' | 'changed' | 'broken', why?: string) => {
      const tool = toolRow(why === undefined ? { state } : { state, why });
      const { checkboxState, description } = mcpItem({ kind: 'tool', server: 'files', tool, at: 0 });
      return [typeof checkboxState === 'object' ? checkboxState.state : undefined, description];
    };
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    assert.deepEqual(
      [item('on'), item('off'), item('changed', 'it has changed'), item('broken', 'no schema')],
      [
        [Checked, 'Reads.'],
        [Unchecked, 'Reads.'],
        [undefined, 'it has changed'],
        [undefined, 'no schema'],
      ],
    );
  });

  test('only rows that differ are drawn anew: a click on a row being drawn is lost', () => {
    const { world, mcp } = servers([serverRow()]);
    const tree = new McpTree(() => mcp, new QuestionLine());
    const [row, other] = [serverRow(), serverRow({ name: 'other' })];
    world.rows = [row, other];
    const [, known] = tree.getChildren();
    const drawn: unknown[] = [];
    tree.onDidChangeTreeData((node) => drawn.push(node));
    tree.refresh();
    world.rows = [row, { ...other, state: 'stopped' }];
    tree.refresh();
    world.rows = [row];
    tree.refresh();
    // Nothing, then the one row in the object that the editor knows it by, then all.
    assert.deepEqual(drawn, [known, undefined]);
    assert.equal(known?.kind === 'server' && known.row.state, 'stopped');
    tree.dispose();
  });

  test('what is to be accepted is shown as it was asked, beside what was accepted, whatever the server is called', async () => {
    const review = new McpReview();
    try {
      const question = serverQuestion({ server: '../a\u202eb', before: '{"a":1}', after: '{"a":2}' });
      await review.open(question);
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff, 'no diff is shown');
      const { original, modified } = tab.input;
      const texts = await Promise.all(
        [original, modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
      );
      assert.deepEqual([tab.label, texts], ['../a\\u{202e}b (accepted ↔ now)', ['{"a":1}', '{"a":2}']]);
      // Another content is another document: the one that is open stays what was seen.
      await review.open(serverQuestion({ server: '../a\u202eb', sha256: 'h2', after: '{"a":3}' }));
      assert.equal(vscode.window.activeTextEditor?.document.getText(), '{"a":3}');
      assert.equal((await vscode.workspace.openTextDocument(modified)).getText(), '{"a":2}');
    } finally {
      review.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  test('a log that is open grows', async () => {
    const { world, mcp } = servers([serverRow()]);
    const logs = new McpLogs(() => mcp);
    try {
      world.log = 'one\n';
      await logs.open('files');
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.getText(), 'one\n');
      world.log = 'one\ntwo\n';
      logs.refresh();
      await eventually('the second line is shown', () => document?.getText() === 'one\ntwo\n');
    } finally {
      logs.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });
});
