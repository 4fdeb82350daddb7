import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { runs, statusBar } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const files = { 'package.json': '{"scripts": {"test": "node -v"}}\n', 'README.md': '# Sample\n' };

test('a question is answered on the card, by its rule, with words, in the notification, from the status bar; late answers say so', async () => {
  const { settings, server } = await scriptedModel([
    runs('touch one', 'c1'),
    runs('touch two', 'c2'),
    runs('touch two', 'c3'),
    runs('rm -r build', 'c4'),
    { text: 'Then I leave it.' },
    runs('touch five', 'c5'),
    runs('touch six', 'c6'),
    { text: 'Done with six.' },
    runs('touch seven', 'c7'),
  ]);
  const belay = await openBelay({ settings, files });
  const { workbench } = belay;
  const panel = await belay.openPanel();
  const card = panel.part('approval');
  const asked = (command: string) => `Belay wants to run: ${command}`;

  const turn = await panel.send('Try the answers');
  await card.filter({ hasText: 'touch one' }).waitFor();
  await statusBar(workbench, 'Belay: 1 waiting').waitFor();
  await card.getByTestId('allow-once').click();

  await card.filter({ hasText: 'touch two' }).getByTestId('allow-session').waitFor();
  // The notification of the first question is still listed: its answer comes too late and changes nothing.
  await workbench.runCommand('Notifications: Show Notifications');
  const listed = workbench.page.locator('.notifications-center .notification-list-item');
  await workbench.button(listed.filter({ hasText: 'touch one' }), 'Deny').click();
  await workbench.page.locator('.statusbar', { hasText: 'Already allowed in the panel' }).waitFor();
  await workbench.runCommand('Notifications: Hide Notifications');
  await card.getByTestId('allow-session').click();

  const removal = card.filter({ hasText: 'rm -r build' });
  await removal.getByRole('button', { name: 'More ways to deny' }).click();
  await removal.getByRole('menuitem', { name: 'Deny and Say Why…' }).click();
  await removal.getByRole('textbox').fill('Leave the build alone');
  await removal.getByRole('textbox').press('Enter');
  expect(await panel.ended(turn)).toBe('done');
  const requests = server.requests.map(({ body }) => JSON.stringify(body));
  expect([requests.length, requests.at(-1)?.includes('Leave the build alone')]).toEqual([5, true]);

  const second = await panel.send('Ask in the notification');
  await workbench.told(asked('touch five'));
  // With the panel out of sight the notification brings it back.
  await workbench.page.keyboard.press('Control+Alt+B');
  await workbench.page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
  await workbench.answer(asked('touch five'), 'Review');
  await card.filter({ hasText: 'touch five' }).waitFor();
  await statusBar(workbench, 'waiting').click();
  await panel.part('composer').and(panel.frame.locator(':focus')).waitFor();
  await card.getByTestId('allow-once').click();
  await card.filter({ hasText: 'touch six' }).waitFor();
  await panel.part('composer').press('Control+Alt+Enter');
  expect(await panel.ended(second)).toBe('done');

  const third = await panel.send('And a last one');
  await card.filter({ hasText: 'touch seven' }).waitFor();
  // The same keys mean nothing while the focus is elsewhere. Once Belay lists its modes it knows that the focus has gone.
  await workbench.runCommand('File: Focus on Files Explorer');
  await workbench.runCommand('Belay: Select Permission Mode…');
  const modes = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Read only' });
  await modes.waitFor();
  await workbench.page.keyboard.press('Escape');
  await modes.waitFor({ state: 'hidden' });
  await workbench.page.keyboard.press('Control+Alt+Enter');
  await workbench.page.keyboard.press('Control+Alt+Backspace');
  await workbench.answer(asked('touch seven'), 'Deny');
  expect(await panel.ended(third)).toBe('denied');
});
