import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';
import { openInTab, tabOf, viewFrame } from '#test/ui/support/session-tabs';
import { FIX, fingerprint, SHOP } from '#test/ui/support/shop';

test('a session in a tab of the editor area: asked, approved and undone there, while the panel shows another; first answer wins', async () => {
  const { settings } = await scriptedModel([
    { text: 'First answer.' },
    { text: 'Second answer.' },
    ...FIX,
    runs('touch one', 'c1'),
    runs('touch two', 'c2'),
    { text: 'Both are there.' },
  ]);
  const belay = await openBelay({ files: SHOP, settings });
  const { workbench, folder } = belay;
  const prints = () => [fingerprint(folder, 'src/price.js'), fingerprint(folder, 'check.sh')];
  const before = prints();
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Say first'))).toBe('done');
  await workbench.runCommand('Belay: New Session');
  await panel.frame.getByText('Ask for a change in workspace').waitFor();
  expect(await panel.ended(await panel.send('Say second'))).toBe('done');
  await panel.part('composer').fill('a draft of the panel');

  const tab = await openInTab(workbench, 'Say first');
  const view = viewFrame(workbench);
  await tabOf(workbench, 'Say first').waitFor();
  // Opened by a person's wish, it has the keyboard.
  await tab.part('composer').and(tab.frame.locator(':focus')).waitFor();
  await tab.part('turn').getByText('First answer.').waitFor();
  await view.getByTestId('turn').getByText('Second answer.').waitFor();
  const fix = await tab.send('Fix the total');
  await tab.part('approval').filter({ hasText: 'npm test' }).getByTestId('allow-once').click();
  expect(await tab.ended(fix)).toBe('done');
  expect(prints()).not.toEqual(before);
  await tab.part('changes-bar').waitFor();
  expect(await view.getByTestId('changes-bar').count()).toBe(0);
  await tab.part('undo').click();
  await expect.poll(prints).toEqual(before);

  // Both places on one session: an answer given in one takes the card away in the other.
  await tab.part('composer').fill('a draft of the tab');
  await workbench.runCommand('Belay: Show Sessions');
  await view.getByTestId('sessions').getByText('Say first').click();
  await view.getByTestId('turn').getByText('Fix the total').waitFor();
  await view.getByTestId('composer').fill('Make two files');
  await view.getByTestId('composer').press('Enter');
  const [here, there] = [tab.part('approval'), view.getByTestId('approval')];
  for (const card of [here, there]) await card.filter({ hasText: 'touch one' }).waitFor();
  await here.getByTestId('allow-once').click();
  for (const card of [here, there]) await card.filter({ hasText: 'touch two' }).waitFor();
  expect(await there.count()).toBe(1);
  // The keys mean the card of the place that has the keyboard.
  await view.getByTestId('composer').click();
  await view.getByTestId('composer').press('Control+Alt+Enter');
  await tab.part('turn').getByText('Both are there.').waitFor();
  await view.getByTestId('turn').getByText('Both are there.').waitFor();
  expect(await tab.part('composer').inputValue()).toBe('a draft of the tab');
  await workbench.runCommand('Belay: Show Sessions');
  await view.getByTestId('sessions').getByText('Say second').click();
  await expect.poll(() => view.getByTestId('composer').inputValue()).toBe('a draft of the panel');
});
