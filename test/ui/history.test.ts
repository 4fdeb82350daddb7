import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const PICTURES = path.join(import.meta.dirname, '..', '..', '.cache', 'sessions');

test('a word said in an older session is found, the session opens at it, is renamed and put away', async () => {
  const { settings } = await scriptedModel([
    { text: 'The pelican lives in the parser.' },
    { text: 'Nothing of interest.' },
  ]);
  const belay = await openBelay({ settings, files: { 'README.md': '# Sample\n' } });
  const { workbench } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Say first'))).toBe('done');
  await workbench.runCommand('Belay: New Session');
  await panel.frame.getByText('Ask for a change in workspace').waitFor();
  expect(await panel.ended(await panel.send('Say second'))).toBe('done');

  await workbench.runCommand('Belay: Search Sessions…');
  const list = panel.part('sessions');
  await list.waitFor();
  const rows = list.locator('.session');
  await expect.poll(() => rows.count()).toBe(2);
  await panel.part('sessions-search').fill('pelican');
  await list.locator('mark', { hasText: 'pelican' }).waitFor();
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, 'workbench-found.png') });
  await rows.first().locator('.session-open').press('Enter');
  await panel.part('turn').getByText('The pelican lives in the parser.').waitFor();
  expect(await list.count()).toBe(0);

  await workbench.runCommand('Belay: Show Sessions');
  await list.waitFor();
  const older = list.locator('.session', { hasText: 'Say first' });
  await older.locator('.session-open').press('F2');
  const field = panel.part('sessions-rename');
  await field.fill('Where the pelican lives');
  await field.press('Enter');
  const renamed = list.locator('.session', { hasText: 'Where the pelican lives' });
  await renamed.waitFor();
  await renamed.hover();
  await page.screenshot({ path: path.join(PICTURES, 'workbench-list.png') });
  await renamed.getByTestId('session-archive').click();
  await renamed.waitFor({ state: 'detached' });
  await panel.part('sessions-archive').click();
  await renamed.waitFor();
  await renamed.hover();
  await renamed.getByTestId('session-archive').click();
  await renamed.waitFor({ state: 'detached' });
  await panel.part('sessions-archive').click();
  await renamed.waitFor();

  await renamed.locator('.session-open').press('Delete');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  expect(await dialog.innerText()).toContain('Delete the session “Where the pelican lives”?');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => renamed.count()).toBe(0);
});
