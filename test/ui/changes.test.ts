import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints, TURN_ROW } from '#test/ui/support/checkpoints';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';
import { FIX, fingerprint, SHOP } from '#test/ui/support/shop';

const NAMES = ['src/price.js', 'check.sh'];

test('changes are reviewed, undone, redone and kept from the bar, by slash commands and from the tree', async () => {
  const edits = FIX.slice(0, 3);
  const { settings } = await scriptedModel([
    ...edits,
    { text: 'Both are edited.' },
    { text: 'Nothing to do.' },
  ]);
  const belay = await openBelay({ settings, files: SHOP });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const prints = () => NAMES.map((name) => fingerprint(folder, name));
  const before = prints();
  const panel = await belay.openPanel();
  const composer = panel.part('composer');
  expect(await panel.ended(await panel.send('Fix the total'))).toBe('done');
  const after = prints();
  const bar = panel.part('changes-bar');
  // The last file is on disk a moment before the undo is over; the panel tells when it is.
  const undone = async () => {
    await expect.poll(prints).toEqual(before);
    await panel.part('redo').waitFor();
    await bar.waitFor({ state: 'detached' });
  };
  const redone = async () => {
    await expect.poll(prints).toEqual(after);
    await panel.part('redo').waitFor({ state: 'detached' });
    await bar.waitFor();
  };
  const multiDiff = page.locator('.monaco-component.multiDiffEditor');
  const closeEditors = () => workbench.runCommand('View: Close All Editors');

  await bar.getByText('2 files changed').waitFor();
  await panel.part('review').click();
  await multiDiff.locator('.view-line', { hasText: 'sum + price' }).first().waitFor();
  await page.locator('.tab', { hasText: 'changes to review' }).waitFor();
  await closeEditors();

  await panel.part('undo').click();
  await undone();
  await panel.part('redo').click();
  await redone();

  await composer.click();
  await composer.pressSequentially('/und');
  await panel.part('slash-list').getByText('/undo', { exact: true }).waitFor();
  await composer.press('Enter');
  await expect.poll(async () => (await composer.inputValue()).trim()).toBe('/undo');
  await composer.press('Enter');
  await undone();
  await composer.fill('/redo');
  await composer.press('Enter');
  await redone();

  await composer.fill('/undo all 1');
  await composer.press('Enter');
  await undone();
  // The conversation goes another way: the files can come back without it.
  expect(await panel.ended(await panel.send('Say hello'))).toBe('done');
  await expect.poll(() => panel.part('redo').getAttribute('aria-label')).toBe('Redo Files');
  await panel.part('redo').click();
  await redone();
  await panel.part('keep').click();
  await bar.waitFor({ state: 'detached' });
  expect(prints()).toEqual(after);

  const tree = await openCheckpoints(workbench);
  await tree.inline(TURN_ROW, 'Open All Changes');
  await multiDiff.locator('.view-line', { hasText: 'total of prices' }).first().waitFor();
  await page.locator('.tab', { hasText: 'Belay: turn 1' }).waitFor();
  await closeEditors();
  appendFileSync(path.join(folder, 'check.sh'), 'echo by hand\n');
  await tree.unfold(TURN_ROW);
  await tree.inline('check.sh', 'Compare with Now');
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.modified .view-line', { hasText: 'echo by hand' }).waitFor();
  await diff.locator('.original .view-line', { hasText: /checks\sthe\stotal$/ }).waitFor();

  await tree.inline(TURN_ROW, 'Undo Files');
  await panel.part('conflict').filter({ hasText: 'check.sh' }).waitFor();
  expect(fingerprint(folder, 'src/price.js')).toEqual(after[0]);
  await panel.part('overwrite-conflicts').click();
  await panel.part('overwrite-sure').click();
  const dialog = page.locator('.monaco-dialog-box');
  await workbench.button(dialog, 'Overwrite').click();
  await undone();
});
