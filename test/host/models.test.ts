import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { readyCore } from '#editor/needs';
import { eventually } from '#test/host/support/editor-world';
import { windowCore } from '#test/host/support/window-core';

suite('the models of this window', () => {
  test('the panel’s short list is put together once, and anew when a setting changes', async () => {
    await using window = windowCore();
    const { models } = await readyCore(window.core);
    const first = await models.shortList('gone/model');
    const again = await models.shortList('gone/model');
    let changes = 0;
    const listening = models.onDidChange(() => {
      changes += 1;
    });
    const settings = vscode.workspace.getConfiguration('belay');
    await settings.update('model', 'ollama/qwen', vscode.ConfigurationTarget.Global);
    try {
      await eventually('the change is told', () => changes > 0);
      const changed = await models.shortList('gone/model');
      assert.deepEqual(
        [again === first, first.map(({ id }) => id), changed.map(({ id }) => id)],
        [true, ['gone/model', 'demo/offline'], ['gone/model', 'ollama/qwen', 'demo/offline']],
      );
    } finally {
      listening.dispose();
      await settings.update('model', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
