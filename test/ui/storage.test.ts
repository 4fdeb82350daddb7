import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEditor } from '#test/ui/support/open-belay';
import { callStates, WRITE_NOTE } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const LOCKED = {
  calls: [
    { id: 'r', name: 'read_file', input: { path: 'locked/a.txt' } },
    { id: 'w', name: 'write_file', input: { path: 'locked/b.txt', content: 'new\n' } },
    { id: 'e', name: 'edit_file', input: { path: 'locked/a.txt', oldText: 'one', newText: 'two' } },
  ],
};

test('a database in the way, a damaged one, a folder on a read-only disk: clear words, nothing lost or left behind', async () => {
  const { settings, server } = await scriptedModel([
    LOCKED,
    { text: 'That disk is read-only.' },
    WRITE_NOTE,
    { text: 'Written.' },
  ]);
  const editor = await openEditor({ settings, files: { 'locked/a.txt': 'one\n' }, readOnly: ['locked'] });
  const database = path.join(editor.storage, 'belay.db');
  mkdirSync(path.join(database, 'in-the-way'), { recursive: true });
  const belay = await editor.open({ folder: editor.folder });
  await belay.workbench.runCommand('Belay: Open Chat');
  const frame = belay.workbench.webview();
  await frame.getByText('Belay can’t open its database').waitFor();
  await frame.getByTestId('notice').filter({ hasText: 'belay.db' }).waitFor();
  await frame.getByTestId('composer').and(frame.locator(':disabled')).waitFor();
  await belay.workbench.runCommand('Belay: Undo Last Turn');
  await belay.workbench.told('Belay can’t open its database');

  rmSync(database, { recursive: true });
  const garbage = 'this is no database, but it is long enough to look at '.repeat(99);
  writeFileSync(database, garbage);
  await belay.reload();
  const panel = await belay.openPanel();
  await belay.workbench.told('set aside');
  const aside = readdirSync(editor.storage).find((name) => name.startsWith('belay.db.corrupt-'));
  expect(readFileSync(path.join(editor.storage, aside ?? ''), 'utf8')).toBe(garbage);

  expect(await panel.ended(await panel.send('Change it'))).toBe('done');
  await expect
    .poll(() => callStates(panel))
    .toEqual({ read_file: 'success', write_file: 'error', edit_file: 'error' });
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/read-only/i);
  expect(readdirSync(path.join(editor.folder, 'locked'))).toEqual(['a.txt']);
  expect(await panel.part('changes-bar').count()).toBe(0);
  expect(await panel.ended(await panel.send('Elsewhere, then'))).toBe('done');
  expect(readFileSync(path.join(editor.folder, 'note.txt'), 'utf8')).toBe('kept\n');
});
