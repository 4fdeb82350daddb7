import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { mention, offer, RESOURCE, sent, session, text } from './composing';
import { openPanelPage, type PanelPage } from './harness';
import { STATE } from './state-parts';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

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

test('what servers offer is a group of its own below the files, and goes along like a file', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  await mention(panel, '@par');
  await offer(panel);
  const list = panel.part('mention-list');
  expect(
    await list.getByRole('group').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
  ).toEqual(['Files', 'Resources']);
  await composer.press('ArrowUp');
  const active = await composer.getAttribute('aria-activedescendant');
  expect(await panel.page.locator(`[id="${active}"]`).textContent()).toBe(
    'schema of usersthe MCP server db — Columns and keys',
  );
  await composer.press('Enter');
  expect(await text(panel)).toBe('schema of users ');
  await panel.page.getByLabel('Remove schema of users').waitFor();
  await composer.press('Enter');
  expect(await sent(panel)).toMatchObject([
    { text: 'schema of users ', mentions: [{ kind: 'resource', uri: RESOURCE.uri, name: RESOURCE.name }] },
  ]);
});

test('an answer of a server to an older question changes nothing, and a name can’t hide what it is', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  await mention(panel, '@par');
  await panel.part('composer').press('Escape');
  await panel.part('composer').fill('');
  await panel.part('composer').pressSequentially('@');
  await panel.tell({ type: 'resources-found', requestId: 1, resources: [RESOURCE] });
  expect(await panel.part('mention-list').count()).toBe(0);
  await expect
    .poll(async () => (await panel.posted()).filter(({ type }) => type === 'find-files').length)
    .toBe(2);
  await offer(panel, [{ ...RESOURCE, name: 'a\u202eb', description: '<b>x</b>' }]);
  expect(await panel.part('mention-list').textContent()).toContain('a\\u{202e}b');
  expect(await panel.part('mention-list').locator('b').count()).toBe(0);
});

test('a prompt of a server is completed with its usage and description', async () => {
  await using panel = await openPanelPage(browser);
  const prompt = {
    name: 'mcp__demo__review',
    usage: '/mcp__demo__review <file> [focus]',
    description: 'Reviews a file',
  };
  await panel.tell(session('s1', { slashCommands: [...STATE.slashCommands, prompt] }));
  const composer = panel.part('composer');
  await composer.pressSequentially('/rev');
  expect(await panel.part('slash-list').textContent()).toBe(`${prompt.usage}${prompt.description}`);
  await composer.press('Tab');
  await composer.pressSequentially('src/a.ts');
  await composer.press('Enter');
  expect(await sent(panel)).toMatchObject([{ text: '/mcp__demo__review src/a.ts' }]);
});

test('a message that could not be sent is back in the box; what was written since stays', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(session('s1'));
  const composer = panel.part('composer');
  const unsent = { type: 'give-back', sessionId: 's1', text: '/p x', mentions: [] } as const;
  await panel.tell(unsent);
  expect(await text(panel)).toBe('/p x');
  await composer.fill('something else');
  await panel.tell(unsent);
  expect(await text(panel)).toBe('something else');
  await composer.fill('');
  await composer.press('ArrowUp');
  expect(await text(panel)).toBe('/p x');
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
