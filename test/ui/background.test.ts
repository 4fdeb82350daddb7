import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const input = (id: string, text: string, token: string) => ({
  calls: [{ id, name: 'command_input', input: { id: 'c1', token, text } }],
});

test('a command runs in a terminal: seen in the panel, opened on a click, taken over by typing, given back, stopped', async () => {
  const { settings } = await scriptedModel([
    {
      calls: [
        {
          id: 'start',
          name: 'start_command',
          input: { command: 'bash --norc -i', description: 'A shell of its own', pty: true },
        },
      ],
    },
    { text: 'Started.' },
    input('no', 'echo from the agent\n', 'keyboard-1'),
    { text: 'I can’t type.' },
    input('yes', 'echo from $((40+2)) the agent\n', 'keyboard-2'),
    { text: 'Typed.' },
  ]);
  const belay = await openBelay({
    settings: { ...settings, 'belay.mode': 'allow', 'workbench.colorTheme': theme() },
    files: { 'a.txt': 'x\n' },
  });
  const { page } = belay.workbench;
  const panel = await belay.openPanel();
  const first = await panel.send('Start a shell');
  expect(await panel.ended(first)).toBe('done');

  const strip = panel.part('background');
  await strip.waitFor();
  expect((await strip.innerText()).replace(/\s+/g, ' ')).toContain('bash --norc -i');
  expect(await page.locator('.terminal-wrapper').count()).toBe(0);

  await panel.part('show-terminal').click();
  const screen = page.locator('.terminal-wrapper.active .xterm-screen');
  await screen.waitFor();
  await screen.click();
  await page.keyboard.type('echo by $((1+1)) hand');
  await page.keyboard.press('Enter');
  await panel.part('give-back').waitFor();
  await shot(page, 'taken');

  const refused = await panel.send('Type something');
  expect(await panel.ended(refused)).toBe('done');
  const row = panel.frame.locator('[data-testid="call-row"][data-call-name="command_input"]');
  expect(await row.last().getAttribute('data-state')).toBe('error');

  await panel.part('give-back').click();
  await panel.part('give-back').waitFor({ state: 'hidden' });
  const typed = await panel.send('Now type');
  expect(await panel.ended(typed)).toBe('done');
  expect(await row.last().getAttribute('data-state')).toBe('success');
  await shot(page, 'given-back');

  await panel.part('stop-command').click();
  await expect.poll(async () => (await strip.innerText()).replace(/\s+/g, ' ')).toContain('ended by you');
  await shot(page, 'stopped');
});

function theme(): string {
  return process.env['BELAY_THEME'] ?? 'Default Dark Modern';
}

async function shot(page: { screenshot(options: { path: string }): Promise<unknown> }, name: string) {
  const folder = process.env['BELAY_PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/terminal-${name}.png` });
}
