import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConflictChoices } from '#protocol/checkpoint';
import type { AgentEvent } from '#protocol/event';
import type { ToPanel } from '#protocol/wire';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { ended, SESSION, said, streamed } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage } from './harness';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function open(state: string): Promise<PanelPage> {
  const panel = await openPanelPage(browser);
  await panel.tell(...(STATES[state]?.() ?? []));
  return panel;
}

const events = (...news: readonly AgentEvent[]): ToPanel => ({
  type: 'events',
  sessionId: SESSION,
  events: news,
});
const focused = (panel: PanelPage) =>
  panel.page.evaluate<string>('document.activeElement.dataset.testid ?? document.activeElement.className');
const press = async (panel: PanelPage, ...keys: readonly string[]) => {
  for (const key of keys) await panel.page.keyboard.press(key);
};

test('Tab goes in reading order: the current row, the card, the shelf, the composer', async () => {
  await using panel = await open('approval');
  const order: string[] = [];
  for (let step = 0; step < 13; step += 1) {
    await press(panel, 'Tab');
    order.push(await focused(panel));
  }
  expect(order).toEqual([
    'call-row',
    'edit-command',
    'allow-once',
    'allow-session',
    'button',
    'deny',
    'button',
    'row',
    'row',
    'review',
    'keep',
    'undo',
    'composer',
  ]);
});

test('arrows walk over rows and messages, fold and unfold, and Home and End go to the ends', async () => {
  await using panel = await open('finished');
  await press(panel, 'Tab');
  const at = () =>
    panel.page.evaluate<number>(
      '[...document.querySelectorAll("[data-stop]")].indexOf(document.activeElement)',
    );
  expect(await at()).toBe(5);
  await press(panel, 'ArrowUp');
  expect(await at()).toBe(4);
  await press(panel, 'Home');
  expect([await at(), await focused(panel)]).toEqual([0, 'message']);
  await press(panel, 'ArrowDown', 'ArrowRight');
  const row = panel.part('call-row').first();
  expect(await row.getAttribute('aria-expanded')).toBe('true');
  await press(panel, 'ArrowRight');
  expect(await row.getAttribute('aria-expanded')).toBe('true');
  await press(panel, 'ArrowLeft');
  expect(await row.getAttribute('aria-expanded')).toBe('false');
  await press(panel, 'End');
  expect(await at()).toBe(5);
});

test('the actions of a message are reached from it alone', async () => {
  await using panel = await open('finished');
  await press(panel, 'Tab', 'Home', 'Tab');
  expect(await focused(panel)).toBe('restore');
  await press(panel, 'Enter', 'ArrowDown', 'Enter');
  expect(await panel.posted()).toEqual([
    { type: 'undo', sessionId: SESSION, turn: 1, scope: 'files', onConflict: 'stop' },
  ]);
});

test('a row is copied as it reads, and a selection is left to the browser', async () => {
  await using panel = await open('finished');
  await press(panel, 'Tab', 'ArrowUp', 'Control+c');
  expect(await panel.posted()).toEqual([{ type: 'copy', text: 'npm test -- parser' }]);
});

test('a screen reader hears a row’s state before its words, and nothing of one that went well', async () => {
  await using panel = await open('streaming');
  const rows = await panel.part('call-row').all();
  const heard = await Promise.all(rows.map((row) => row.ariaSnapshot()));
  expect(heard.map((line) => line.replace(/^- '?button "|"'?$/g, '').replaceAll('\\"', '"'))).toEqual([
    'Read src/parser.ts 1–120 8 ms',
    'Search "parseNumber" 14 hits in 6 files 21 ms',
    'Find test/**/*.test.ts 9 files 6 ms',
    'Failed: Edit src/lexer.ts not accepted 3 ms',
    'Edit src/parser.ts 3 lines added, 1 removed 12 ms',
    'Failed: Run npx tsc --noEmit exit 2 2.8 s',
    'Denied: Run rm -rf dist denied by you',
    'Running: Run npm test -- parser',
  ]);
});

test('a screen reader hears the answer by sentences, and its end though the turn ends with it', async () => {
  await using panel = await open('working');
  const spoken = panel.part('spoken-text');
  await panel.tell(events(streamed(1, 'r9', 'The tests pass. Nothing else was')));
  expect(await spoken.innerText()).toContain('The tests pass.');
  const told = STATES['working']?.()[0];
  const sequence = told?.type === 'snapshot' ? (told.transcript?.sequence ?? 0) : 0;
  const at = { sessionId: SESSION, at: Date.now() };
  await panel.tell(
    events(
      { ...said(1, 'r9', 'The tests pass. Nothing else was touched'), ...at, sequence: sequence + 1 },
      { ...ended(1), ...at, sequence: sequence + 2 },
    ),
  );
  expect(await spoken.innerText()).toContain('Nothing else was touched');
});

/** What the page asks for once all files are decided. */
const undoWith = (choices: ConflictChoices) => ({
  ...{ type: 'undo', sessionId: SESSION, turn: 1, scope: 'files', onConflict: 'stop', choices },
});

test('an undo that met conflicts lists each with its cause and asks again before it overwrites', async () => {
  await using panel = await open('conflict');
  const outcome = panel.part('restore-outcome');
  expect(await outcome.getByTestId('conflict').allInnerTexts()).toEqual([
    'src/parser.ts\nEdited by hand after Belay’s change\nSkip\nUndo, Keep Edit\nOverwrite',
    'test/parser.test.ts\nChanged by the command npm run format after Belay’s change\nSkip\nOverwrite',
  ]);
  await panel.part('overwrite-conflicts').click();
  expect(await panel.posted()).toEqual([]);
  expect(await outcome.innerText()).toContain('src/parser.ts, test/parser.test.ts');
  await panel.part('overwrite-sure').click();
  expect(await panel.posted()).toEqual([
    undoWith({ 'src/parser.ts': 'overwrite', 'test/parser.test.ts': 'overwrite' }),
  ]);
  await outcome.waitFor({ state: 'detached' });
});

test('skipping conflicts undoes the rest, closing does nothing', async () => {
  await using panel = await open('conflict');
  await panel.part('skip-conflicts').click();
  await panel.tell(...(STATES['conflict']?.() ?? []));
  await panel.part('close-outcome').click();
  expect(await panel.posted()).toEqual([
    undoWith({ 'src/parser.ts': 'skip', 'test/parser.test.ts': 'skip' }),
  ]);
});

test('each file is decided for itself, by keys alone, and its name opens the comparisons', async () => {
  await using panel = await open('conflict');
  const rows = panel.part('restore-outcome').getByTestId('conflict');
  await rows.first().getByTestId('choose-merge').focus();
  await panel.page.keyboard.press('Enter');
  expect(await rows.first().getByTestId('choose-merge').getAttribute('aria-pressed')).toBe('true');
  await rows.last().getByTestId('choose-overwrite').focus();
  await panel.page.keyboard.press('Space');
  await panel.part('undo-decided').click();
  expect(await panel.posted()).toEqual([]);
  await panel.part('overwrite-sure').click();
  expect(await panel.posted()).toEqual([
    undoWith({ 'src/parser.ts': 'merge', 'test/parser.test.ts': 'overwrite' }),
  ]);
});

test('the name of a file in the way asks for its comparisons', async () => {
  await using panel = await open('conflict');
  await panel.part('restore-outcome').getByText('src/parser.ts').click();
  expect(await panel.posted()).toEqual([
    { type: 'compare', sessionId: SESSION, turn: 1, path: 'src/parser.ts' },
  ]);
});

test('of an undo of one turn alone, skipping and overwriting stay with that turn', async () => {
  await using panel = await open('conflict');
  const told = STATES['conflict']?.().find(({ type }) => type === 'restore-outcome');
  if (told?.type !== 'restore-outcome') throw new Error('no outcome');
  await panel.tell({ ...told, retry: { turn: 1, scope: 'files', only: true } });
  await panel.part('skip-conflicts').click();
  expect(await panel.posted()).toEqual([
    { ...undoWith({ 'src/parser.ts': 'skip', 'test/parser.test.ts': 'skip' }), only: true },
  ]);
});

test('what commands changed is named before an undo acts', async () => {
  await using panel = await open('commandChanges');
  await panel.part('undo').click();
  expect(await panel.part('undo-warning').innerText()).toContain('dist/index.js');
  expect(await panel.posted()).toEqual([]);
  await panel.part('undo-anyway').click();
  expect(await panel.posted()).toEqual([{ type: 'undo-changes', sessionId: SESSION, onConflict: 'stop' }]);
});

test('folders that a turn made are counted and named, and files alone are redone where the conversation has gone on', async () => {
  await using panel = await open('folders');
  const row = panel.part('command-folders');
  await row.click();
  const named = row.locator('xpath=..').getByText('src/new/', { exact: true });
  expect([(await row.innerText()).trim(), await named.innerText()]).toEqual(['1 folder', 'src/new/']);
  await panel.part('redo').click();
  expect(await panel.posted()).toEqual([{ type: 'redo', sessionId: SESSION, scope: 'files' }]);
});

test('a turn that runs can’t be undone: the button says why', async () => {
  await using panel = await open('streaming');
  await panel.part('undo').click({ force: true });
  expect(await panel.posted()).toEqual([]);
  expect(await panel.part('undo').getAttribute('title')).toBe('Stop the turn first');
});

test.each([
  ['error', ['Enter Key…', 'Select Model…', 'Try Again']],
  ['cancelled', ['Continue', 'Undo Turn']],
  ['crash', ['Review Changes', 'Undo', 'Continue']],
  ['retrying', ['Stop']],
  ['readonly', ['Manage Workspace Trust']],
  ['elsewhere', ['Take Over']],
  ['problem', ['Try Again', 'Show Log']],
])('the notice of the state %s offers %j, and each button asks the extension', async (state, buttons) => {
  await using panel = await open(state);
  const notice = panel.part('notice').first();
  expect(await notice.locator('.button').allInnerTexts()).toEqual(buttons);
  for (const button of await notice.locator('.button').all()) await button.click();
  expect(await panel.posted()).toHaveLength(buttons.length);
});

test('a notice of the extension goes when it is closed, and with its session', async () => {
  await using panel = await open('notice');
  const [told] = STATES['notice']?.() ?? [];
  await panel.page.getByLabel('Close').click();
  await panel.part('notice').waitFor({ state: 'detached' });
  await panel.tell(...(STATES['notice']?.() ?? []));
  expect(await panel.part('notice').count()).toBe(1);
  if (told?.type !== 'snapshot') throw new Error('a snapshot');
  const other: ToPanel = { ...told, state: { ...told.state, sessionId: 's2' }, transcript: undefined };
  await panel.tell(other);
  expect(await panel.part('notice').count()).toBe(0);
});

test('the gate trace unfolds to the stages', async () => {
  await using panel = await open('trace');
  await panel.part('call-row').last().click();
  expect(await panel.part('why').innerText()).toBe(
    'Why denied: denied by the rule Bash(git push:*) (.belay/settings.json:7)',
  );
  await panel.part('why').click();
  expect(await panel.part('trace').locator('.stage-name').allInnerTexts()).toEqual([
    'Input',
    'Classify',
    'Permission',
  ]);
});

test('a folder of several, an earlier session and a sample are one click away', async () => {
  await using panel = await open('choose');
  await panel.page.getByText('web', { exact: true }).click();
  await panel.tell(...(STATES['sessions']?.() ?? []));
  await panel.part('session-list').getByText('and the docs?').click();
  await panel.tell(...(STATES['nofolder']?.() ?? []));
  await panel.page.getByText('Open Sample Project').click();
  expect(await panel.posted()).toEqual([
    { type: 'action', action: 'choose-folder', folder: 'web' },
    { type: 'open-session', sessionId: 'y' },
    { type: 'action', action: 'open-sample' },
  ]);
});

test('the focus that was asked for while nothing could be written comes as soon as it can, and stays where the person has gone', async () => {
  await using panel = await open('elsewhere');
  const [told] = STATES['elsewhere']?.() ?? [];
  if (told?.type !== 'snapshot') throw new Error('the state begins with a snapshot');
  const opened: ToPanel = { type: 'state', state: { ...told.state, elsewhere: false } };
  const closed: ToPanel = { type: 'state', state: told.state };
  await panel.tell({ type: 'focus-composer' });
  expect(await focused(panel)).not.toBe('composer');
  await panel.tell(opened);
  expect(await focused(panel)).toBe('composer');
  // A wish counts once: what opens later takes the keyboard from nobody.
  await panel.tell(closed);
  await press(panel, 'Tab');
  const gone = await focused(panel);
  await panel.tell(opened);
  expect([gone === 'composer', await focused(panel)]).toEqual([false, gone]);
});
