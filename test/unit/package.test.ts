import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runQuietly } from '#scripts/bootstrap/process.mjs';
import { root, stageExtension } from '#scripts/vsix';

let stage = '';

beforeAll(async () => {
  stage = mkdtempSync(path.join(os.tmpdir(), 'belay-stage-'));
  await stageExtension(stage);
}, 60_000);

afterAll(() => rmSync(stage, { recursive: true, force: true }));

test('the package holds what runs and nothing else', async () => {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const listed = await runQuietly(process.execPath, [vsce, 'ls', '--no-dependencies'], {
    cwd: stage,
    what: 'Listing the package',
  });
  const files = listed.trim().split('\n').map(withoutHash);
  const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
  expect([...new Set(files)].sort()).toEqual(
    [
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
      ...['dist/extension.js', 'dist/chunks/*.js', 'dist/webview.js', 'dist/webview.css', 'dist/codicon.ttf'],
      `dist/bin/${binary}`,
      ...['media/belay.svg', 'media/icon.png'],
      ...['media/sample/README.md', 'media/sample/package.json', 'media/sample/scripts/format.js'],
      ...['discount', 'main', 'money', 'order', 'receipt'].map((name) => `media/sample/src/${name}.js`),
      ...['discount', 'money', 'receipt'].map((name) => `media/sample/test/${name}.test.js`),
    ].sort(),
  );
});

/** Chunks are named for what they hold and its hash: which there are is not this list's business. */
function withoutHash(file: string): string {
  return file.replace(/^dist\/chunks\/[^/]+\.js$/, 'dist/chunks/*.js');
}
