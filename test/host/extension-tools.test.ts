import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { LmTools } from '#editor/extensions/lm-tools';
import { withSetting } from '#test/host/support/editor-lab';
import { eventually } from '#test/host/support/editor-world';

/** As test/host/extensions/lm-tools answers `activate`. */
interface Calls {
  readonly begun: number;
  readonly cancelled: number;
  readonly inputs: readonly unknown[];
}

const quiet = { signal: new AbortController().signal, onProgress: () => undefined };

suite('tools of other extensions (vscode.lm.tools)', () => {
  const tools = new LmTools('belay.belay');
  const named = (name: string) => {
    const tool = tools.list().find((each) => each.name === name);
    assert.ok(tool, `${name} is not offered`);
    return tool;
  };

  suiteSetup(async () => {
    // Those of the editor's own come when it gets to them.
    await eventually('the editor lists its tools and the extension’s', () =>
      ['getWeather', 'run_in_terminal'].every((wanted) =>
        vscode.lm.tools.some(({ name }) => name === wanted),
      ),
    );
  });

  suiteTeardown(() => tools.dispose());

  test('exactly those that an installed extension brings are offered, none of the editor’s own', () => {
    const offered = tools.list().map(({ name, owner }) => [name, owner]);
    assert.deepEqual(offered.sort(), [
      ['lm__getWeather', 'belay-test.lm-tools'],
      ['lm__test-slow', 'belay-test.lm-tools'],
      ['lm__test_parts', 'belay-test.lm-tools'],
      ['lm__test_unregistered', 'belay-test.lm-tools'],
    ]);
  });

  test('tools of an MCP server that the editor runs are in its list without an owner: offered by name alone, and then they work', async () => {
    await using _server = await editorsOwnServer();
    const ofServers = () => tools.list().filter(({ name }) => name.startsWith('lm__mcp_'));
    assert.deepEqual(ofServers(), []);
    await using _allow = await withSetting('belay', 'extensionTools.allow', ['mcp_memory-server_*']);
    const graph = ofServers().find(({ name }) => name === 'lm__mcp_memory-server_read_graph');
    assert.ok(graph, 'the tool is not offered');
    assert.equal(graph.owner, 'the editor');
    assert.match(JSON.stringify(await graph.invoke({}, quiet)), /entities/);
  });

  test('the same objects are listed until something changes', () => {
    assert.deepEqual(
      tools.list().map((tool, index) => tool === tools.list()[index]),
      tools.list().map(() => true),
    );
  });

  test('a tool of the editor’s own is offered where the person allows its name, and none where all are switched off', async () => {
    await using _allow = await withSetting('belay', 'extensionTools.allow', ['run_in_terminal', '*']);
    const allowed = tools.list().filter(({ owner }) => owner !== 'belay-test.lm-tools');
    assert.deepEqual(
      allowed.map(({ name, owner }) => [name, owner]),
      [['lm__run_in_terminal', 'the editor']],
    );
    await using _off = await withSetting('belay', 'extensionTools.enabled', false);
    assert.deepEqual(tools.list(), []);
  });

  test('a call runs the tool and gives its text; parts of each kind become text and pictures', async () => {
    assert.deepEqual(await named('lm__getWeather').invoke({ city: 'Bonn' }, quiet), {
      version: 1,
      status: 'success',
      content: 'sunny in Bonn',
    });
    const parts = await named('lm__test_parts').invoke({}, quiet);
    const { images, ...rest } = parts as { readonly images: readonly { readonly mediaType: string }[] };
    assert.deepEqual(
      { ...rest, images: images.map(({ mediaType }) => mediaType) },
      {
        version: 1,
        status: 'success',
        content: 'first\nsecond\n{"third":3}\n(5 bytes of application/zip were left out)',
        images: ['image/png'],
      },
    );
  });

  test('a stop cancels the tool’s token', async () => {
    const extension = vscode.extensions.getExtension<Calls>('belay-test.lm-tools');
    const stop = new AbortController();
    const calls = await extension?.activate();
    assert.ok(calls, 'the test extension is not there');
    const before = { ...calls };
    const running = named('lm__test-slow').invoke({}, { ...quiet, signal: stop.signal });
    // A token that is cancelled before the editor has handed the call over never gets there.
    await eventually('the tool was called', () => calls.begun === before.begun + 1);
    stop.abort();
    await running.catch(() => undefined);
    await eventually('the tool was told', () => calls.cancelled === before.cancelled + 1);
  });

  test('what a tool throws, and that a listed one isn’t there, comes in its words', async () => {
    await assert.rejects(
      named('lm__getWeather').invoke({ city: 'Atlantis' }, quiet),
      /there is no such city/,
    );
    await assert.rejects(named('lm__test_unregistered').invoke({}, quiet), /test_unregistered/);
  });
});

/** Starts an MCP server as a person would who has written it into the editor's own file. */
async function editorsOwnServer(): Promise<AsyncDisposable> {
  const folder = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.vscode');
  const checkout = process.env['BELAY_CHECKOUT'] ?? '';
  const program = path.join(checkout, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
  const memory = {
    type: 'stdio',
    command: process.execPath,
    args: [program],
    env: {
      ELECTRON_RUN_AS_NODE: '1',
      MEMORY_FILE_PATH: path.join(tmpdir(), `belay-memory-${process.pid}.jsonl`),
    },
  };
  const had = existsSync(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'mcp.json'), JSON.stringify({ servers: { memory } }));
  const start = () =>
    vscode.commands.executeCommand('workbench.mcp.startServer', '*', {
      autoTrustChanges: true,
      promptType: 'never',
    });
  // The editor reads the file in its own time; until then there is no server to start.
  const again = setInterval(() => void start().then(undefined, () => undefined), 1000);
  try {
    await eventually('its tools are listed', () =>
      vscode.lm.tools.some(({ name }) => name.startsWith('mcp_')),
    );
  } finally {
    clearInterval(again);
  }
  return {
    async [Symbol.asyncDispose]() {
      await vscode.commands.executeCommand('workbench.mcp.stopServer', 'mcp.config.ws0.memory');
      rmSync(had ? path.join(folder, 'mcp.json') : folder, { recursive: true, force: true });
    },
  };
}
