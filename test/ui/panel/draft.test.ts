import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { mention, sent, session, text } from './composing';
import { openPanelPage, type PanelPage, settle } from './harness';
import { STATE } from './state-parts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const caret = (panel: PanelPage) =>
  panel
    .part('composer')
    .evaluate((area) => [Reflect.get(area, 'selectionStart'), Reflect.get(area, 'selectionEnd')]);

test('UI-03 a draft keeps its text, caret and attachments over a switch of sessions', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await writeDraftA(panel);
  await panel.tell(session('s2'));
  expect(await text(panel)).toBe('');
  await panel.part('composer').fill('draft B');
  await panel.tell(session('s1'));
  await expectDraftA(panel);
  await panel.tell(session('s2'));
  expect(await text(panel)).toBe('draft B');
});

test('UI-03 a draft survives hiding and reloading, also when the host is slow to answer', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await writeDraftA(panel);
  await panel.reload();
  expect(await text(panel)).toBe('draft A src/parser.ts ');
  await panel.tell(session('s1'));
  await expectDraftA(panel);
});

test('UI-03 arrow up shows what was sent before, arrow down brings the draft back', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await writeDraftA(panel);
  const composer = panel.part('composer');
  const seen: string[] = [];
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
    await composer.press(key);
    await settle(panel.page);
    seen.push(await text(panel));
  }
  expect(seen).toEqual([
    'second prompt',
    'first prompt',
    'first prompt',
    'second prompt',
    'draft A src/parser.ts ',
  ]);
  await expectDraftA(panel);
});

test('UI-03 the caret is kept though an arrow comes at once after it was moved', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await panel.part('composer').pressSequentially('a draft');
  // In one task of the page, so that no event of the selection comes between.
  await panel.page.evaluate(`(() => {
    const area = document.querySelector('[data-testid="composer"]');
    area.setSelectionRange(2, 2);
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true }));
  })()`);
  await settle(panel.page);
  const shown = await text(panel);
  await panel.part('composer').press('ArrowDown');
  await settle(panel.page);
  expect([shown, await text(panel), await caret(panel)]).toEqual(['second prompt', 'a draft', [2, 2]]);
});

test('UI-03 an older message that is edited becomes the draft, and the covered draft stays in reach', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await composer.fill('draft A');
  await composer.press('ArrowUp');
  await composer.pressSequentially('!');
  expect(await text(panel)).toBe('second prompt!');
  await composer.press('ArrowUp');
  await expect.poll(() => text(panel)).toBe('draft A');
});

test('UI-03 a host that posts its whole state while someone types changes nothing', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await composer.focus();
  for (const [index, letter] of [...'typing away quickly'].entries()) {
    await panel.page.keyboard.insertText(letter);
    // Not awaited by the page: posts arrive between keys.
    await panel.page.evaluate(
      (message) => Reflect.get(globalThis, 'panel').tell(message),
      index % 2
        ? session('s1', { running: true })
        : ({ type: 'state', state: { ...STATE, sessionId: 's1' } } as const),
    );
  }
  await settle(panel.page);
  expect(await text(panel)).toBe('typing away quickly');
  expect(await caret(panel)).toEqual([19, 19]);
  expect(await composer.evaluate((area) => area === area.ownerDocument.activeElement)).toBe(true);
});

test('UI-03 text typed before there is a session goes along into the first one', async () => {
  await using panel = await openPanelPage(browser);
  const composer = panel.part('composer');
  await composer.fill('early bird');
  await panel.tell({ type: 'snapshot', state: { ...STATE, sessionId: undefined }, transcript: undefined });
  expect(await text(panel)).toBe('early bird');
  await composer.press('Enter');
  expect((await panel.posted()).map((message) => message.type)).toEqual(['new-session']);
  await panel.tell(session('s9'));
  await expect
    .poll(() => sent(panel))
    .toEqual([{ type: 'send', sessionId: 's9', text: 'early bird', mentions: [] }]);
  expect(await text(panel)).toBe('');
});

async function writeDraftA(panel: PanelPage): Promise<void> {
  await panel.part('composer').pressSequentially('draft A ');
  await mention(panel, '@par');
  await panel.part('composer').press('Enter');
  for (let step = 0; step < 3; step += 1) await panel.part('composer').press('ArrowLeft');
  await settle(panel.page);
  expect(await caret(panel)).toEqual([19, 19]);
}

async function expectDraftA(panel: PanelPage): Promise<void> {
  expect(await text(panel)).toBe('draft A src/parser.ts ');
  expect(await caret(panel)).toEqual([19, 19]);
  expect(await panel.page.locator('.composer .chip').allTextContents()).toEqual(['parser.ts']);
}
