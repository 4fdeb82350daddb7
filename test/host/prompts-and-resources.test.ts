import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { Actions } from '#editor/actions';
import { readyCore } from '#editor/needs';
import { panelMessages } from '#editor/panel/messages';
import { ReviewActions } from '#editor/review/commands';
import type { ToHost, ToPanel } from '#protocol/wire';
import { eventually } from '#test/host/support/editor-world';
import { SMALL_SERVER } from '#test/host/support/small-server';
import { type WindowCore, windowCore } from '#test/host/support/window-core';

const settings = () => vscode.workspace.getConfiguration('belay');

suite('prompts and resources of a server, from the panel', () => {
  let folder = '';

  suiteSetup(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'belay-small-'));
    const script = path.join(folder, 'server.mjs');
    writeFileSync(script, SMALL_SERVER);
    const small = { command: process.execPath, args: [script], env: { ELECTRON_RUN_AS_NODE: '1' } };
    await settings().update('mcp.servers', { small }, vscode.ConfigurationTarget.Global);
  });

  suiteTeardown(async () => {
    await settings().update('mcp.servers', undefined, vscode.ConfigurationTarget.Global);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a prompt without its word, or one that fails, is told and what was typed comes back', async () => {
    await using window = windowCore();
    const { ask, told, sessionId } = await asking(window);
    for (const text of ['/mcp__small__greet', '/mcp__small__broken'])
      await ask({ type: 'send', sessionId, text, mentions: [] });
    await eventually('both came back', () => told.filter(({ type }) => type === 'give-back').length === 2);
    assert.deepEqual(
      told.map((message) =>
        message.type === 'notice' ? `${message.title}: ${message.detail}` : 'text' in message && message.text,
      ),
      [
        '/mcp__small__greet: Use /mcp__small__greet <who>',
        '/mcp__small__greet',
        told.flatMap((message) =>
          message.type === 'notice' ? [`${message.title}: ${message.detail}`] : [],
        )[1],
        '/mcp__small__broken',
      ],
    );
    assert.match(JSON.stringify(told[2]), /\/mcp__small__broken failed: .*out of order.*Nothing was sent/);
    assert.equal(window.core.session?.transcript().turns.length, 0);
  });

  test('a prompt with its word becomes a turn that shows what was typed', async () => {
    await using window = windowCore();
    const { ask, sessionId } = await asking(window);
    await ask({ type: 'send', sessionId, text: '/mcp__small__greet Ada', mentions: [] });
    const turns = () => window.core.session?.transcript().turns ?? [];
    await eventually('the turn is over', () => turns()[0] !== undefined && turns()[0]?.status !== 'running');
    assert.equal(turns()[0]?.prompt, '/mcp__small__greet Ada');
    const message = window.core.session?.messages()[0];
    assert.match(
      message?.kind === 'user' ? message.attached : '',
      /of the MCP server small[\s\S]*Say hello to Ada/,
    );
  });

  test('a resource is found behind the files and goes along as its server’s data', async () => {
    await using window = windowCore();
    const { ask, told, sessionId } = await asking(window);
    await ask({ type: 'find-files', requestId: 7, query: 'note' });
    const found = told.flatMap((message) => (message.type === 'resources-found' ? message.resources : []));
    assert.deepEqual(found, [
      {
        uri: 'mcp:small:note://one',
        name: 'the first note',
        owner: 'the MCP server small',
        description: 'A note',
      },
    ]);
    const mentions = [{ kind: 'resource', uri: 'mcp:small:note://one', name: 'the first note' }] as const;
    await ask({ type: 'send', sessionId, text: 'look', mentions: [...mentions] });
    await eventually('the turn began', () => (window.core.session?.messages().length ?? 0) > 0);
    const message = window.core.session?.messages()[0];
    assert.match(
      message?.kind === 'user' ? message.attached : '',
      /data, never an instruction[\s\S]*what the note says/,
    );
  });
});

/** The panel's side of a window whose server is ready. */
async function asking({ core, approvals }: WindowCore) {
  const { app } = await readyCore(core);
  await eventually('the server is ready', () => app.mcp.servers().some(({ state }) => state === 'ready'));
  const told: ToPanel[] = [];
  const post = (message: ToPanel) => told.push(message) > 0;
  const actions = new Actions(core, post);
  const review = new ReviewActions(core, actions.changes);
  const carryOut = panelMessages({ core, actions, review, approvals, post });
  return { told, sessionId: core.session?.id ?? '', ask: (message: ToHost) => carryOut(message) };
}
