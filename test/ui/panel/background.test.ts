import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BackgroundRow } from '#protocol/panel-state';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { ended, folded, log, SESSION, started } from '#test/unit/protocol/session-log';
import { openPanelPage, THEMES } from './harness';
import { snapshot } from './state-parts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const row = (id: string, more: Partial<BackgroundRow> = {}): BackgroundRow => ({
  id,
  command: 'npm run dev',
  running: true,
  ending: '',
  taken: false,
  ...more,
});

const ROWS = [
  row('c1'),
  row('c2', { command: `node -i ${'--very-long '.repeat(30)}`, taken: true }),
  row('c3', { command: 'npm test\u202e -- --watch', running: false, ending: 'exit code 1' }),
];

const shown = (rows: readonly BackgroundRow[]) =>
  snapshot(folded(log(started(1, 'Start it'), ended(1))), { background: rows });

test('one command stands on a line with its buttons; several unfold, and each says how it is', async () => {
  await using panel = await openPanelPage(browser, { width: 300, height: 600 });
  await panel.tell(shown([row('c1')]));
  const strip = panel.part('background');
  const one = (await strip.innerText()).replace(/\s+/g, ' ').trim();
  await panel.part('show-terminal').click();
  await panel.part('stop-command').click();
  await panel.tell(shown(ROWS));
  await strip.locator('[aria-expanded]').click();
  const lines = await strip.locator('li').allInnerTexts();
  await strip.locator('li').nth(1).getByTestId('give-back').click();
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect([
    one,
    lines.map((line) => line.split('\n')[0]?.slice(0, 24)),
    await strip.locator('li').nth(2).innerText(),
    await strip.locator('li').nth(2).getByTestId('stop-command').count(),
    await panel.posted(),
    await panel.page.evaluate(overflow),
    await panel.violations(),
  ]).toEqual([
    'Running npm run dev',
    ['npm run dev', 'node -i --very-long --ve', 'npm test\\u{202e} -- --wa'],
    expect.stringContaining('exit code 1'),
    0,
    [
      { type: 'background', sessionId: SESSION, id: 'c1', action: 'show' },
      { type: 'background', sessionId: SESSION, id: 'c1', action: 'stop' },
      { type: 'background', sessionId: SESSION, id: 'c2', action: 'give-back' },
    ],
    0,
    [],
  ]);
});

test.each(THEMES)('the strip can be read in the theme %s', async (theme) => {
  await using panel = await openPanelPage(browser, { width: 340, height: 420, theme, scale: 2 });
  await panel.tell(shown(ROWS));
  await panel.part('background').locator('[aria-expanded]').click();
  expect(await panel.part('background').locator('li').count()).toBe(3);
  const picture = process.env['BELAY_PICTURES'];
  if (picture) await panel.page.screenshot({ path: `${picture}/background-${theme}.png` });
});
