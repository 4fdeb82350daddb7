import { expect, test } from 'vitest';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const SETTINGS = `{
  "permissions": { "deny": ["Bash(git push:*)"] }
}
`;

test('a command is edited on its card and that one runs; the trace opens the rule that denied; a command is explained', async () => {
  const { settings, server } = await scriptedModel([
    runs('touch wrong.txt', 'c1'),
    runs('git push', 'c2'),
    { text: 'That is all.' },
  ]);
  const belay = await openBelay({ settings, files: { 'a.txt': 'a\n', '.belay/settings.json': SETTINGS } });
  const { workbench } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  const card = panel.part('approval');

  const turn = await panel.send('Make the file');
  await card.filter({ hasText: 'touch wrong.txt' }).getByTestId('edit-command').click();
  await card.getByRole('textbox', { name: 'Command' }).fill('touch right.txt && ls');
  await workbench.runCommand('Belay: Approve Once');
  await workbench.told('Its command is being edited on the card');
  await card.getByRole('textbox', { name: 'Command' }).press('Enter');
  expect(await panel.ended(turn)).toBe('done');
  const told = JSON.stringify(server.requests.at(-1)?.body);
  expect([told.includes('right.txt'), told.includes('a.txt\\nright.txt')]).toEqual([true, true]);
  const row = panel.part('call-row').filter({ hasText: 'touch right.txt && ls' });
  expect(await row.getAttribute('data-state')).toBe('success');

  await panel.part('call-row').filter({ hasText: 'git push' }).click();
  await panel.part('why').last().click();
  await panel.part('trace').getByRole('link', { name: '.belay/settings.json:2' }).click();
  await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
  await page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();

  await workbench.runCommand('Belay: Explain a Command');
  await quickInput(page).fill('ls && git push origin main');
  await quickInput(page).press('Enter');
  await page.locator('.tab.active', { hasText: 'Command explained' }).waitFor();
  const lines = page.locator('.editor-instance .view-lines');
  await lines.filter({ hasText: /Belay.would.not.run.this/ }).waitFor();
  const text = (await lines.innerText()).replaceAll('\u00a0', ' ');
  expect(text).toContain('denied by the rule Bash(git push:*) (.belay/settings.json:2)');
  expect(text).toMatch(/read-only +ls/);
});
