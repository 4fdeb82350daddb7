import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { foldersShown, openFile } from '#test/ui/support/editors';
import { layOut, openBelay, openEditor } from '#test/ui/support/open-belay';
import { callStates, card, statusBar, WRITE_NOTE } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

test('without a folder the panel says so; with two, one is chosen and the session is bound to it', async () => {
  const { settings } = await scriptedModel([WRITE_NOTE, { text: 'Written.' }]);
  const editor = await openEditor({ settings });
  const empty = await editor.open({});
  await empty.workbench.runCommand('Belay: Open Chat');
  const frame = empty.workbench.webview();
  await frame.getByText('No folder is open').waitFor();
  await frame.getByRole('button', { name: 'Open Sample Project' }).waitFor();
  await empty.workbench.runCommand('Belay: Undo Last Turn');
  await empty.workbench.told('Open a folder first');
  await empty.workbench[Symbol.asyncDispose]();

  const root = path.join(editor.profile.root, 'two');
  for (const name of ['api', 'site']) layOut(path.join(root, name), { 'README.md': `# ${name}\n` });
  const workspace = path.join(root, 'two.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'api' }, { path: 'site' }] }));
  const two = await editor.open({ workspace });
  await foldersShown(two.workbench, 'site');
  await two.workbench.runCommand('Belay: Open Chat');
  const choice = two.workbench.webview();
  await choice.getByText('Choose a folder').first().waitFor();
  await choice.getByRole('button', { name: 'site' }).click();
  const panel = await two.openPanel();
  await panel.frame.getByText('Ask for a change in site').waitFor();
  expect(await panel.ended(await panel.send('Leave a note'))).toBe('done');
  expect(readFileSync(path.join(root, 'site/note.txt'), 'utf8')).toBe('kept\n');
  await two.reload();
  const again = await two.openPanel();
  await again.part('turn').getByText('Leave a note').waitFor();
});

test('PA-07 PA-08 with one folder inside another a session keeps its own, whichever file is looked at, over a reload too', async () => {
  const reads = (path: string, id: string) => ({ id, name: 'read_file', input: { path } });
  const looks = { calls: [reads('README.md', 'own'), reads('libs/site/README.md', 'doubled')] };
  const { settings, server } = await scriptedModel([
    { calls: [{ id: 'w', name: 'write_file', input: { path: 'made.txt', content: 'here\n' } }] },
    { text: 'Made.' },
    looks,
    { text: 'Looked.' },
    looks,
    { text: 'Looked again.' },
  ]);
  const editor = await openEditor({ settings });
  const root = path.join(editor.profile.root, 'nested');
  for (const name of ['api', 'api/libs/site'])
    layOut(path.join(root, name), { 'README.md': `# ${name}\n`, [`only-${path.basename(name)}.txt`]: 'x\n' });
  const workspace = path.join(root, 'nested.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'api' }, { path: 'api/libs/site' }] }));
  const window = await editor.open({ workspace });
  await foldersShown(window.workbench, 'site');
  await window.workbench.runCommand('Belay: Open Chat');
  await window.workbench.webview().getByRole('button', { name: 'site' }).click();
  const panel = await window.openPanel();
  expect(await panel.ended(await panel.send('Make it'))).toBe('done');
  await openFile(window.workbench, 'only-api.txt');
  expect(await panel.ended(await panel.send('Look'))).toBe('done');
  await window.reload();
  const again = await window.openPanel();
  expect(await again.ended(await again.send('Look again'))).toBe('done');

  const told = server.requests.map(({ body }) => JSON.stringify(body));
  for (const request of [told.at(3), told.at(5)]) {
    expect(request).toContain('# api/libs/site');
    expect(request).toContain('libs/site/README.md\\" does not exist');
  }
  expect([
    readFileSync(path.join(root, 'api/libs/site/made.txt'), 'utf8'),
    existsSync(path.join(root, 'api/made.txt')),
  ]).toEqual(['here\n', false]);
});

test('in Restricted Mode reading works and an edit is denied; trust lifts it without a reload', async () => {
  const { settings, server } = await scriptedModel([
    { calls: [{ id: 'r', name: 'read_file', input: { path: 'README.md' } }, ...(WRITE_NOTE.calls ?? [])] },
    { text: 'I may only read here.' },
    WRITE_NOTE,
    { text: 'Written.' },
  ]);
  const belay = await openBelay({ settings, workspaceTrust: true });
  const { workbench } = belay;
  const panel = await belay.openPanel();
  await card(panel, 'Restricted Mode').waitFor();
  expect(await panel.ended(await panel.send('Leave a note'))).toBe('done');
  await expect.poll(() => callStates(panel)).toEqual({ read_file: 'success', write_file: 'denied' });
  const told = JSON.stringify(server.requests.at(-1)?.body);
  expect(/not trusted|read-only/.test(told)).toBe(true);
  await statusBar(workbench, 'Belay: Read only').waitFor();

  await card(panel, 'Restricted Mode').getByRole('button', { name: 'Manage Workspace Trust' }).click();
  await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
  await card(panel, 'Restricted Mode').waitFor({ state: 'detached' });
  await workbench.page.locator('.modal-editor-part .codicon-close').first().click();
  await statusBar(workbench, 'Belay: Workspace write').waitFor();
  expect(await panel.ended(await panel.send('And now?'))).toBe('done');
  expect(readFileSync(path.join(belay.folder, 'note.txt'), 'utf8')).toBe('kept\n');
});
