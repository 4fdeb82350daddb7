import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const SETTINGS = '.belay/settings.json';
const WANTS = `${SETTINGS} of this folder would allow commands or run hooks`;
const SHALL = `Shall ${SETTINGS} count as shown?`;

function allowing(...commands: string[]): string {
  const allow = commands.map((command) => `Bash(${command})`);
  return `${JSON.stringify({ permissions: { allow } }, null, 2)}\n`;
}

test('what a project allows counts once a person has seen and accepted it; a change is shown as a difference and can be rejected', async () => {
  const { settings } = await scriptedModel([
    runs('touch one', 'c1'),
    { text: 'Asked, then done.' },
    runs('touch one', 'c2'),
    { text: 'Done unasked.' },
    runs('touch one', 'c3'),
    { text: 'Asked again.' },
  ]);
  const files = { [SETTINGS]: allowing('touch one'), 'a.txt': 'a\n' };
  const belay = await openBelay({ settings, files });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  const card = panel.part('approval');
  const toast = page.locator('.notifications-toasts .notification-list-item', { hasText: WANTS });

  await workbench.told(WANTS);
  // Nothing opens by itself, and what nobody accepted allows nothing.
  expect(await page.locator('.tab', { hasText: 'settings.json' }).count()).toBe(0);
  const first = await panel.send('Before it is accepted');
  await card.filter({ hasText: 'touch one' }).getByTestId('allow-once').click();
  expect(await panel.ended(first)).toBe('done');

  await workbench.answer(WANTS, 'Review');
  await page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
  await page.locator('.editor-instance .view-lines', { hasText: 'Bash(touch one)' }).waitFor();
  await workbench.answer(SHALL, 'Accept');
  await page.locator('.statusbar', { hasText: `Accepted: ${SETTINGS}` }).waitFor();
  expect(await panel.ended(await panel.send('After it is accepted'))).toBe('done');
  await panel.part('turn').getByText('Done unasked.').waitFor();

  writeFileSync(path.join(folder, SETTINGS), allowing('touch one', 'touch two'));
  await workbench.told(WANTS);
  await workbench.answer(WANTS, 'Review');
  const difference = page.locator('.monaco-diff-editor');
  await difference.locator('.editor.modified .view-lines', { hasText: 'Bash(touch two)' }).waitFor();
  await difference.locator('.editor.original .view-lines', { hasText: 'Bash(touch one)' }).waitFor();
  await workbench.answer(SHALL, 'Reject');
  await page.locator('.statusbar', { hasText: `Rejected: ${SETTINGS}` }).waitFor();
  const last = await panel.send('After it is rejected');
  await card.filter({ hasText: 'touch one' }).getByTestId('allow-once').click();
  expect(await panel.ended(last)).toBe('done');

  // Not asked about this content again, not even by a new window; the command asks whenever the person wants.
  await belay.reload();
  await (await belay.openPanel()).part('composer').waitFor();
  await workbench.runCommand('Belay: Review Project Settings');
  await workbench.told(SHALL);
  expect(await toast.count()).toBe(0);
});
