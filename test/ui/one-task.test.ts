import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints, TURN_ROW } from '#test/ui/support/checkpoints';
import { openFile } from '#test/ui/support/editors';
import { openBelay } from '#test/ui/support/open-belay';
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
  const turn = await panel.send('Fix the total');
  const toast = workbench.notification('Belay wants to run: npm test');
  await workbench.button(toast, 'Allow Once').click();
  expect(await panel.ended(turn)).toBe('done');
  await panel.frame.getByText('The total is right now.').waitFor();
  const states = await panel
    .part('call-row')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state')));
  expect(states).toEqual(Array(6).fill('success'));
  const after = prints();
  expect([after[0]?.sha256 === before[0]?.sha256, after[1]?.mode]).toEqual([false, 0o755]);

  const tree = await openCheckpoints(workbench);
  await tree.unfold(TURN_ROW);
  await tree.row('price.js').first().click();
  const diff = workbench.page.locator('.monaco-diff-editor');
  await diff.locator('.original .view-line', { hasText: 'sum - price' }).waitFor();
  await diff.locator('.modified .view-line', { hasText: 'sum + price' }).waitFor();

  await tree.inline(TURN_ROW, 'Undo Files');
  await expect.poll(prints, { timeout: 20_000 }).toEqual(before);
  await workbench.page
    .locator('.tab', { hasText: /^price\.js$/ })
    .first()
    .click();
  await workbench.page.locator('.editor-instance .view-line', { hasText: 'sum - price' }).first().waitFor();

  await tree.inline(TURN_ROW, 'Redo');
  await expect.poll(prints, { timeout: 20_000 }).toEqual(after);
  expect(FIXED_PRICE).toContain('sum + price');
});

test('an undo is refused when the file was edited by hand since: the cause is told and nothing changes', async () => {
  const { settings } = await scriptedModel(FIX);
  const belay = await openBelay({ files: SHOP, settings });
  const { workbench, folder } = belay;
  const panel = await belay.openPanel();
  const turn = await panel.send('Fix the total');
  await workbench.button(workbench.notification('Belay wants to run'), 'Allow Once').click();
  await panel.ended(turn);
  appendFileSync(path.join(folder, 'src/price.js'), '\r\n// by hand');
  const edited = [fingerprint(folder, 'src/price.js'), fingerprint(folder, 'check.sh')];

  const tree = await openCheckpoints(workbench);
  await tree.inline(TURN_ROW, 'Undo Files');
  const outcome = panel.part('restore-outcome');
  await outcome.waitFor();
  const told = await outcome.innerText();
  expect({
    file: told.includes('src/price.js'),
    hand: /by hand/.test(told),
    other: told.includes('check.sh'),
  }).toEqual({ file: true, hand: true, other: false });
  expect([fingerprint(folder, 'src/price.js'), fingerprint(folder, 'check.sh')]).toEqual(edited);
});

test('an undo is refused naming the command that changed the file, not the person', async () => {
  const script = [
    ...FIX.slice(0, 3),
    {
      calls: [
        {
          id: 'run-1',
          name: 'run_command',
          input: { command: 'npm run format', description: 'Formats the code' },
        },
      ],
    },
    { text: 'Formatted.' },
  ];
  const { settings } = await scriptedModel(script);
  const belay = await openBelay({ files: SHOP, settings });
  const { workbench, folder } = belay;
  const panel = await belay.openPanel();
  const turn = await panel.send('Fix and format');
  await workbench.button(workbench.notification('Belay wants to run: npm run format'), 'Allow Once').click();
  await panel.ended(turn);
  const formatted = fingerprint(folder, 'src/price.js');

  const tree = await openCheckpoints(workbench);
  await tree.inline(TURN_ROW, 'Undo Files');
  const outcome = panel.part('restore-outcome');
  await outcome.waitFor();
  const told = await outcome.innerText();
  expect({ command: told.includes('npm run format'), person: /by hand/.test(told) }).toEqual({
    command: true,
    person: false,
  });
  expect(fingerprint(folder, 'src/price.js')).toEqual(formatted);
});
