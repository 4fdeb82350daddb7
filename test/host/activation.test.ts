import assert from 'node:assert/strict';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';

suite('activation', () => {
  test('loads the entry bundle and nothing else', async () => {
    const extension = vscode.extensions.getExtension('belay.belay');
    assert.ok(extension, 'the extension is not installed');
    await extension.activate();
    const loaded = Object.keys(require.cache).filter((file) => file.startsWith(extension.extensionPath));
    assert.deepEqual(loaded, [path.join(extension.extensionPath, 'dist', 'extension.js')]);
  });
});
