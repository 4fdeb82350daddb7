import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentEvent } from '#protocol/event';
import type { Transcript } from '#protocol/transcript';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { callId, folded, SESSION, started, streamed, turnId } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage, settle } from './harness';
import { longSession } from './parser-turn';
import { snapshot } from './state-parts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const RUNNING_TURN = 41;

/** Forty turns, and one that runs. */
function busySession(): Transcript {
  const long = longSession(40);
  const event = {
    ...started(RUNNING_TURN, 'and now?'),
    sequence: long.sequence + 1,
    sessionId: SESSION,
    at: Date.now(),
  };
  return folded([event], long);
}

const scroller = (panel: PanelPage) => panel.page.locator('.log');
const scrollTop = (panel: PanelPage) => scroller(panel).evaluate((log): number => log.scrollTop);
const fromEnd = (panel: PanelPage) =>
  scroller(panel).evaluate((log): number => log.scrollHeight - log.scrollTop - log.clientHeight);

async function scrollBy(panel: PanelPage, pixels: number): Promise<void> {
  await scroller(panel).hover();
  await panel.page.mouse.wheel(0, pixels);
  await settle(panel.page);
  await settle(panel.page);
}

/** The first row or message that lies wholly in sight, and where. */
function readItem(panel: PanelPage): Promise<{ readonly index: number; readonly top: number }> {
  return panel.page.evaluate(`(() => {
    const stops = [...document.querySelectorAll('.log [data-stop]')];
    const index = stops.findIndex((stop) => stop.getBoundingClientRect().top > 40);
    stops[index].dataset.read = 'yes';
    return { index, top: stops[index].getBoundingClientRect().top };
  })()`);
}

const topOfRead = (panel: PanelPage) =>
  panel.page.evaluate<number>('document.querySelector("[data-read]").getBoundingClientRect().top');

const delta = (index: number): AgentEvent =>
  streamed(RUNNING_TURN, 'live', index % 7 ? `word${index} ` : `\n\nparagraph ${index} `);

test('UI-04 who reads further up keeps their line while text streams in below and a row above grows', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(busySession(), { running: true }));
  await scrollBy(panel, -500);
  const read = await readItem(panel);
  for (let index = 0; index < 100; index += 1) {
    await panel.page.evaluate((message) => Reflect.get(globalThis, 'panel').tell(message), {
      type: 'events',
      sessionId: SESSION,
      events: [delta(index)],
    } as const);
    // Half-way a row above what is read unfolds.
    if (index === 50)
      await panel.page.evaluate(
        `[...document.querySelectorAll('.log .row[data-stop]')].findLast((row) => row.getBoundingClientRect().bottom < 0).click()`,
      );
  }
  await settle(panel.page);
  expect(await panel.page.locator('.log .call-body').count()).toBe(1);
  expect(Math.abs((await topOfRead(panel)) - read.top)).toBeLessThanOrEqual(2);
  await panel.part('new-below').click();
  await settle(panel.page);
  expect(await fromEnd(panel)).toBeLessThanOrEqual(1);
  await panel.tell({ type: 'events', sessionId: SESSION, events: [delta(101), delta(105)] });
  expect(await fromEnd(panel)).toBeLessThanOrEqual(1);
  expect(await panel.part('new-below').count()).toBe(0);
});

test('UI-04 who is at the end stays there while text and rows come', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(busySession(), { running: true }));
  const distances: number[] = [];
  for (let index = 0; index < 40; index += 1) {
    await panel.tell({ type: 'events', sessionId: SESSION, events: [delta(index)] });
    distances.push(await fromEnd(panel));
  }
  expect(Math.max(...distances)).toBeLessThanOrEqual(1);
});

test('UI-04 a little scroll upwards is enough to stay, and scrolling back follows again', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(busySession(), { running: true }));
  await scrollBy(panel, -60);
  const before = await scrollTop(panel);
  await panel.tell({
    type: 'events',
    sessionId: SESSION,
    events: Array.from({ length: 30 }, (_, index) => delta(index)),
  });
  expect(await scrollTop(panel)).toBe(before);
  await scrollBy(panel, 5000);
  await panel.tell({
    type: 'events',
    sessionId: SESSION,
    events: Array.from({ length: 30 }, (_, index) => delta(index)),
  });
  expect(await fromEnd(panel)).toBeLessThanOrEqual(1);
});

test('unfolding a row at the end moves nothing that was there', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(busySession(), { running: true }));
  const row = panel.page.locator('.log .row[data-call-name="edit_file"]').last();
  const before = await row.evaluate((element): number => element.getBoundingClientRect().top);
  await row.click();
  await settle(panel.page);
  await panel.tell({ type: 'events', sessionId: SESSION, events: [delta(1)] });
  expect(await row.evaluate((element): number => element.getBoundingClientRect().top)).toBe(before);
});

test('a reload comes back to the same place with the same rows unfolded', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(longSession(60)));
  await scrollBy(panel, -900);
  const id = await panel.page.evaluate<string>(`(() => {
    const row = [...document.querySelectorAll('.log .row[data-call-name="edit_file"]')].find((each) => each.getBoundingClientRect().top > 100);
    row.click();
    return row.dataset.callId;
  })()`);
  await settle(panel.page);
  const where = () =>
    panel.page
      .locator(`[data-call-id="${id}"]`)
      .evaluate((element): number => Math.round(element.getBoundingClientRect().top));
  const before = await where();
  await panel.page.waitForTimeout(200);
  await panel.reload();
  await panel.tell(snapshot(longSession(60)));
  await settle(panel.page);
  expect(Math.abs((await where()) - before)).toBeLessThanOrEqual(2);
  expect(await panel.page.locator(`[data-call-id="${id}"]`).getAttribute('aria-expanded')).toBe('true');
});

test('a session of 10,000 messages is a small page, and all of it can be reached by scrolling', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(longSession(2000)));
  const nodes = () => panel.page.evaluate<number>('document.querySelectorAll("*").length');
  const first = () => panel.page.locator('.turn').first().getAttribute('data-turn');
  expect(await nodes()).toBeLessThan(8000);
  const early = Number(await first());
  // What is read must not jump when more is put above it: a turn's place follows the wheel alone.
  for (let step = 0; step < 12; step += 1) await scrollBy(panel, -3000);
  expect(Number(await first())).toBeLessThan(early - 60);
  expect(await nodes()).toBeLessThan(20_000);
  for (let step = 0; step < 60 && (await fromEnd(panel)) > 1; step += 1) await scrollBy(panel, 4000);
  expect(await panel.page.locator('.turn').last().getAttribute('data-turn')).toBe('2000');
});

test('earlier turns that are put above move nothing that is read', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(snapshot(longSession(200)));
  const first = await panel.page.locator('.turn').first().getAttribute('data-turn');
  await panel.page.evaluate('document.querySelector(".log").scrollTop = 0');
  await settle(panel.page);
  await settle(panel.page);
  expect(await panel.page.locator('.turn').first().getAttribute('data-turn')).not.toBe(first);
  const top = await panel.page
    .locator(`.turn[data-turn="${first}"]`)
    .evaluate((turn): number => turn.getBoundingClientRect().top);
  expect(Math.abs(top - 12)).toBeLessThanOrEqual(2);
});

/** The extension's part: answers each wish for a page out of the whole session. */
async function answerWishes(panel: PanelPage, whole: Transcript, known: number): Promise<number> {
  const wishes = (await panel.posted()).filter((message) => message.type === 'page');
  for (const { place, turn } of wishes.slice(known)) {
    const index = turn - 1;
    const [start, end] =
      place === 'before'
        ? [index - 20, index]
        : place === 'after'
          ? [index + 1, index + 21]
          : [index - 5, index + 15];
    const from = Math.max(0, start);
    const turns = whole.turns.slice(from, end);
    const after = Math.max(0, whole.turns.length - end);
    await panel.tell({
      type: 'page',
      sessionId: SESSION,
      wish: { place, turn },
      page: { turns, approvals: [], before: from, after },
    });
  }
  await settle(panel.page);
  return wishes.length;
}

/** The last thirty of all turns, as a long session is opened. */
function endOf(whole: Transcript): Transcript {
  return { ...whole, turns: whole.turns.slice(-30), before: whole.turns.length - 30 };
}

const numbers = (panel: PanelPage) =>
  panel.page.$$eval('.turn', (turns) => turns.map((turn) => Number(turn.getAttribute('data-turn'))));

test('earlier turns are fetched when the reader nears the top, move nothing that is read, and reach the first', async () => {
  await using panel = await openPanelPage(browser);
  const whole = longSession(120);
  await panel.tell(snapshot(endOf(whole)));
  let known = 0;
  const jumps: number[] = [];
  for (let step = 0; step < 80 && (await numbers(panel))[0] !== 1; step += 1) {
    await scrollBy(panel, -2500);
    const [first = 0] = await numbers(panel);
    const top = () =>
      panel.page.evaluate<number>(
        `document.querySelector('.turn[data-turn="${first}"]')?.getBoundingClientRect().top ?? NaN`,
      );
    const before = await top();
    known = await answerWishes(panel, whole, known);
    const moved = Math.abs((await top()) - before);
    if (!Number.isNaN(moved)) jumps.push(moved);
  }
  const shown = await numbers(panel);
  expect([shown[0], Math.max(...jumps) <= 2]).toEqual([1, true]);
  expect(shown).toEqual(shown.map((_, index) => index + 1));
  await panel.page.evaluate('document.querySelector(".log").scrollTop = 1e9');
});

test('a hit far up is fetched and shown, and reading goes on from there to the end', async () => {
  await using panel = await openPanelPage(browser);
  const whole = longSession(120);
  await panel.tell(snapshot(endOf(whole)));
  await panel.tell({ type: 'reveal', sessionId: SESSION, turn: 12 });
  let known = await answerWishes(panel, whole, 0);
  const top = await panel.page.evaluate<number>(
    `document.querySelector('.turn[data-turn="12"]').getBoundingClientRect().top - document.querySelector('.log').getBoundingClientRect().top`,
  );
  expect(Math.abs(top - 8)).toBeLessThanOrEqual(2);
  for (let step = 0; step < 120 && (await numbers(panel)).at(-1) !== 120; step += 1) {
    await scrollBy(panel, 3000);
    known = await answerWishes(panel, whole, known);
  }
  const shown = await numbers(panel);
  expect(shown).toEqual(shown.map((_, index) => (shown[0] ?? 0) + index));
  expect(shown.at(-1)).toBe(120);
});

test('from a hit far up one press leads back to the end', async () => {
  await using panel = await openPanelPage(browser);
  const whole = longSession(120);
  await panel.tell(snapshot(endOf(whole)));
  await panel.tell({ type: 'reveal', sessionId: SESSION, turn: 12 });
  await answerWishes(panel, whole, 0);
  await panel.part('new-below').click();
  await settle(panel.page);
  expect([(await numbers(panel)).at(-1), (await fromEnd(panel)) <= 1]).toEqual([120, true]);
});

test('a reload comes back to a turn that was fetched', async () => {
  await using panel = await openPanelPage(browser);
  const whole = longSession(120);
  await panel.tell(snapshot(endOf(whole)));
  await panel.tell({ type: 'reveal', sessionId: SESSION, turn: 12 });
  await answerWishes(panel, whole, 0);
  await scrollBy(panel, 10);
  await panel.page.waitForTimeout(200);
  await panel.reload();
  await panel.tell(snapshot(endOf(whole)));
  await answerWishes(panel, whole, 0);
  const tops = await panel.page.evaluate<number>(
    `document.querySelector('.turn[data-turn="12"]').getBoundingClientRect().top`,
  );
  expect(tops).toBeLessThan(60);
});

test('typing while a long session streams stays fluid', async () => {
  await using panel = await openPanelPage(browser);
  const long = longSession(2000);
  await panel.tell(
    snapshot(folded([{ ...started(2001), sequence: long.sequence + 1, sessionId: SESSION, at: 1 }], long), {
      running: true,
    }),
  );
  await panel.part('composer').focus();
  // 200 deltas in a second, as a fast model sends them, and a key now and then; the page counts what it drew.
  const drawn = await panel.page.evaluate<{ readonly frames: number }>(`(async () => {
    let frames = 0;
    const count = () => { frames += 1; requestAnimationFrame(count); };
    requestAnimationFrame(count);
    for (let index = 0; index < 200; index += 1) {
      panel.tell({ type: 'events', sessionId: '${SESSION}', events: [{ type: 'live.text', sessionId: '${SESSION}', turnId: '${turnId(2001)}', requestId: 'r', kind: 'text', delta: 'word ' }] });
      await new Promise((done) => setTimeout(done, 5));
    }
    return { frames };
  })()`);
  await settle(panel.page);
  expect(drawn.frames).toBeGreaterThan(20);
  expect(await panel.page.locator('.turn:last-child .prose').textContent()).toBe('word '.repeat(200).trim());
});

test('missed events are noticed, and the page asks for everything again', async () => {
  await using panel = await openPanelPage(browser);
  const session = busySession();
  await panel.tell(snapshot(session, { running: true }));
  const gap: AgentEvent = {
    type: 'tool.requested',
    turnId: turnId(RUNNING_TURN),
    callId: callId('x'),
    name: 'read_file',
    inputSha256: 'x',
    inputBytes: 1,
    sequence: session.sequence + 5,
    sessionId: SESSION,
    at: 1,
  };
  await panel.tell({ type: 'events', sessionId: SESSION, events: [gap] });
  expect(await panel.page.evaluate('panel.posted.filter(({ type }) => type === "hello").length')).toBe(2);
});
