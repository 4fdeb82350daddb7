import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { openBelay } from '#test/ui/support/open-belay';
import { card, runs, sandboxItem, statusBar } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

test('a turn takes queued words and stops at once; modes are picked, full access is typed and ends with the window', async () => {
  const { settings, server } = await scriptedModel([
    runs('sh until-told.sh', 'c1'),
    { text: 'Read your note.' },
    runs('echo begun; sleep 60', 'c2'),
    { text: 'After the stop.' },
    { calls: [{ id: 'w', name: 'write_file', input: { path: 'a.txt', content: 'x\n' } }] },
    { text: 'Only reading.' },
  ]);
  const rule = {
    'belay.permissions.allow': ['echo:*', 'sleep:*', 'sh:*'].map((each) => `run_command(${each})`),
  };
  const files = { 'until-told.sh': 'until [ -e told ]; do sleep 0.1; done\n' };
  const belay = await openBelay({ settings: { ...settings, ...rule }, files });
  const { workbench } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  const composer = panel.part('composer');
  const running = panel.frame.locator('[data-testid="call-row"][data-state="running"]');
  const input = quickInput(page);
  const pick = async (name: string) => {
    await panel.part('mode').click();
    await panel.part('mode-menu').getByRole('menuitemradio', { name }).click();
  };
  await pick('Allow');
  await statusBar(workbench, 'Belay: Allow').waitFor();

  const turn = await panel.send('Work');
  await running.waitFor();
  await composer.fill('and be brief');
  await composer.press('Enter');
  await panel.part('turn').getByText('Queued for the next step').waitFor();
  writeFileSync(path.join(belay.folder, 'told'), '');
  expect(await panel.ended(turn)).toBe('done');
  expect(JSON.stringify(server.requests[1]?.body)).toContain('and be brief');

  const long = await panel.send('Work long');
  await running.waitFor();
  await panel.part('stop').click();
  // Long before the command would have ended by itself.
  expect(await panel.ended(long, 30_000)).toBe('cancelled');
  await card(panel, 'You stopped this turn').waitFor();
  expect(await panel.ended(await panel.send('Go on'))).toBe('done');

  await pick('Read only');
  await statusBar(workbench, 'Belay: Read only').waitFor();
  expect(await panel.ended(await panel.send('Write'))).toBe('done');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/read-only/);

  await pick('Full access');
  await input.waitFor();
  await input.press('Enter');
  await input.waitFor({ state: 'hidden' });
  await statusBar(workbench, 'Belay: Read only').waitFor();
  await pick('Full access');
  await input.fill('danger');
  await input.press('Enter');
  const item = statusBar(workbench, 'Belay: Full access');
  await item.waitFor();
  await sandboxItem(workbench, 'no sandbox').waitFor();
  const classes = async () => [
    await item.getAttribute('class'),
    await panel.part('mode').getAttribute('class'),
  ];
  await expect
    .poll(classes)
    .toEqual([expect.stringContaining('warning'), expect.stringContaining('is-danger')]);

  await belay.reload();
  const again = await belay.openPanel();
  await again.part('turn').getByText('Only reading.').waitFor();
  await statusBar(workbench, 'Belay: Workspace write').waitFor();
  const sandbox = sandboxItem(workbench, /bubblewrap|namespaces/);
  await sandbox.click();
  await workbench.page.locator('.notifications-toasts', { hasText: 'Commands run in a sandbox' }).waitFor();
  expect(await again.part('mode').getAttribute('class')).not.toContain('is-danger');
});
