import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { openPanelPage, type PanelPage, settle } from './harness';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function opened(state: 'displays' | 'hostile', width = 320): Promise<PanelPage> {
  const panel = await openPanelPage(browser, { width, height: 1200 });
  await panel.tell(...(STATES[state]?.() ?? []));
  const rows = panel.part('call-row');
  for (let row = 0; row < (await rows.count()); row++) await rows.nth(row).click();
  await settle(panel.page);
  return panel;
}

const body = (panel: PanelPage, name: string, nth = 0): Locator =>
  panel.page
    .locator('.call', { has: panel.page.locator(`[data-call-name="${name}"]`) })
    .nth(nth)
    .locator('.call-body');
const textOf = async (where: Locator) =>
  (await where.innerText()).split('\n').filter((line) => line.trim() !== '');

test('each kind shows what it has: fields, output, counts, and the way to the whole of a long output', async () => {
  await using panel = await opened('displays');
  const shown = async (name: string, nth = 0) => (await textOf(body(panel, name, nth))).slice(0, -1);
  expect([
    await shown('read_file', 0),
    await shown('read_file', 1),
    await shown('run_command', 0),
    await shown('run_command', 1),
    await shown('run_command', 2),
    await shown('search_files', 0),
    await shown('search_files', 1),
    await shown('rename_file'),
    await shown('read_artifact'),
    await shown('mcp__tracker__find'),
  ]).toEqual([
    ['lines: 1–120', '1→import { fail } from "./fail";', '2→'],
    ['lines: empty', 'Empty'],
    [
      'duration: 4.2 s · sandbox: bubblewrap · left out: 78894 characters',
      'FAIL src/parser.test.ts',
      '  parses decimals',
      '    expected 1.5, got 1',
      '1 failed, 12 passed',
      'Open Whole Output (106 KB)',
    ],
    ['No output'],
    ['for f in src/*.ts; do', '  npx tsc --noEmit "$f" || echo "$f fails"', 'done', 'src/index.ts fails'],
    ['src/parser.ts:41: function parseNumber(text: string) {', 'src/index.ts:7: parseNumber'],
    ['No hits'],
    ['a.ts is now b.ts', 'Open Changes'],
    ['lines: 1201–1400', 'Open Whole Output (106 KB)'],
    [
      '{',
      '  "issues": [',
      '    {',
      '      "id": 41,',
      '      "title": "Decimals are cut",',
      '      "open": true',
      '    }',
      '  ],',
      '  "next": null',
      '}',
    ],
  ]);
  expect(await body(panel, 'edit_file').locator('.diff-line').count()).toBe(6);
});

test('a long output is asked for by the click alone, and by the keyboard', async () => {
  await using panel = await opened('displays');
  expect(await panel.posted()).toEqual([]);
  const link = body(panel, 'read_artifact').getByRole('button', { name: /Open Whole Output/ });
  await link.focus();
  await panel.page.keyboard.press('Enter');
  expect(await panel.posted()).toEqual([{ type: 'open-artifact', sessionId: 's1', artifactId: 'a1' }]);
});

test('every box that scrolls is reached by Tab and has a name', async () => {
  await using panel = await opened('displays');
  const boxes = await panel.page
    .locator('.call-body :is(pre, .diff)')
    .evaluateAll((all) =>
      all.map((box) => [(box as unknown as { tabIndex: number }).tabIndex, box.getAttribute('aria-label')]),
    );
  expect(boxes).toEqual([
    [0, 'src/parser.ts'],
    [0, 'Output of npm test'],
    [0, 'Command'],
    [0, expect.stringContaining('Output of for f in')],
    [0, 'Hits for parseNumber'],
    [0, 'Changes in src/parser.ts'],
    [0, 'Result'],
  ]);
});

test('hostile strings are text: nothing acts, nothing hides, nothing gets out of its box', async () => {
  await using panel = await opened('hostile', 240);
  const words = await panel.page.locator('.log').innerText();
  expect(words).toContain(
    'a\\u{202e}gnp.exe\\u{2066} <img src=x onerror=alert(1)> [x](command:belay.approve) \\u{1b}[2J\\u{200b}\\u{0}',
  );
  const acting = await panel.page.evaluate<number>(
    'document.querySelectorAll(".log img, .log a, .log script").length + [...document.querySelectorAll(".log *")].flatMap((each) => [...each.attributes].map(({ value }) => value).concat([...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data))).filter((text) => /[\\u0000-\\u0008\\u001b\\u200b\\u202a-\\u202e\\u2066-\\u2069]/.test(text)).length',
  );
  const wide = await panel.page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const tall = await panel.page.evaluate<number>(
    'Math.max(...[...document.querySelectorAll(".call-body .block")].map((block) => block.clientHeight))',
  );
  expect([acting, wide, tall <= 402]).toEqual([0, 0, true]);
  expect(await textOf(body(panel, 'edit_file'))).toContain('8520 more changed lines');
});

test('a folded row shows none of it, and folding again takes it away', async () => {
  await using panel = await opened('displays');
  expect(await panel.page.locator('.call-body').count()).toBeGreaterThan(10);
  const rows = panel.part('call-row');
  for (let row = 0; row < (await rows.count()); row++) await rows.nth(row).click();
  expect(await panel.page.locator('.call-body').count()).toBe(0);
});
