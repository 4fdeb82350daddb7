import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pickInMenu } from '#test/support/real-vscode/menus';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';
import { FIX, SHOP } from '#test/ui/support/shop';

test('an undo refused for two hand-edited files skips one and overwrites the other; redo brings the hand edit back', async () => {
  const { settings } = await scriptedModel([...FIX.slice(0, 3), { text: 'Both are edited.' }]);
  const belay = await openBelay({ settings, files: SHOP });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const before = text('src/price.js');
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Fix the total'))).toBe('done');
  for (const name of ['src/price.js', 'check.sh']) appendFileSync(path.join(folder, name), '// by hand\n');
  const [priceByHand, checkByHand] = [text('src/price.js'), text('check.sh')];

  await panel.part('undo').click();
  const card = panel.part('restore-outcome');
  const row = (name: string) => card.getByTestId('conflict').filter({ hasText: name });
  await row('check.sh').waitFor();
  expect([text('src/price.js'), text('check.sh')]).toEqual([priceByHand, checkByHand]);
  await row('check.sh').getByTestId('choose-skip').click();
  await row('price.js').getByTestId('choose-overwrite').click();
  await panel.part('undo-decided').click();
  expect(await card.innerText()).toContain('src/price.js');
  await panel.part('overwrite-sure').click();
  await workbench.button(page.locator('.monaco-dialog-box'), 'Overwrite').click();
  await expect.poll(() => [text('src/price.js'), text('check.sh')]).toEqual([before, checkByHand]);

  await panel.part('redo').click();
  await expect.poll(() => [text('src/price.js'), text('check.sh')]).toEqual([priceByHand, checkByHand]);
});

test('files and changed blocks are kept and undone from the bar and from the diff editor', async () => {
  const { settings } = await scriptedModel([...FIX.slice(0, 3), { text: 'Both are edited.' }]);
  const belay = await openBelay({ settings, files: SHOP });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const [priceBefore, checkBefore] = [text('src/price.js'), text('check.sh')];
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Fix the total'))).toBe('done');
  const priceAfter = text('src/price.js');
  const bar = panel.part('changes-bar');
  await bar.getByText('2 files changed').click();
  const file = (name: string) => bar.getByTestId('changed-file').filter({ hasText: name });
  await file('check.sh').hover();
  await file('check.sh').getByTestId('undo-file').click();
  await expect.poll(() => text('check.sh')).toBe(checkBefore);
  await bar.getByText('1 file changed').waitFor();

  await file('price.js').locator('button.row').click();
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.modified .view-line', { hasText: 'sum + price' }).first().waitFor();
  await page.locator('.tab.active', { hasText: 'changes to review' }).waitFor();
  await diff.locator('.modified .view-line', { hasText: 'sum + price' }).first().click();
  await workbench.runCommand('Belay: Undo This Change');
  await expect.poll(() => text('src/price.js')).not.toBe(priceAfter);
  await workbench.runCommand('Belay: Redo');
  await expect.poll(() => text('src/price.js')).toBe(priceAfter);

  // The same from the menu of the line's number.
  const number = priceAfter.split('\n').findIndex((line) => line.includes('sum + price')) + 1;
  const lineNumber = diff.locator('.modified .line-numbers', { hasText: new RegExp(`^\\s*${number}\\s*$`) });
  await lineNumber.first().click({ button: 'right' });
  await pickInMenu(page, 'Undo This Change');
  await expect.poll(() => text('src/price.js')).not.toBe(priceAfter);
  await workbench.runCommand('Belay: Redo');
  await expect.poll(() => text('src/price.js')).toBe(priceAfter);
  await page.locator('.editor-actions .action-label[aria-label^="Keep File"]').click();
  await bar.waitFor({ state: 'detached' });
  expect(text('src/price.js')).toBe(priceAfter);
  expect(priceAfter).not.toBe(priceBefore);
});
