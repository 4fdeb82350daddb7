import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';

suite('Belay’s tools for other models (contributes.languageModelTools)', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const secret = path.join(folder, '.env');
  const hiding = path.join(folder, '.belayignore');

  suiteSetup(() => {
    writeFileSync(secret, 'TOKEN=nobody-knows\n');
    writeFileSync(hiding, 'receipt.js\n');
  });

  suiteTeardown(() => {
    rmSync(secret, { force: true });
    rmSync(hiding, { force: true });
  });

  test('the editor lists each with its schema, and runs it through the core of the window', async () => {
    const listed = vscode.lm.tools.filter(({ name }) => name.startsWith('belay_')).map(({ name }) => name);
    assert.deepEqual(listed.sort(), ['belay_glob_files', 'belay_read_file', 'belay_search_files']);
    assert.match(await said('belay_read_file', { path: 'src/money.js' }), /1→/);
    assert.match(await said('belay_search_files', { pattern: 'export' }), /src\/money\.js/);
    assert.match(await said('belay_glob_files', { pattern: '**/*.js' }), /src\/money\.js/);
  });

  test('what is hidden, likely secret, outside or none of its arguments is refused, and no search shows it', async () => {
    const refused = async (input: object) => said('belay_read_file', input).then(() => 'read', String);
    assert.match(await refused({ path: 'src/receipt.js' }), /is hidden by "\.belayignore"/);
    assert.match(await refused({ path: '.env' }), /nobody can be asked/);
    assert.match(await refused({ path: '/etc/hostname' }), /outside the workspace/);
    assert.match(await refused({ file: 'README.md' }), /the arguments don't fit/);
    const found = await said('belay_search_files', { pattern: '.', includeIgnored: true });
    assert.doesNotMatch(found, /\.env|src\/receipt\.js/);
  });

  test('a call that was cancelled before reads nothing', async () => {
    const cancel = new vscode.CancellationTokenSource();
    cancel.cancel();
    const input = { path: 'README.md' };
    const call = vscode.lm.invokeTool(
      'belay_read_file',
      { input, toolInvocationToken: undefined },
      cancel.token,
    );
    await assert.rejects(async () => call);
  });
});

async function said(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}
