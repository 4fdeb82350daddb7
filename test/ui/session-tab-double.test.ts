import { expect, test } from 'vitest';
import { openFile } from '#test/ui/support/editors';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';
import { openInTab, tabFrame, tabOf } from '#test/ui/support/session-tabs';

test('a session’s tab that the editor hasn’t woken since the reload gives way to the one that was opened meanwhile', async () => {
  const { settings } = await scriptedModel([{ text: 'First answer.' }]);
  const belay = await openBelay({ settings, files: { 'README.md': '# Sample\n' } });
  const { workbench } = belay;
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Say first'))).toBe('done');
  const tab = await openInTab(workbench);
  await tab.part('composer').fill('half a thought');
  await openFile(workbench, 'README.md');

  const reloaded = workbench.page.waitForEvent('load');
  await workbench.runCommand('Developer: Reload Window');
  await reloaded;

  const tabs = tabOf(workbench, 'Say first');
  await tabs.waitFor();
  await belay.openPanel();
  await openInTab(workbench);
  // Nobody can tell yet whose the sleeping one is.
  await expect.poll(() => tabs.count()).toBe(2);
  await tabs.first().click();
  await expect.poll(() => tabs.count()).toBe(1);
  await tabs.and(workbench.page.locator('.active')).waitFor();
  const left = tabFrame(workbench);
  await left.getByTestId('turn').getByText('First answer.').waitFor();
  expect(await left.getByTestId('composer').inputValue()).toBe('half a thought');
});
