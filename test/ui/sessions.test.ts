import { expect, test } from 'vitest';
import type { Panel } from '#test/support/panel';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const files = {
  'README.md': '# Sample\n',
  'src/parser.ts': 'export {};\n',
  'src/printer.ts': 'export {};\n',
};

/** The draft as it shows: its text, where the caret is, what is attached. */
async function draft(panel: Panel): Promise<{ text: string; caret: number; chips: string[] }> {
  const composer = panel.part('composer');
  const [text, caret] = await composer.evaluate(
    (area: { value: string; selectionStart: number }) => [area.value, area.selectionStart] as const,
  );
  const chips = await panel.frame.locator('.composer .chip').allInnerTexts();
  return { text, caret, chips: chips.map((chip) => chip.trim()) };
}

test('UI-03 a draft with caret and attachments is kept per session: over a switch, a hidden view, history and a reload', async () => {
  const { settings } = await scriptedModel([{ text: 'First answer.' }, { text: 'Second answer.' }]);
  const belay = await openBelay({ settings, files });
  const { workbench } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  const composer = panel.part('composer');
  expect(await panel.ended(await panel.send('Say first'))).toBe('done');

  await composer.pressSequentially('draft A @pars');
  await panel.part('mention-list').getByText('parser.ts').waitFor();
  await composer.press('Enter');
  await composer.pressSequentially('and more');
  for (let i = 0; i < 5; i++) await composer.press('ArrowLeft');
  const kept = await draft(panel);
  expect([kept.text.includes('draft A'), kept.chips.join().includes('parser.ts'), kept.caret]).toEqual([
    true,
    true,
    kept.text.length - 5,
  ]);

  await workbench.runCommand('Belay: New Session');
  await panel.frame.getByText('Ask for a change in workspace').waitFor();
  expect((await draft(panel)).text).toBe('');
  expect(await panel.ended(await panel.send('Say second'))).toBe('done');
  await composer.fill('draft B');
  const switchTo = async (title: string) => {
    await workbench.runCommand('Belay: Show Sessions');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).click();
    await panel.frame.getByTestId('turn').getByText(title).waitFor();
  };
  await switchTo('Say first');
  expect(await draft(panel)).toEqual(kept);

  await composer.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  expect((await draft(panel)).text).toBe('Say first');
  await page.keyboard.press('ArrowDown');
  const top = { ...kept, caret: 0 };
  expect(await draft(panel)).toEqual(top);

  await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
  await page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
  const shown = await belay.openPanel();
  expect(await draft(shown)).toEqual(top);

  await belay.reload();
  const reloaded = await belay.openPanel();
  await reloaded.frame.getByText('First answer.').waitFor();
  expect(await draft(reloaded)).toEqual(top);
  await switchTo('Say second');
  expect((await draft(reloaded)).text).toBe('draft B');
});
