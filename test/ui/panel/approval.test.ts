import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentEvent } from '#protocol/event';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { callId, SESSION, turnId } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage, settle } from './harness';
import { COMMAND_APPROVAL } from './parser-turn';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const BOUND = { type: 'answer', sessionId: SESSION, approvalId: 'a1', inputSha256: 'sha' };

async function open(state = 'approval', width = 320): Promise<PanelPage> {
  const panel = await openPanelPage(browser, { width });
  await panel.tell(...(STATES[state]?.() ?? []));
  return panel;
}

test('the card says what, what for, what is unusual and what the session button would allow', async () => {
  await using panel = await open();
  const card = panel.part('approval');
  expect(await card.getAttribute('data-approval-id')).toBe('a1');
  expect(await card.innerText()).toBe(
    [
      'Run a command?',
      '1 of 2',
      'npm test -- parser',
      'Runs the parser tests',
      'Executes · no network · sandboxed',
      'Not in the undo: writes to coverage/, which git ignores',
      'For this session: npm test …',
      'Allow Once',
      'For Session',
      'Deny',
    ].join('\n'),
  );
});

test('where there is room the session button shows the very rule', async () => {
  await using panel = await open('approval', 480);
  expect(await panel.part('allow-session').innerText()).toBe('Allow npm test … This Session');
});

test('an answer names its question and the exact input, and a second click does nothing', async () => {
  await using panel = await open();
  await panel.part('allow-once').dblclick();
  expect(await panel.posted()).toEqual([{ ...BOUND, answer: { answer: 'allow-once' } }]);
});

test('the rule of the session is chosen from narrow to wide', async () => {
  await using panel = await open();
  await panel.page.getByLabel('Choose the rule').click();
  expect(await panel.page.getByRole('menuitemradio').allInnerTexts()).toEqual([
    'Only this command\nnpm test -- parser',
    'npm test with any arguments\nnpm test:*',
    'Any npm command\nnpm:*',
  ]);
  await panel.page.keyboard.press('ArrowUp');
  await panel.page.keyboard.press('Enter');
  await panel.part('allow-session').click();
  expect(await panel.posted()).toEqual([
    { ...BOUND, answer: { answer: 'allow-session', rule: 'run_command(npm test -- parser)' } },
  ]);
});

test('the rule of the session can be written by hand', async () => {
  await using panel = await open();
  await panel.page.getByLabel('Choose the rule').click();
  await panel.page.getByText('Edit Rule').click();
  await panel.page.getByLabel('Rule for this session').fill('run_command(npm run test:*)');
  await panel.page.keyboard.press('Enter');
  await panel.part('allow-session').click();
  expect(await panel.posted()).toEqual([
    { ...BOUND, answer: { answer: 'allow-session', rule: 'run_command(npm run test:*)' } },
  ]);
});

test('deny once, deny for the session, deny with words', async () => {
  const answers: unknown[] = [];
  for (const way of ['', 'Deny for This Session', 'Deny and Say Why']) {
    await using panel = await open();
    if (way === '') await panel.part('deny').click();
    else {
      await panel.page.getByLabel('More ways to deny').click();
      await panel.page.getByText(way).click();
    }
    if (way.includes('Why')) {
      await panel.page.getByLabel('What should it do instead?').fill('run the linter first');
      await panel.page.keyboard.press('Enter');
    }
    answers.push(...(await panel.posted()));
  }
  expect(answers).toEqual([
    { ...BOUND, answer: { answer: 'deny-once' } },
    { ...BOUND, answer: { answer: 'deny-session' } },
    { ...BOUND, answer: { answer: 'deny-once', feedback: 'run the linter first' } },
  ]);
});

test('a question takes no focus: what is typed goes where it went', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(...(STATES['working']?.() ?? []));
  await panel.part('composer').pressSequentially('half a ');
  await panel.tell(...(STATES['approval']?.() ?? []));
  await panel.part('approval').waitFor();
  await panel.page.keyboard.type('sentence');
  await panel.page.keyboard.press('Space');
  expect(await panel.part('composer').inputValue()).toBe('half a sentence ');
  expect(await panel.posted()).toEqual([]);
});

test('a question is spoken once, from a region of its own', async () => {
  await using panel = await open();
  const spoken = panel.part('spoken-approval');
  expect(await spoken.getAttribute('aria-live')).toBe('assertive');
  expect(await spoken.innerText()).toBe(
    'Run a command? npm test -- parser. Runs the parser tests. Executes · no network · sandboxed. Not in the undo: writes to coverage/, which git ignores.',
  );
});

test('an answer from elsewhere takes the card away, says so, and brings the next question', async () => {
  await using panel = await open();
  const answered: AgentEvent = {
    type: 'approval.answered',
    turnId: turnId(1),
    approvalId: COMMAND_APPROVAL.id,
    callId: callId('c8'),
    answer: { answer: 'allow-once' },
    by: 'notification',
    sequence: (await lastSequence(panel)) + 1,
    sessionId: SESSION,
    at: Date.now(),
  };
  await panel.tell({ type: 'events', sessionId: SESSION, events: [answered] });
  expect(await panel.part('approval').getAttribute('data-approval-id')).toBe('a2');
  expect(await panel.part('spoken-approval').innerText()).not.toContain('-- parser');
  expect(await panel.page.locator('.log').innerText()).toContain('Already allowed in the notification');
});

test('a question of another window is shown, and answered there', async () => {
  await using panel = await openPanelPage(browser);
  const [told] = STATES['approval']?.() ?? [];
  if (told?.type !== 'snapshot') throw new Error('a snapshot');
  await panel.tell({ ...told, state: { ...told.state, elsewhere: true } });
  const card = panel.part('approval');
  expect(await card.innerText()).toContain('npm test -- parser');
  expect(await card.innerText()).toContain('Answer it in the other window.');
  expect(await card.getByRole('button').count()).toBe(0);
});

test('while a question waits, the composer says that there are two ways to answer', async () => {
  await using panel = await open();
  expect(await panel.part('composer').getAttribute('placeholder')).toBe(
    'Answer above, or say something else',
  );
});

test('without a sandbox the card says so first, and names no confinement', async () => {
  await using panel = await open('unconfined');
  const text = await panel.part('approval').innerText();
  expect(text).toContain('Executes · with network\nRuns without a sandbox: bwrap was not found');
  expect(text).not.toContain('sandboxed');
});

test('a change shows its diff before it is allowed', async () => {
  await using panel = await open('writeApproval');
  expect(await panel.part('approval').locator('.diff-line.removed').innerText()).toContain(
    'return parseInt(text);',
  );
});

test('Alt+Down on the session button opens its rules, and Escape gives the focus back', async () => {
  await using panel = await open();
  await panel.part('allow-session').focus();
  await panel.page.keyboard.press('Alt+ArrowDown');
  expect(await panel.page.getByRole('menuitemradio').count()).toBe(3);
  await panel.page.keyboard.press('Escape');
  await settle(panel.page);
  expect(await panel.page.getByRole('menu').count()).toBe(0);
  expect(await panel.page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
    'Choose the rule',
  );
  expect(await panel.posted()).toEqual([]);
});

async function lastSequence(panel: PanelPage): Promise<number> {
  const told = STATES['approval']?.().find((message) => message.type === 'snapshot');
  if (told?.type !== 'snapshot' || !told.transcript) throw new Error(`no snapshot for ${panel.page.url()}`);
  return told.transcript.sequence;
}
