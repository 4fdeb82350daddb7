import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '#test/ui/support/editors';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const LINES = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`).join('\n');
const files = { 'open.txt': `${LINES}\n`, 'mine.txt': '', 'closed.txt': 'closed\n', 'gone.txt': 'x\n' };

/** Edits of open and closed files, a creation, a deletion and a question: all that may tempt an agent to take the focus. */
const BUSY = [
  ...Array.from({ length: 6 }, (_, i) => [
    { calls: [{ id: `r${i}`, name: 'read_file', input: { path: 'open.txt' } }] },
    {
      text: `Step ${i + 1}.`,
      calls: [
        {
          id: `e${i}`,
          name: 'edit_file',
          input: { path: 'open.txt', oldText: `line ${10 * i + 5}\n`, newText: `LINE ${10 * i + 5}\n` },
        },
      ],
    },
  ]).flat(),
  {
    calls: [
      { id: 'c1', name: 'read_file', input: { path: 'closed.txt' } },
      { id: 'c2', name: 'edit_file', input: { path: 'closed.txt', oldText: 'closed', newText: 'edited' } },
      { id: 'c3', name: 'write_file', input: { path: 'made.txt', content: 'made\n' } },
      { id: 'c4', name: 'read_file', input: { path: 'gone.txt' } },
      { id: 'c5', name: 'delete_file', input: { path: 'gone.txt' } },
    ],
  },
  runs('touch asked'),
  { text: 'All of it is done.' },
].map((reply) => ({ ...reply, delayMs: 150 }));

/** Nothing completes what is typed: Enter is a line break. */
const PLAIN_TYPING = { 'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' } };

test('while the agent works the focus, the tabs and every typed character stay the person’s', async () => {
  const { settings } = await scriptedModel(BUSY);
  const belay = await openBelay({ settings: { ...settings, ...PLAIN_TYPING }, files });
  const { workbench, folder } = belay;
  const { page } = workbench;
  await openFile(workbench, 'open.txt');
  await openFile(workbench, 'mine.txt');
  const tabs = () =>
    page
      .locator('.tabs-container .tab')
      .evaluateAll((all) => all.map((tab) => tab.getAttribute('data-resource-name')));
  const active = () => page.locator('.tabs-container .tab.active').getAttribute('data-resource-name');
  const panel = await belay.openPanel();
  const turn = await panel.send('Change all of it');
  await page.locator('.editor-instance .view-lines').first().click();
  const shown = { tabs: await tabs(), active: await active() };

  let typed = '';
  const asked = panel.part('approval');
  for (let i = 0; i < 400 && !(await asked.isVisible()); i++) {
    const character = String.fromCharCode(97 + (i % 26));
    await page.keyboard.type(character);
    typed += character;
  }
  await asked.waitFor();
  // A question is there now, and the keys still go where they went.
  await page.keyboard.type('still mine');
  await page.keyboard.press('Enter');
  await page.keyboard.type('end');
  expect({ tabs: await tabs(), active: await active() }).toEqual(shown);
  expect(await asked.count()).toBe(1);
  await page.keyboard.press('Control+S');
  const mine = path.join(folder, 'mine.txt');
  await expect.poll(() => readFileSync(mine, 'utf8')).toBe(`${typed}still mine\nend`);

  const composer = panel.part('composer');
  await composer.click();
  await composer.pressSequentially('a draft in ', { delay: 20 });
  await panel.part('allow-once').click();
  await composer.focus();
  await composer.pressSequentially('the middle', { delay: 20 });
  expect(await panel.ended(turn)).toBe('done');
  await expect.poll(() => composer.inputValue()).toBe('a draft in the middle');
  expect(readFileSync(path.join(folder, 'open.txt'), 'utf8').match(/LINE/g)?.length).toBe(6);
  expect({ tabs: await tabs(), active: await active() }).toEqual(shown);
});
