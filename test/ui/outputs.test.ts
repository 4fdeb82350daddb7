import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const TOKEN = `gh${'p_'}aB3dE5gH7jK9mN2pQ4rS6tU8vWaB3dE5gH7j`;

test('the whole of a long output opens on a click, never by itself, read-only and without secrets', async () => {
  const lines = Array.from({ length: 9000 }, (_, line) => `line ${line + 2}`);
  const { settings } = await scriptedModel([runs('cat long.txt'), { text: 'Read.' }]);
  const belay = await openBelay({ settings, files: { 'long.txt': `${TOKEN}\n${lines.join('\n')}\n` } });
  const { page } = belay.workbench;
  const panel = await belay.openPanel();
  const turn = await panel.send('Read it');
  await panel
    .part('allow-once')
    .or(panel.part('call-row').and(panel.frame.locator('[data-state="success"]')))
    .first()
    .waitFor();
  if (await panel.part('allow-once').isVisible()) await panel.part('allow-once').click();
  expect(await panel.ended(turn)).toBe('done');

  const tab = page.locator('.tab', { hasText: 'Output' });
  expect(await tab.count()).toBe(0);
  await panel.frame.locator('[data-testid="call-row"][data-call-name="run_command"]').click();
  await panel.frame.getByRole('button', { name: /Open Whole Output/ }).click();
  await page.locator('.tab.active', { hasText: 'Output' }).waitFor();
  const text = page.locator('.editor-instance .view-lines').first();
  await expect
    .poll(async () => (await text.innerText()).replaceAll('\u00a0', ' ').split('\n')[0])
    .toBe('[redacted: GitHub token]');

  await text.click();
  await page.keyboard.type('mine');
  await page.locator('.monaco-editor-overlaymessage', { hasText: 'read-only' }).waitFor();
  expect(await text.innerText()).not.toContain('mine');
  expect(await page.locator('.tab.active.dirty').count()).toBe(0);
});
