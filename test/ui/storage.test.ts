import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEditor } from '#test/ui/support/open-belay';
import { callStates, card, WRITE_NOTE } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

test('a database that can’t be opened is told with what to do, a damaged one is set aside; files stay untouched', async () => {
  const { settings } = await scriptedModel([WRITE_NOTE, { text: 'Written.' }]);
  const editor = await openEditor({ settings });
  const database = path.join(editor.storage, 'belay.db');
  mkdirSync(path.join(database, 'in-the-way'), { recursive: true });
  const belay = await editor.open({ folder: editor.folder });
  await belay.workbench.runCommand('Belay: Open Chat');
  const frame = belay.workbench.webview();
  await frame.getByText('Belay can’t open its database').waitFor();
  expect(await frame.getByTestId('notice').innerText()).toContain('belay.db');
  expect(await frame.getByTestId('composer').isDisabled()).toBe(true);
  await belay.workbench.runCommand('Belay: Undo Last Turn');
  await belay.workbench.notification('Belay can’t open its database').waitFor();

  rmSync(database, { recursive: true });
  writeFileSync(database, 'this is no database, but it is long enough to look at '.repeat(99));
  await belay.reload();
  const panel = await belay.openPanel();
  await belay.workbench.notification('set aside').waitFor();
  expect(readdirSync(editor.storage).some((name) => name.startsWith('belay.db.corrupt-'))).toBe(true);
  expect(await panel.ended(await panel.send('Leave a note'))).toBe('done');
  expect(readFileSync(path.join(editor.folder, 'note.txt'), 'utf8')).toBe('kept\n');
});

test('on a read-only disk an edit fails in clear words, nothing is left behind, and the next turn works', async () => {
  const edit = {
    calls: [
      { id: 'r', name: 'read_file', input: { path: 'locked/a.txt' } },
      { id: 'w', name: 'write_file', input: { path: 'locked/b.txt', content: 'new\n' } },
      {
        id: 'e',
        name: 'edit_file',
        input: { path: 'locked/a.txt', oldText: 'one', newText: 'two' },
      },
    ],
  };
  const { settings, server } = await scriptedModel([
    edit,
    { text: 'That disk is read-only.' },
    WRITE_NOTE,
    { text: 'Written.' },
  ]);
  const editor = await openEditor({
    settings,
    files: { 'locked/a.txt': 'one\n' },
    readOnly: ['locked'],
  });
  const belay = await editor.open({ folder: editor.folder });
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Change it'))).toBe('done');
  expect(await callStates(panel)).toEqual({ read_file: 'success', write_file: 'error', edit_file: 'error' });
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/read-only/i);
  expect(readdirSync(path.join(editor.folder, 'locked'))).toEqual(['a.txt']);
  expect(await panel.part('changes-bar').count()).toBe(0);
  expect(await panel.ended(await panel.send('Elsewhere, then'))).toBe('done');
  expect(existsSync(path.join(editor.folder, 'note.txt'))).toBe(true);
  expect(await card(panel, 'Something went wrong').count()).toBe(0);
});
