import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BelayApi } from '@belay/api';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { createApp } from '#app';
import { extensionApi, toolRegistry } from '#editor/extensions/api';
import { LmTools } from '#editor/extensions/lm-tools';
import { ScriptedModel } from '#headless/scripted-model';
import type { ApprovalRequest } from '#protocol/approval';
import type { ModelItem } from '#protocol/scenario';
import type { ToolResult } from '#protocol/tool-result';
import { eventually } from '#test/host/support/editor-world';
import { plainHost } from '#test/host/support/plain-host';
import { windowCore } from '#test/host/support/window-core';
import { registerTools } from '../../docs/examples/word-count/extension';

const EXAMPLE = 'belay-example.word-count';
const COUNT = 'ext__belay_example_word_count__count_words';
const STATUS = 'ext__belay_example_word_count__show_status';

suite('tools that other extensions register (exports.registerTool)', () => {
  test('the example of the docs is loaded as an extension and has registered its tools with Belay', async () => {
    await vscode.extensions.getExtension(EXAMPLE)?.activate();
    const belay = vscode.extensions.getExtension<BelayApi>('belay.belay')?.exports;
    assert.equal(belay?.version, 1);
    assert.equal(Object.isFrozen(belay), true);
    assert.throws(
      () =>
        belay.registerTool({
          extension: EXAMPLE,
          name: 'count_words',
          description: 'Again.',
          execute: () => '',
        }),
      /ext__belay_example_word_count__count_words of belay-example\.word-count is left out, the name is taken by belay-example\.word-count/,
    );
    assert.throws(
      () => belay.registerTool({ extension: 'not.there', name: 'a', description: 'b', execute: () => '' }),
      /no other extension "not\.there" is installed/,
    );
  });

  test('a turn of the core finds them, calls the one that reads, and asks before the one that acts', async () => {
    await using lab = await outsideLab();
    const before = await lab.turn([COUNT, { path: 'README.md' }]);
    const found = await lab.turn([
      'search_tools',
      {
        query: `select:${COUNT},${STATUS}`,
      },
    ]);
    const results = await lab.turn(
      [COUNT, { path: 'README.md' }],
      [COUNT, { file: 'README.md' }],
      [COUNT, { path: '.env' }],
      [STATUS, { text: 'hello' }],
    );
    const words = (
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(lab.folder, 'README.md'))
    ).toString();
    assert.deepEqual(
      {
        before: before.map(({ code }) => code),
        found: found.map(({ status }) => status),
        results: results.map(({ status, code, content }) => code ?? `${status}: ${content}`),
        asked: lab.asked.map(({ tool, summary, risk }) => ({ tool, summary, risk })),
      },
      {
        before: ['inactive_tool'],
        found: ['success'],
        results: [
          `success: ${words.match(/\S+/g)?.length} README.md`,
          'invalid_arguments',
          'permission_denied',
          'success: shown',
        ],
        asked: [
          {
            tool: COUNT,
            summary: `${COUNT} of ${EXAMPLE}: count the words of .env {"path":".env"}`,
            risk: 'read',
          },
          {
            tool: STATUS,
            summary: `${STATUS} of ${EXAMPLE}: {"text":"hello"}`,
            risk: 'execute',
          },
        ],
      },
    );
  });

  test('a tool of the editor’s list is found, asked for and called in a turn; its input is checked before', async () => {
    await eventually('the editor lists its tools', () =>
      vscode.lm.tools.some(({ name }) => name === 'getWeather'),
    );
    await using lab = await outsideLab();
    await lab.turn(['search_tools', { query: 'select:lm__getWeather' }]);
    const results = await lab.turn(
      ['lm__getWeather', { city: 'Bonn', days: 2 }],
      ['lm__getWeather', { city: 'Bonn', days: 0 }],
      ['lm__getWeather', { city: 'Atlantis' }],
    );
    assert.deepEqual(
      results.map(({ status, code, content }) => (code ? code : `${status}: ${content}`)),
      ['success: sunny in Bonn', 'invalid_arguments', 'tool_failed'],
    );
    assert.deepEqual(
      lab.asked.map(({ risk, suggestedRule, preview }) => [risk, suggestedRule, preview?.kind]),
      Array(2).fill(['execute', 'lm__getWeather', 'json']),
    );
  });

  test('in the window’s own core: a model of one extension finds and calls the tools of two others', async () => {
    const { status, results, asked } = await inTheWindow([
      ['search_tools', { query: `select:${COUNT},lm__getWeather` }],
      [COUNT, { path: 'src/main.js' }],
      ['lm__getWeather', { city: 'Bonn' }],
    ]);
    const [, counted, weather] = results.map(({ content }) => content);
    assert.match(counted ?? '', /^\d+ src\/main\.js$/);
    assert.deepEqual(
      { status, weather, asked: asked.map(({ tool }) => tool) },
      { status: 'done', weather: 'sunny in Bonn', asked: ['lm__getWeather'] },
    );
  });

  test('a tool that comes or goes between two requests is there or gone in the next', async () => {
    await using lab = await outsideLab();
    const registered = lab.api.registerTool({
      extension: EXAMPLE,
      name: 'late',
      description: 'Came late.',
      risk: 'read',
      capabilities: [],
      execute: () => 'here',
    });
    await lab.turn(['search_tools', { query: `select:${registered.name}` }]);
    const there = await lab.turn([registered.name, {}]);
    registered.dispose();
    const gone = await lab.turn([registered.name, {}]);
    assert.deepEqual(
      [there, gone].map(([result]) => result?.code ?? result?.content),
      ['here', 'unknown_tool'],
    );
  });
});

/** What the editor's own core makes of calls that a model of another extension makes. */
async function inTheWindow(calls: readonly (readonly [name: string, input: unknown])[]) {
  await using window = windowCore();
  const api = extensionApi(window.registry) as BelayApi;
  // Before there is a core: it is offered when there is one.
  registerTools(api, EXAMPLE);
  const state = await window.core.start();
  assert.ok(state.kind === 'ready', 'the core did not start');
  let modelId: string | undefined;
  await eventually('the model is offered', () => {
    void state.models.list().then((models) => {
      modelId = models.find(({ name }) => name === 'Caller')?.id;
    });
    return modelId !== undefined;
  });
  const session = state.app.createSession({ modelId: modelId ?? '', mode: 'prompt' });
  const asked: ApprovalRequest[] = [];
  window.approvals.onDidChange(() => {
    for (const request of window.approvals.waiting()) {
      if (asked.some(({ id }) => id === request.id)) continue;
      asked.push(request);
      window.approvals.answer(request.id, request.inputSha256, { answer: 'allow-once' }, 'panel');
    }
  });
  const lines = calls.map(([name, input]) => `call ${name} ${JSON.stringify(input)}`);
  const status = await session.send(lines.join('\n'), []);
  const results = session.messages().flatMap((each) => (each.kind === 'result' ? [each.result] : []));
  return { status, results, asked };
}

/** A core on the open folder with what other extensions offer, a registry of its own, and a person who allows what isn't secret. */
async function outsideLab() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder, 'the suite needs an open folder');
  const storage = mkdtempSync(path.join(tmpdir(), 'belay-outside-'));
  const secret = path.join(folder.fsPath, '.env');
  writeFileSync(secret, 'TOKEN=nobody\n');
  const registry = toolRegistry('belay.belay', { warn: () => undefined });
  const api = extensionApi(registry) as BelayApi;
  const lmTools = new LmTools('belay.belay');
  const asked: ApprovalRequest[] = [];
  const host = plainHost(storage, {
    extensionTools: { list: () => [...lmTools.list(), ...registry.list()] },
    prompter: {
      ask: async (request) => {
        asked.push(request);
        const isSecret = request.touches.length > 0;
        // With a word, so that the turn goes on.
        return {
          answer: isSecret ? { answer: 'deny-once', feedback: 'no' } : { answer: 'allow-once' },
          by: 'script',
        };
      },
    },
  });
  const model = new ScriptedModel();
  const created = await createApp(host, {
    folder: folder.fsPath,
    models: { get: async () => ({ ok: true, value: model }) },
  });
  assert.ok(created.ok, 'the core did not start');
  const app = created.value;
  const session = app.createSession({ modelId: model.id });
  registerTools(api, EXAMPLE);
  return {
    api,
    folder,
    asked,
    async turn(
      ...calls: readonly (readonly [name: string, input: unknown])[]
    ): Promise<readonly ToolResult[]> {
      const before = session.messages().length;
      const items = calls.map(([name, input], at): ModelItem => ({ calls: [{ id: `c${at}`, name, input }] }));
      model.play([...items, { text: 'done' }]);
      await session.send('work', []);
      const after = session.messages().slice(before);
      return after.flatMap((message) => (message.kind === 'result' ? [message.result] : []));
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      lmTools.dispose();
      rmSync(secret, { force: true });
      rmSync(storage, { recursive: true, force: true });
    },
  };
}
