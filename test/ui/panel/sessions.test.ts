import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FoundInHistory } from '#protocol/history';
import type { ToPanel } from '#protocol/wire';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { SESSION } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage, settle, THEMES } from './harness';
import { longSession } from './parser-turn';
import { snapshot } from './state-parts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const PICTURES = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'sessions');
const minutes = (count: number) => Date.now() - count * 60_000;
const sessions = [
  { id: SESSION, title: 'Fix the failing parser test', at: minutes(0), running: false, waiting: 0 },
  {
    id: 's2',
    title: 'Rename the printer module and everything that imports it',
    at: minutes(34),
    running: true,
    waiting: 0,
  },
  { id: 's3', title: '修复数据库连接 × <b>bold</b> 🧪', at: minutes(300), running: false, waiting: 0 },
  { id: 's4', title: 'Upgrade the linter', at: minutes(3000), running: true, waiting: 1 },
];
const shown = snapshot(longSession(3), { sessions });

const hit = (part: Partial<FoundInHistory>): FoundInHistory => ({
  ...{
    sessionId: 's3',
    title: sessions[2]?.title ?? '',
    folder: undefined,
    archived: false,
    at: minutes(300),
  },
  ...{ turn: 12, kind: 'answer' },
  snippet: [
    { text: '…the pool kept a connection whose ', hit: false },
    { text: 'timeout', hit: true },
    {
      text: ' had passed, so <img src=x> the next query waited for the socket to be closed by the server',
      hit: false,
    },
  ],
  ...part,
});

const found = (requestId: number): ToPanel => ({
  type: 'sessions-found',
  requestId,
  answer: {
    indexing: false,
    found: [
      hit({}),
      hit({ sessionId: 's5', title: 'Elsewhere', folder: '/home/me/other', archived: true, turn: 1 }),
    ],
  },
});

const titles = (panel: PanelPage) => panel.page.locator('.session .row-label').allInnerTexts();
const last = async (panel: PanelPage) => (await panel.posted()).at(-1);

test('the list opens with the keyboard in its search; arrows, Enter and Escape go through it', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(shown, { type: 'show-sessions' });
  const { keyboard } = panel.page;
  expect(await titles(panel)).toEqual(sessions.map(({ title }) => title));
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  expect(await last(panel)).toEqual({ type: 'open-session', sessionId: 's2' });
  await keyboard.press('Escape');
  await settle(panel.page);
  expect([await panel.part('sessions').count(), await panel.page.locator('.turn').count()]).toEqual([0, 3]);
});

test('a search shows hits as text with the words marked, and opens at the turn', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(shown, { type: 'show-sessions' });
  await panel.part('sessions-search').fill('timeout');
  await expect
    .poll(() => last(panel))
    .toEqual({
      ...{ type: 'search-sessions', requestId: 1, query: 'timeout', everywhere: false, archived: false },
    });
  await panel.tell(found(1));
  expect([
    await panel.page.locator('.session-snippet mark').allInnerTexts(),
    await panel.page.locator('.session img').count(),
    await panel.page.locator('.session[data-session="s5"] .session-actions').count(),
  ]).toEqual([['timeout', 'timeout'], 0, 0]);
  await panel.page.keyboard.press('ArrowDown');
  await panel.page.keyboard.press('Enter');
  expect(await last(panel)).toEqual({ type: 'open-session', sessionId: 's3', turn: 12 });
});

test('F2 renames in place, Escape keeps the title, Delete and the buttons ask the extension', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(shown, { type: 'show-sessions' });
  const { keyboard } = panel.page;
  await keyboard.press('ArrowDown');
  await keyboard.press('F2');
  await keyboard.type('Other');
  await keyboard.press('Escape');
  await settle(panel.page);
  expect((await panel.posted()).length).toBe(0);
  await keyboard.press('F2');
  await keyboard.type('Better title');
  await keyboard.press('Enter');
  await settle(panel.page);
  expect(await last(panel)).toEqual({ type: 'rename-session', sessionId: SESSION, title: 'Better title' });
  await keyboard.press('Delete');
  expect(await last(panel)).toEqual({ type: 'delete-session', sessionId: SESSION });
  await panel.page.locator('.session').nth(1).hover();
  await panel.page.locator('.session').nth(1).getByTestId('session-archive').click();
  expect(await last(panel)).toEqual({ type: 'archive-session', sessionId: 's2', away: true });
});

test('nothing found, nothing archived and an index that is still made are said', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(shown, { type: 'show-sessions' });
  await panel.part('sessions-archive').click();
  await expect.poll(() => last(panel)).toMatchObject({ type: 'search-sessions', archived: true });
  await panel.tell({ type: 'sessions-found', requestId: 1, answer: { found: [], indexing: false } });
  const none = await panel.page.locator('.sessions-note').innerText();
  await panel.part('sessions-search').fill('x');
  await panel.tell({ type: 'sessions-found', requestId: 2, answer: { found: [], indexing: true } });
  expect([none, await panel.page.locator('.sessions-note').innerText()]).toEqual([
    'No session is archived.',
    'Older sessions are still being read: there may be more.',
  ]);
});

test('the list stands in every theme, narrow and wide, and nothing in it leaves its width', async () => {
  mkdirSync(PICTURES, { recursive: true });
  const wide: number[] = [];
  for (const theme of THEMES)
    for (const width of [240, 480]) {
      await using panel = await openPanelPage(browser, { theme, width, height: 420 });
      await panel.tell(shown, { type: 'show-sessions' });
      await panel.page.locator('.session').nth(2).hover();
      await panel.page.screenshot({ path: path.join(PICTURES, `list-${theme}-${width}.png`) });
      await panel.part('sessions-search').fill('timeout');
      await panel.page.waitForTimeout(200);
      await panel.tell(found(1));
      await panel.page.screenshot({ path: path.join(PICTURES, `found-${theme}-${width}.png`) });
      wide.push(await panel.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'));
    }
  expect(Math.max(...wide)).toBeLessThanOrEqual(0);
});
