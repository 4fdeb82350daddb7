import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundled } from '#test/support/mcp/bundled';
import { oddServer, officialServer } from '#test/support/mcp/peers';
import type { Reply } from '#test/support/model-server/script';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { openMcpView } from '#test/ui/support/mcp-view';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

function calls(name: string, input: unknown, id: string): Reply {
  return { calls: [{ id, name, input }] };
}

const ECHO = 'mcp__everything__echo';
const WANTS = 'The MCP server everything of .mcp.json wants to start:';

function config(servers: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(servers).map(([name, args]) => [name, { command: process.execPath, args }]);
  return `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)}\n`;
}

test('a server of .mcp.json starts when it was seen and accepted; its tool is found, asks with its arguments, and its result stands in the panel', async () => {
  const { settings, server } = await scriptedModel([
    calls('search_tools', { query: `select:${ECHO}` }, 'find'),
    calls(ECHO, { message: 'hello from here' }, 'call'),
    { text: 'It said it.' },
  ]);
  const files = { 'everything.mjs': await bundled(officialServer('everything')) };
  const belay = await openBelay({ settings, files });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();

  writeFileSync(path.join(folder, '.mcp.json'), config({ everything: ['everything.mjs'] }));
  await workbench.told(WANTS);
  // Nothing opens by itself, and it isn't started.
  expect(await page.locator('.tab', { hasText: 'everything' }).count()).toBe(0);
  await workbench.answer(WANTS, 'Review');
  await page.locator('.tab.active', { hasText: 'everything' }).waitFor();
  await page.locator('.view-line', { hasText: '"everything.mjs"' }).first().waitFor();
  const view = await openMcpView(workbench);
  await view.row(/everything.*wants to start/).waitFor();
  await workbench.answer('Shall the MCP server everything start as shown?', 'Accept');
  await view.row(/everything.*\d\d tools/).waitFor();

  const turn = await panel.send('Say hello');
  const card = panel.part('approval').filter({ hasText: 'everything: echo' });
  await card.getByText('hello from here').first().waitFor();
  await card.getByTestId('allow-once').click();
  expect(await panel.ended(turn)).toBe('done');
  const row = panel.frame.locator(`[data-testid="call-row"][data-call-name="${ECHO}"][data-state="success"]`);
  await row.click();
  await panel.frame.locator('.call-body').getByText('Echo: hello from here').waitFor();
  const named = server.requests.map(({ body }) => JSON.stringify(body['tools']).includes(`"${ECHO}"`));
  expect(named).toEqual([false, true, true]);
});

test('what is reviewed from the view is not told of in a notification as well', async () => {
  const files = {
    'everything.mjs': await bundled(officialServer('everything')),
    '.mcp.json': config({ first: ['everything.mjs'], second: ['everything.mjs'] }),
  };
  const { workbench } = await openBelay({ files });
  const { page } = workbench;
  const view = await openMcpView(workbench);
  const wants = 'The MCP server first of .mcp.json wants to start:';
  await workbench.told(wants);
  await view.inline('second', 'Review…');
  await workbench.told('Shall the MCP server second start as shown?');

  await workbench.answer(wants, 'Review');
  await workbench.answer('Shall the MCP server first start as shown?', 'Accept');
  await view.row(/first.*\d\d tools/).waitFor();
  await workbench.runCommand('Notifications: Show Notifications');
  const listed = page.locator('.notifications-center .notification-list-item');
  await listed.filter({ hasText: 'Shall the MCP server second start' }).waitFor();
  expect(await listed.filter({ hasText: 'second of .mcp.json wants to start' }).count()).toBe(0);
});

test('a tool that says something else than what was accepted is left out until it was seen beside it; rejected it stays out', async () => {
  const { settings, server } = await scriptedModel([{ text: 'Nothing to note.' }]);
  const files = {
    'changing.mjs': await bundled(oddServer('changing-server.ts')),
    'says.txt': 'Keeps a note.',
    '.mcp.json': config({ notes: ['changing.mjs', 'says.txt'] }),
  };
  const belay = await openBelay({ settings, files });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const view = await openMcpView(workbench);
  await view.inline('notes', 'Review…');
  await workbench.answer('Shall the MCP server notes start as shown?', 'Accept');
  await view.row(/notes.*1 tool/).waitFor();

  writeFileSync(path.join(folder, 'says.txt'), 'Keeps \u200b.env too.');
  const changed = 'Tools of the MCP server notes are not what you accepted: they are left out.';
  await workbench.answer(changed, 'Review');
  const difference = page.locator('.monaco-diff-editor');
  await difference.locator('.editor.modified .view-lines', { hasText: '\\u{200b}.env' }).waitFor();
  await difference.locator('.editor.original .view-lines', { hasText: 'Keeps a note.' }).waitFor();
  await workbench.answer('Shall the tools of the MCP server notes be offered as shown?', 'Reject');
  await page.locator('.statusbar', { hasText: 'Rejected: notes' }).waitFor();
  await view.row(/notes.*0 tools · 1 left out/).waitFor();

  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Note this'))).toBe('done');
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('mcp__notes__note');

  // What it said before is still what was accepted.
  writeFileSync(path.join(folder, 'says.txt'), 'Keeps a note.');
  await view.row(/notes.*1 tool$/).waitFor();
});

test('what a server asks in the middle of a call is answered in a list that shows all of it, and nothing is sent by itself', async () => {
  const tool = 'mcp__everything__trigger-elicitation-request';
  const { settings, server } = await scriptedModel([
    calls('search_tools', { query: `select:${tool}` }, 'find'),
    calls(tool, {}, 'call'),
    { text: 'Thank you.' },
  ]);
  const files = { 'everything.mjs': await bundled(officialServer('everything')) };
  const servers = { everything: { command: process.execPath, args: ['everything.mjs'] } };
  const belay = await openBelay({ settings, files, machineSettings: { 'belay.mcp.servers': servers } });
  const { workbench } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  const view = await openMcpView(workbench);
  await view.row(/everything.*\d\d tools/).waitFor();
  const turn = await panel.send('Ask me');
  await panel.part('approval').getByTestId('allow-once').click();

  const asks = 'The MCP server everything asks: Please provide inputs for the following fields:';
  await workbench.told(asks);
  expect(await quickInput(page).isVisible()).toBe(false);
  await workbench.answer(asks, 'Answer…');
  const row = (text: string) => page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  await row('Send to the MCP server everything').filter({ hasText: 'String is required.' }).waitFor();
  await row('Your full, legal name').click();
  await quickInput(page).fill('Ada');
  await page.keyboard.press('Enter');
  await row('Ada').waitFor();
  await row('Send to the MCP server everything').click();
  expect(await panel.ended(turn)).toBe('done');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Ada');
});

test('a tool is switched off and on by its checkbox: the setting says so, and the model isn’t told of it', async () => {
  const { settings, server } = await scriptedModel([{ text: 'Without it.' }, { text: 'With it.' }]);
  const files = {
    'changing.mjs': await bundled(oddServer('changing-server.ts')),
    'says.txt': 'Keeps a note.',
    '.mcp.json': config({ notes: ['changing.mjs', 'says.txt'] }),
  };
  const belay = await openBelay({ settings, files });
  const { workbench } = belay;
  const view = await openMcpView(workbench);
  await view.inline('notes', 'Review…');
  await workbench.answer('Shall the MCP server notes start as shown?', 'Accept');
  await view.row(/notes.*1 tool/).waitFor();
  const panel = await belay.openPanel();
  const asked = async (words: string) => {
    expect(await panel.ended(await panel.send(words))).toBe('done');
    return JSON.stringify(server.requests.at(-1)?.body).includes('mcp__notes__note');
  };

  await view.unfold(/notes.*1 tool/);
  const box = view.row(/Keeps a note/).locator('.monaco-checkbox');
  await box.click();
  await view.row(/notes.*0 tools/).waitFor();
  expect(await asked('Note this')).toBe(false);
  await box.click();
  await view.row(/notes.*1 tool/).waitFor();
  expect(await asked('Note that')).toBe(true);
});
