import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelState, ToPanel } from '#protocol/wire';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { folded, log, started } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage, settle } from './harness';
import { ended, STATE, STATES, snapshot } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A session that knows two prompts, under any id. */
function session(id: string, state: Partial<PanelState> = {}): ToPanel {
  const transcript = folded(
    log(started(1, 'first prompt'), ended('done'), started(2, 'second prompt'), {
      ...ended('done'),
      turnId: 't2',
    } as never),
  );
  return snapshot({ ...transcript, sessionId: id as never }, { sessionId: id, ...state });
}

const text = (panel: PanelPage) => panel.part('composer').inputValue();
const caret = (panel: PanelPage) =>
  panel
    .part('composer')
    .evaluate((area) => [Reflect.get(area, 'selectionStart'), Reflect.get(area, 'selectionEnd')]);
const sent = async (panel: PanelPage) => (await panel.posted()).filter((message) => message.type === 'send');

/** Plays keys of an input method, which a browser under test can't do by itself. */
async function keys(
  panel: PanelPage,
  ...events: readonly {
    readonly type: string;
    readonly key?: string;
    readonly keyCode?: number;
    readonly isComposing?: boolean;
  }[]
): Promise<readonly boolean[]> {
  return panel.part('composer').evaluate((area, list) => {
    const kinds = {
      compositionstart: 'CompositionEvent',
      compositionend: 'CompositionEvent',
      keydown: 'KeyboardEvent',
    };
    return list.map(({ type, ...init }) => {
      const Kind = Reflect.get(globalThis, kinds[type as keyof typeof kinds]);
      return area.dispatchEvent(new Kind(type, { ...init, bubbles: true, cancelable: true }));
    });
  }, events);
}

test('UI-01 Enter that confirms a candidate of an input method never sends, in either order of events', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await panel.part('composer').fill('にほん');
  await keys(
    panel,
    { type: 'compositionstart' },
    { type: 'keydown', key: 'Enter', keyCode: 13, isComposing: true },
    { type: 'compositionend' },
    // Safari's order: the composition is over when its key arrives.
    { type: 'compositionstart' },
    { type: 'compositionend' },
    { type: 'keydown', key: 'Enter', keyCode: 229 },
  );
  expect(await sent(panel)).toEqual([]);
  await panel.part('composer').press('Enter');
  expect(await sent(panel)).toEqual([{ type: 'send', sessionId: 's1', text: 'にほん', mentions: [] }]);
});

test('UI-01 Enter of an input method takes nothing from the mention list, and Escape of one stops no turn', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1', { running: true }));
  await mention(panel, '@par');
  await keys(
    panel,
    { type: 'keydown', key: 'Enter', keyCode: 229 },
    { type: 'keydown', key: 'Escape', keyCode: 27, isComposing: true },
  );
  expect(await text(panel)).toBe('@par');
  await expect.poll(() => panel.part('mention-list').isVisible()).toBe(true);
  expect((await panel.posted()).filter((message) => message.type === 'stop')).toEqual([]);
});

test('UI-01 Enter of an input method answers no question', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(...(STATES['approval']?.() ?? []));
  await panel.page.getByLabel('More ways to deny').click();
  await panel.page.getByText('Deny and Say Why').click();
  const field = panel.page.getByLabel('What should it do instead?');
  await field.fill('別の方法');
  await field.evaluate((box) => {
    const Kind = Reflect.get(globalThis, 'KeyboardEvent');
    for (const init of [{ isComposing: true, keyCode: 13 }, { keyCode: 229 }])
      box.dispatchEvent(new Kind('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }));
  });
  expect((await panel.posted()).filter((message) => message.type === 'answer')).toEqual([]);
  await field.press('Enter');
  expect((await panel.posted()).find((message) => message.type === 'answer')).toMatchObject({
    answer: { answer: 'deny-once', feedback: '別の方法' },
  });
});

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

test('keys typed faster than the page is drawn all arrive', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await panel.part('composer').pressSequentially('the quick brown fox jumps over the lazy dog', { delay: 0 });
  expect(await text(panel)).toBe('the quick brown fox jumps over the lazy dog');
});

test('Shift+Enter breaks the line, Enter sends and empties the box', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await composer.pressSequentially('one');
  await composer.press('Shift+Enter');
  await composer.pressSequentially('two');
  await composer.press('Enter');
  expect(await sent(panel)).toEqual([{ type: 'send', sessionId: 's1', text: 'one\ntwo', mentions: [] }]);
  expect(await text(panel)).toBe('');
});

test('blank text is not sent', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await panel.part('composer').fill('  \n ');
  await panel.part('composer').press('Enter');
  expect(await sent(panel)).toEqual([]);
});

test('the box grows to ten lines and scrolls from there', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  const height = () => composer.evaluate((area) => Reflect.get(area, 'clientHeight'));
  await composer.fill('1');
  expect(await height()).toBe(32);
  await composer.fill('1\n2\n3');
  expect(await height()).toBe(72);
  await composer.fill('x\n'.repeat(40));
  expect(await height()).toBe(212);
});

test('Escape closes the list first and then stops the turn', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1', { running: true }));
  const composer = panel.part('composer');
  await composer.pressSequentially('/');
  await panel.part('slash-list').waitFor();
  await composer.press('Escape');
  await panel.part('slash-list').waitFor({ state: 'detached' });
  expect(await panel.posted()).toEqual([]);
  await composer.press('Escape');
  expect(await panel.posted()).toEqual([{ type: 'stop', sessionId: 's1' }]);
});

test('a file is found, chosen with the keyboard, attached and sent', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await composer.pressSequentially('why does ');
  await mention(panel, '@par');
  const active = await composer.getAttribute('aria-activedescendant');
  expect(await panel.page.locator(`[id="${active}"]`).textContent()).toBe('parser.tssrc');
  expect(await panel.part('mention-list').locator('mark').first().textContent()).toBe('par');
  await composer.press('ArrowDown');
  await composer.press('Tab');
  await composer.pressSequentially('fail?');
  await composer.press('Enter');
  expect(await sent(panel)).toEqual([
    {
      type: 'send',
      sessionId: 's1',
      text: 'why does test/parser.test.ts fail?',
      mentions: [{ kind: 'file', path: 'test/parser.test.ts' }],
    },
  ]);
});

test('an attachment can be taken off again', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await mention(panel, '@par');
  await panel.part('composer').press('Enter');
  await panel.page.getByLabel('Remove parser.ts').click();
  await panel.part('composer').press('Enter');
  expect(await sent(panel)).toMatchObject([{ mentions: [] }]);
});

test('a slash command is completed, and a whole one is sent at once', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await composer.pressSequentially('/re');
  await composer.press('Enter');
  expect(await text(panel)).toBe('/redo ');
  await composer.fill('/undo');
  await panel.part('slash-list').waitFor();
  await composer.press('Enter');
  expect(await sent(panel)).toEqual([{ type: 'send', sessionId: 's1', text: '/undo', mentions: [] }]);
});

test('a completed command is sent by the next Enter, though longer ones begin with it', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await composer.pressSequentially('/und');
  await composer.press('Enter');
  await composer.press('Enter');
  expect(await sent(panel)).toMatchObject([{ type: 'send', text: '/undo ' }]);
});

test('while a turn runs the text is queued by the same key, and stop is beside it', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1', { running: true }));
  expect(await panel.part('send').count()).toBe(0);
  await panel.part('composer').fill('also this');
  expect([await panel.part('send').count(), await panel.part('stop').count()]).toEqual([1, 1]);
  await panel.part('composer').press('Enter');
  expect(await sent(panel)).toHaveLength(1);
});

test('a mode and a model are chosen with the keyboard, and the focus comes back', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await panel.part('mode').press('Enter');
  await panel.page.keyboard.press('ArrowUp');
  await panel.page.keyboard.press('Enter');
  expect(await panel.part('mode').evaluate((button) => button === button.ownerDocument.activeElement)).toBe(
    true,
  );
  await panel.part('model').press('Enter');
  await panel.page.keyboard.press('End');
  await panel.page.keyboard.press('ArrowUp');
  await panel.page.keyboard.press('Enter');
  expect(await panel.posted()).toEqual([
    { type: 'set-mode', sessionId: 's1', mode: 'prompt' },
    { type: 'action', action: 'pick-model', sessionId: 's1' },
  ]);
});

test('a suggestion is put into the box, not sent', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(...(STATES['empty']?.() ?? []));
  await panel.page.getByText('Fix the failing test in parser.test.ts').click();
  await expect.poll(() => text(panel)).toBe('Fix the failing test in parser.test.ts');
  expect(await panel.posted()).toEqual([]);
});

async function mention(panel: PanelPage, typed: string): Promise<void> {
  await panel.part('composer').pressSequentially(typed);
  const last = async () => (await panel.posted()).findLast((message) => message.type === 'find-files');
  await expect.poll(async () => (await last())?.query).toBe(typed.slice(1));
  const files = [
    { path: 'src/parser.ts', positions: [4, 5, 6] },
    { path: 'test/parser.test.ts', positions: [5, 6, 7] },
  ];
  await panel.tell({ type: 'files-found', requestId: (await last())?.requestId ?? 0, files });
  await panel.part('mention-list').waitFor();
}

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
