import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { openPanelPage } from './harness';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Buttons and boxes that stick out of the page at its side. What is cut off with an ellipsis on purpose lies inside. */
const STICKING_OUT = `[...document.querySelectorAll('button, textarea, .card, .notice, .message, .composer, .shelf, .popup')]
  .filter((box) => box.checkVisibility({ visibilityProperty: true }) && box.getBoundingClientRect().width > 0)
  .filter((box) => box.getBoundingClientRect().right > innerWidth + 0.5 || box.getBoundingClientRect().left < -0.5)
  .map((box) => box.className + ' ' + Math.round(box.getBoundingClientRect().right))`;

const WIDTHS = [170, 240, 320, 480, 600];

test.each([
  ...WIDTHS.map((width) => ({ width, name: 'English' })),
  ...WIDTHS.map((width) => ({ width, name: 'Chinese', language: 'zh-cn' })),
])(
  'in $name, at a width of $width pixels, no state is cut at its side or scrolls sideways',
  async ({ name: _language, ...options }) => {
    await using panel = await openPanelPage(browser, options);
    const out: string[] = [];
    for (const [name, messages] of Object.entries(STATES)) {
      await panel.tell(...messages());
      const boxes = await panel.page.evaluate<readonly string[]>(STICKING_OUT);
      const scrolls = await panel.page.evaluate<boolean>(
        'document.documentElement.scrollWidth > innerWidth || document.querySelector(".log")?.scrollWidth > document.querySelector(".log")?.clientWidth',
      );
      if (boxes.length > 0 || scrolls) out.push(`${name}: ${boxes.join(', ')}${scrolls ? ' scrolls' : ''}`);
    }
    expect(out).toEqual([]);
  },
);

test('a long path keeps its file name at every width', async () => {
  for (const width of [240, 320, 480]) {
    await using panel = await openPanelPage(browser, { width });
    await panel.tell(...(STATES['long']?.() ?? []));
    const name = panel.page.locator('.row[data-call-name="edit_file"] .path-name:visible').last();
    const [shown, needed] = await name.evaluate((element): [number, number] => [
      element.clientWidth,
      element.scrollWidth,
    ]);
    expect(await name.innerText()).toBe('/lexer.ts');
    expect(shown).toBeGreaterThanOrEqual(needed);
  }
});

test('words become icons where there is no room, and keep their names', async () => {
  await using panel = await openPanelPage(browser, { width: 290 });
  await panel.tell(...(STATES['finished']?.() ?? []));
  expect(await panel.part('undo').innerText()).toBe('');
  expect(await panel.part('undo').getAttribute('aria-label')).toBe('Undo All');
});

test('of the todos only the one at work stands out, and what is done is quiet', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(...(STATES['todos']?.() ?? []));
  await panel.part('todos').getByRole('button').click();
  const looks = await panel.page.evaluate<readonly (readonly [string, string])[]>(
    `[...document.querySelectorAll('.todo-words')].map((words) => getComputedStyle(words)).map(({ fontWeight, color }) => [fontWeight, color])`,
  );
  const [done, now, next, last] = looks;
  expect([done?.[0], now?.[0], next?.[0], last?.[0]]).toEqual(['400', '600', '400', '400']);
  expect(done?.[1]).not.toBe(next?.[1]);
});
