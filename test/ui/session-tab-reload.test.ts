import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';
import { openInTab, tabFrame, tabOf } from '#test/ui/support/session-tabs';

test('a session in a tab comes back after Reload Window, with its turns and its draft', async () => {
  const { settings } = await scriptedModel([{ text: 'First answer.' }, { text: 'And once more.' }]);
  const belay = await openBelay({ settings });
  const { workbench } = belay;
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Say first'))).toBe('done');
  const tab = await openInTab(workbench);
  await tab.part('composer').fill('half a thought');

  const reloaded = workbench.page.waitForEvent('load');
  await workbench.runCommand('Developer: Reload Window');
  await reloaded;

  await tabOf(workbench, 'Say first').waitFor();
  const back = tabFrame(workbench);
  await back.getByTestId('turn').getByText('First answer.').waitFor();
  await expect.poll(() => back.getByTestId('composer').inputValue()).toBe('half a thought');
  await back.getByTestId('composer').fill('Again');
  await back.getByTestId('composer').press('Enter');
  await back.getByTestId('turn').getByText('And once more.').waitFor();
});
