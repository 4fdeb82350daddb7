import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints, TURN_ROW } from '#test/ui/support/checkpoints';
import { openFile } from '#test/ui/support/editors';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';
import { FIX, FIXED_PRICE, fingerprint, SHOP } from '#test/ui/support/shop';

test('one task: asked, read, searched, edited, approved in the notification, undone and redone from the tree', async () => {
  const { settings } = await scriptedModel(FIX);
  const belay = await openBelay({ files: SHOP, settings });
  const { workbench, folder } = belay;
  const prints = () => [fingerprint(folder, 'src/price.js'), fingerprint(folder, 'check.sh')];
  const before = prints();
  await openFile(workbench, 'price.js');
  await workbench.page.locator('.tab', { hasText: 'price.js' }).waitFor();

  const panel = await belay.openPanel();
  // Opened by a person's wish, it has the focus: the keys go to its composer without a click.
  await panel.part('composer').and(panel.frame.locator(':focus')).waitFor();
  const turn = await panel.send('Fix the total');
  await workbench.answer('Belay wants to run: npm test', 'Allow Once');
  expect(await panel.ended(turn)).toBe('done');
  await panel.part('turn').getByText('The total is right now.').waitFor();
  const states = () =>
    panel.part('call-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state')));
  await expect.poll(states).toEqual(Array(6).fill('success'));
  const after = prints();
  expect([after[0]?.sha256 === before[0]?.sha256, after[1]?.mode]).toEqual([false, 0o755]);

  const tree = await openCheckpoints(workbench);
  await tree.unfold(TURN_ROW);
  await tree.open('price.js');
  const diff = workbench.page.locator('.monaco-diff-editor');
  await diff.locator('.original .view-line', { hasText: 'sum - price' }).waitFor();
  await diff.locator('.modified .view-line', { hasText: 'sum + price' }).waitFor();

  await tree.inline(TURN_ROW, 'Undo Files');
  await expect.poll(prints).toEqual(before);
  await workbench.page
    .locator('.tab', { hasText: /^price\.js$/ })
    .first()
    .click();
  await workbench.page.locator('.editor-instance .view-line', { hasText: 'sum - price' }).first().waitFor();

  await tree.inline(TURN_ROW, 'Redo');
  await expect.poll(prints).toEqual(after);
  expect(FIXED_PRICE).toContain('sum + price');
});

/** Makes the file larger than what is kept of what commands change. */
const SWOLLEN = `require('node:fs').appendFileSync('src/price.js', ' '.repeat(6_000_000));\n`;

test('an undo is refused where the file changed since: edited by hand, or by a command, which is named', async () => {
  const again = {
    id: 'edit-3',
    name: 'edit_file',
    input: { path: 'src/price.js', oldText: 'sum + price', newText: 'price + sum' },
  };
  const script = [
    ...FIX,
    { calls: [{ id: 'read-3', name: 'read_file', input: { path: 'src/price.js' } }, again] },
    runs('npm run format'),
    { text: 'Formatted.' },
  ];
  const { settings } = await scriptedModel(script);
  const belay = await openBelay({ files: { ...SHOP, 'format.js': SWOLLEN }, settings });
  const { workbench, folder } = belay;
  const prints = () => [fingerprint(folder, 'src/price.js'), fingerprint(folder, 'check.sh')];
  const panel = await belay.openPanel();
  const outcome = panel.part('restore-outcome');
  const turn = await panel.send('Fix the total');
  await workbench.answer('Belay wants to run: npm test', 'Allow Once');
  expect(await panel.ended(turn)).toBe('done');
  const price = path.join(folder, 'src/price.js');
  const fixed = readFileSync(price);
  appendFileSync(price, '\r\n// by hand');
  const edited = prints();

  const tree = await openCheckpoints(workbench);
  await tree.inline(TURN_ROW, 'Undo Files');
  await outcome.waitFor();
  const told = await outcome.innerText();
  expect({
    file: told.includes('src/price.js'),
    hand: /by hand/.test(told),
    other: told.includes('check.sh'),
  }).toEqual({ file: true, hand: true, other: false });
  expect(prints()).toEqual(edited);
  await panel.part('close-outcome').click();
  await outcome.waitFor({ state: 'hidden' });

  writeFileSync(price, fixed);
  const second = await panel.send('Turn it round and format');
  await workbench.answer('Belay wants to run: npm run format', 'Allow Once');
  expect(await panel.ended(second)).toBe('done');
  const formatted = prints();
  await tree.inline(/\d\d:\d\d.*Turn it round/, 'Undo Files');
  await outcome.waitFor();
  const named = await outcome.innerText();
  expect({ command: named.includes('npm run format'), person: /by hand/.test(named) }).toEqual({
    command: true,
    person: false,
  });
  expect(prints()).toEqual(formatted);
});
