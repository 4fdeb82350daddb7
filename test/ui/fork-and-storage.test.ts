import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints, TURN_ROW } from '#test/ui/support/checkpoints';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const write = (file: string) => ({
  calls: [{ id: 'w', name: 'write_file', input: { path: file, content: 'text\n' } }],
});

/** Where pictures go, for a look at it: `BELAY_LOOK=FOLDER BELAY_THEME=… npm test -- ui fork-and-storage`. */
const LOOK = process.env['BELAY_LOOK'];
const THEME = process.env['BELAY_THEME'] ?? 'Default Dark Modern';

test('a turn is forked from its row in the tree; Storage lists both sessions, and clears and deletes after a question', async () => {
  const { settings } = await scriptedModel([
    write('note.txt'),
    { text: 'Written once.' },
    write('more.txt'),
    { text: 'Written twice.' },
    { text: 'Another way.' },
  ]);
  const belay = await openBelay({
    settings: {
      ...settings,
      'workbench.colorTheme': THEME,
      'belay.autoTitle': false,
      'chat.disableAIFeatures': true,
    },
    files: { 'a.txt': 'a\n' },
  });
  const { workbench } = belay;
  const { page } = workbench;
  const picture = async (name: string) => {
    if (LOOK) await page.screenshot({ path: path.join(LOOK, `${name}.png`) });
  };
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Write the note'))).toBe('done');
  expect(await panel.ended(await panel.send('Write more'))).toBe('done');

  const tree = await openCheckpoints(workbench);
  await tree.row(TURN_ROW).nth(1).waitFor();
  await picture('tree');
  await tree.inline('Write more', 'Fork from Here');
  await tree.row('Fork of Write the note').waitFor();
  await expect.poll(() => panel.frame.getByTestId('turn').count()).toBe(1);
  expect(readFileSync(path.join(belay.folder, 'more.txt'), 'utf8')).toBe('text\n');
  expect(await panel.ended(await panel.send('Try another way'))).toBe('done');
  await picture('forked');

  await workbench.runCommand('Belay: Storage…');
  const quickPick = page.locator('.quick-input-widget');
  await quickPick.locator('.monaco-list-row', { hasText: 'Fork of Write the note' }).waitFor();
  await quickPick.getByText(/Belay keeps .* on this machine/).waitFor();
  await picture('storage');
  await quickPick.locator('input').first().fill('Fork of');
  await page.keyboard.press('Enter');
  await quickPick.locator('.monaco-list-row', { hasText: 'Delete Session…' }).waitFor();
  await picture('session');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText('Delete the session “Fork of Write the note”?').waitFor();
  await picture('question');
  await dialog.getByRole('button', { name: 'Delete Session' }).click();
  await tree.row('Fork of Write the note').waitFor({ state: 'detached' });
  await expect.poll(() => panel.frame.getByTestId('turn').count()).toBe(0);

  await workbench.runCommand('Belay: Storage…');
  await quickPick.locator('.monaco-list-row', { hasText: 'Write the note' }).click();
  await quickPick.locator('.monaco-list-row', { hasText: 'Clear Checkpoints…' }).click();
  await dialog.getByRole('button', { name: 'Clear Checkpoints' }).click();
  await tree.row('contents removed to save space').first().waitFor();
  await picture('cleared');
  expect(readFileSync(path.join(belay.folder, 'more.txt'), 'utf8')).toBe('text\n');
});
