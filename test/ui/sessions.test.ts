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
interface Draft {
  readonly text: string;
  readonly caret: number;
  readonly chips: readonly string[];
}

async function draft(panel: Panel): Promise<Draft> {
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
  const facts = ({ text, chips, caret }: Draft) => ({
    typed: /draft A .*and more/.test(text),
    attached: chips.join().includes('parser.ts'),
    fromEnd: text.length - caret,
  });
  await expect
    .poll(async () => facts(await draft(panel)))
    .toEqual({ typed: true, attached: true, fromEnd: 5 });
  const kept = await draft(panel);
  const shows = (where: Panel, what: Partial<Draft>) => expect.poll(() => draft(where)).toMatchObject(what);

  await workbench.runCommand('Belay: New Session');
  await panel.frame.getByText('Ask for a change in workspace').waitFor();
  await shows(panel, { text: '' });
  expect(await panel.ended(await panel.send('Say second'))).toBe('done');
  await composer.fill('draft B');
  const switchTo = async (title: string) => {
    await workbench.runCommand('Belay: Show Sessions');
    await panel.part('sessions').getByText(title).click();
    await panel.frame.getByTestId('turn').getByText(title).waitFor();
  };
  await switchTo('Say first');
  await shows(panel, kept);

  await composer.press('Control+Home');
  await composer.press('ArrowUp');
  await shows(panel, { text: 'Say first' });
  await composer.press('ArrowDown');
  const top = { ...kept, caret: 0 };
  await shows(panel, top);

  await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
  await page.locator('iframe.webview').first().waitFor({ state: 'hidden' });
  const shown = await belay.openPanel();
  await shows(shown, top);

  await belay.reload();
  const reloaded = await belay.openPanel();
  await reloaded.part('turn').getByText('First answer.').waitFor();
  await shows(reloaded, top);
  await switchTo('Say second');
  await shows(reloaded, { text: 'draft B' });
});
