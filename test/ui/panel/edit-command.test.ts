import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApprovalRequest } from '#protocol/approval';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { requested, SESSION } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage, settle } from './harness';
import { asked, COMMAND_APPROVAL, running } from './parser-turn';
import { snapshot } from './state-parts';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const BOUND = { type: 'answer', sessionId: SESSION, approvalId: 'a1', inputSha256: 'sha' };

async function open(state = 'approval', width = 300): Promise<PanelPage> {
  const panel = await openPanelPage(browser, { width });
  await panel.tell(...(STATES[state]?.() ?? []));
  return panel;
}

/** A card that asks for this command, shown as `summary`. */
async function ask(command: string, summary = command): Promise<PanelPage> {
  const panel = await openPanelPage(browser, { width: 300 });
  const touch = { kind: 'execute', command, cwd: '.', network: false, description: '' } as const;
  const request: ApprovalRequest = { ...COMMAND_APPROVAL, summary, touches: [touch] };
  await panel.tell(snapshot(running(requested(1, 'c8'), asked(request)), { running: true }));
  return panel;
}

test('the command is edited by the keyboard alone, and the answer carries only what was edited', async () => {
  await using panel = await open();
  await panel.part('edit-command').focus();
  await panel.page.keyboard.press('Enter');
  await settle(panel.page);
  const field = panel.page.getByRole('textbox', { name: 'Command' });
  expect(await field.inputValue()).toBe('npm test -- parser');
  expect(await panel.page.evaluate('document.activeElement.dataset.testid')).toBe('command-field');
  await panel.page.keyboard.type(' lexer');
  await panel.page.keyboard.press('Shift+Enter');
  await panel.page.keyboard.type('npm run lint');
  await panel.page.keyboard.press('Enter');
  expect(await panel.posted()).toEqual([
    {
      ...BOUND,
      answer: { answer: 'allow-once', input: { command: 'npm test -- parser lexer\nnpm run lint' } },
    },
  ]);
});

test('a command that was left as it was is allowed as it was', async () => {
  await using panel = await open();
  await panel.part('edit-command').click();
  await panel.part('run-edited').click();
  expect(await panel.posted()).toEqual([{ ...BOUND, answer: { answer: 'allow-once' } }]);
});

test('Escape and Cancel answer nothing, forget the edit and give the focus back', async () => {
  await using panel = await open();
  for (const leave of ['Escape', 'Cancel']) {
    await panel.part('edit-command').click();
    await panel.part('command-field').fill('rm -rf build');
    if (leave === 'Escape') await panel.page.keyboard.press('Escape');
    else await panel.page.getByRole('button', { name: 'Cancel' }).click();
    await settle(panel.page);
    expect(await panel.page.evaluate('document.activeElement.dataset.testid')).toBe('edit-command');
    expect(await panel.part('approval').locator('.command').innerText()).toBe('npm test -- parser');
  }
  expect(await panel.posted()).toEqual([]);
});

test('while the command is edited the extension knows, so that its chord can’t allow the one that was asked about', async () => {
  await using panel = await open();
  const said = () =>
    panel.page.evaluate(
      'panel.posted.filter(({ type }) => type === "editing").map((each) => each.approvalId ?? "none")',
    );
  await panel.part('edit-command').click();
  await panel.part('command-field').press('Escape');
  await panel.part('edit-command').click();
  await panel.part('command-field').fill('npm run lint');
  await panel.part('command-field').press('Control+Alt+Enter');
  await expect.poll(said).toEqual(['a1', 'none', 'a1', 'none']);
  expect(await panel.posted()).toEqual([
    { ...BOUND, answer: { answer: 'allow-once', input: { command: 'npm run lint' } } },
  ]);
});

test('a key that confirms what an input method proposes runs nothing', async () => {
  await using panel = await open();
  await panel.part('edit-command').click();
  const field = panel.part('command-field');
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
  expect(await panel.posted()).toEqual([]);
  expect(await field.isVisible()).toBe(true);
});

test('an empty command can’t be run', async () => {
  await using panel = await open();
  await panel.part('edit-command').click();
  await panel.part('command-field').fill('  \n ');
  await panel.page.keyboard.press('Enter');
  expect(await panel.part('run-edited').isDisabled()).toBe(true);
  expect(await panel.posted()).toEqual([]);
});

test('what isn’t shown exactly as it would run can’t be edited', async () => {
  const offered: boolean[] = [];
  for (const [command, summary] of [
    ['npm test', 'npm test'],
    ['npm\u200b test', 'npm\\u{200b} test'],
    ['curl -H "key: [redacted: GitHub token]" localhost', undefined],
  ] as const) {
    await using panel = await ask(command, summary);
    offered.push(await panel.part('edit-command').isVisible());
  }
  await using change = await open('writeApproval');
  offered.push(await change.part('edit-command').isVisible());
  expect(offered).toEqual([true, false, false, false]);
});

test('a huge command scrolls in its field and leaves the buttons in sight', async () => {
  await using panel = await ask(`echo ${'word '.repeat(4000)}`);
  await panel.part('edit-command').click();
  const box = await panel.part('command-field').boundingBox();
  expect([box?.height, (box?.width ?? 999) < 300]).toEqual([180, true]);
  expect(await panel.part('run-edited').isVisible()).toBe(true);
});

test('without the sandbox it runs only by a button that stands apart and says what that means', async () => {
  await using panel = await open('outside');
  const offer = panel.part('outside-offer');
  expect((await offer.innerText()).split('\n')).toEqual([
    'Offered because in the sandbox it failed: it could not reach /var/run/docker.sock',
    'Without the sandbox it can read and change all that you can, and use the network.',
    'Run Once Without Sandbox',
  ]);
  const button = panel.page.getByRole('button', {
    name: 'Run Once Without Sandbox',
    description: 'Without the sandbox it can read and change all that you can, and use the network.',
  });
  const [own, deny] = [await button.boundingBox(), await panel.part('deny').boundingBox()];
  expect((own?.y ?? 0) - ((deny?.y ?? 0) + (deny?.height ?? 0))).toBeGreaterThan(40);
  await button.dblclick();
  expect(await panel.posted()).toEqual([
    { ...BOUND, answer: { answer: 'allow-once', withoutSandbox: true } },
  ]);
});

test('where it isn’t offered there is no way out of the sandbox', async () => {
  await using panel = await open();
  expect(await panel.part('outside-offer').count()).toBe(0);
});

test('what a person changed or let out of the sandbox stays marked in the turn', async () => {
  await using panel = await open('marked');
  const marks = panel.page.locator('.call .last-line.plain');
  expect(await marks.allInnerTexts()).toEqual(['You changed it before it ran', 'Without the sandbox, once']);
});

test('Escape in the words to deny with gives the focus back to Deny', async () => {
  await using panel = await open();
  await panel.page.getByLabel('More ways to deny').click();
  await panel.page.getByText('Deny and Say Why').click();
  await panel.page.getByLabel('What should it do instead?').press('Escape');
  await settle(panel.page);
  expect(await panel.page.evaluate('document.activeElement.dataset.testid')).toBe('deny');
});
