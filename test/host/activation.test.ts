import assert from 'node:assert/strict';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { type CommandWorld, commandTable } from '#editor/commands';

/** Commands that VS Code itself makes for each view. */
const OF_VIEWS = /^belay\.(chat|checkpoints|mcpServers)\./;

suite('activation', () => {
  test('loads the entry bundle and nothing else', async () => {
    const extension = vscode.extensions.getExtension('belay.belay');
    assert.ok(extension, 'the extension is not installed');
    await extension.activate();
    const loaded = Object.keys(require.cache).filter((file) => file.startsWith(extension.extensionPath));
    assert.deepEqual(loaded, [path.join(extension.extensionPath, 'dist', 'extension.js')]);
  });

  test('registers exactly the commands that the manifest lists', async () => {
    const extension = vscode.extensions.getExtension('belay.belay');
    assert.ok(extension, 'the extension is not installed');
    await extension.activate();
    const all = await vscode.commands.getCommands();
    const registered = all.filter((id) => id.startsWith('belay.') && !OF_VIEWS.test(id));
    assert.deepEqual(registered.sort(), contributed(extension).sort());
  });

  test('has what carries out each of them, and nothing beyond', () => {
    const extension = vscode.extensions.getExtension('belay.belay');
    assert.ok(extension, 'the extension is not installed');
    // Only the table is looked at: no command runs.
    const world = new Proxy({}, { get: () => ({}) }) as CommandWorld;
    const carriedOut = Object.keys(commandTable(world)).map((id) => `belay.${id}`);
    assert.deepEqual(carriedOut.sort(), contributed(extension).sort());
  });
});

function contributed({ packageJSON }: vscode.Extension<unknown>): string[] {
  return packageJSON.contributes.commands.map(({ command }: { command: string }) => command);
}
