import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messageGate } from '#addons/mcp/connection/flood-gate';
import { formFields } from '#addons/mcp/connection/form-fields';
import { legalName } from '#addons/mcp/tools/names';
import { delay } from '#base/queue';
import { call, coreLab } from '#test/support/core-lab';
import { eventually } from '#test/support/eventually';
import { mcpLab } from '#test/support/mcp/lab';
import { nodeServer, oddServer } from '#test/support/mcp/peers';
import { isAlive, pidIn } from '#test/support/mcp/pids';
import { tempFolder } from '#test/support/temp-folder';

const hostile = nodeServer(oddServer('hostile-server.ts'));

async function lab(more: Parameters<typeof mcpLab>[0] = {}) {
  const made = await mcpLab({ mcpServers: { hostile }, ...more });
  await made.until('hostile', 'ready');
  return made;
}

test('a server that closes its output is over, though it goes on running', async () => {
  const made = await lab();
  const pid = pidIn(made.servers.log('hostile'));
  expect((await made.call('hostile', 'mute')).content).toContain('the connection was lost');
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect.poll(() => made.servers.log('hostile')).toContain('It closed its output.');
});

test('an answer nested deeper than any stack goes is cut there', async () => {
  const made = await lab();
  const { status, content } = await made.call('hostile', 'deep');
  expect([status, content.includes('nested too deeply')]).toEqual(['success', true]);
  expect(await made.call('hostile', 'echo')).toMatchObject({ status: 'success' });
});

test('a tool nested deeper than any stack goes costs itself alone', async () => {
  const made = await lab();
  await made.call('hostile', 'deepList');
  await expect
    .poll(() => made.row('hostile')?.tools.find(({ original }) => original === 'bad')?.state, {
      timeout: 5000,
    })
    .toBe('broken');
  expect(await made.call('hostile', 'echo')).toMatchObject({ status: 'success' });
});

test('messages of every wrong shape do no harm', async () => {
  const made = await lab();
  const lines = [
    '{"jsonrpc":"2.0","method":5}',
    '{"jsonrpc":"2.0","method":null,"id":1}',
    '{"jsonrpc":"2.0","method":"__proto__","id":1}',
    '{"jsonrpc":"2.0","method":"constructor"}',
    '{"jsonrpc":"2.0","method":"notifications/progress"}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":null}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":"x"}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":7}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"toString":1}}}',
    '{"jsonrpc":"2.0","id":{},"result":null}',
    '{"jsonrpc":"2.0","id":null,"result":{}}',
    '{"jsonrpc":"2.0","id":"__proto__","error":null}',
    '{"jsonrpc":"2.0","id":[],"error":{"code":"x"}}',
    '{"jsonrpc":"2.0","id":1e999,"result":{}}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","result":{}}',
    '{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{"mode":"url","url":"javascript:1"}}',
    '{"jsonrpc":"2.0","id":78,"method":"roots/list","params":7}',
    '{"jsonrpc":"2.0","id":79,"method":"initialize","params":{}}',
    '[{"jsonrpc":"2.0","id":80,"method":"ping"},{"jsonrpc":"2.0","id":80,"method":"ping"}]',
    '[]',
    '[[]]',
  ];
  expect(await made.call('hostile', 'raw', { lines })).toMatchObject({ content: 'printed' });
  expect(await made.call('hostile', 'echo')).toMatchObject({ status: 'success' });
});

test('a form whose formats are names of the language’s own objects is a form like others', () => {
  for (const format of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const [field] = formFields({ properties: { a: { type: 'string', format } } }) ?? [];
    expect(field?.problem?.('x')).toBeUndefined();
  }
});

test('a server that is replaced while it is started anew leaves nothing', async () => {
  const pids = join(tempFolder().path, 'pids');
  const made = await lab({ mcpServers: { hostile: { ...hostile, env: { PIDS: pids } } } });
  const restarting = made.servers.restart('hostile');
  made.host.configure({ mcpServers: {} });
  await made.servers.refresh();
  await restarting;
  await made.servers.close();
  const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  expect(started.filter(isAlive)).toEqual([]);
});

test('a server that is switched off and on at once runs', async () => {
  const made = await lab();
  const first = pidIn(made.servers.log('hostile'));
  for (const mcpDisabled of [['hostile'], []]) {
    made.host.configure({ mcpServers: { hostile }, mcpDisabled });
    await made.servers.refresh();
  }
  await expect.poll(() => pidIn(made.servers.log('hostile'))).not.toBe(first);
  await made.until('hostile', 'ready');
});

test('a mark that reads like another server’s tool lowers nothing', async () => {
  const made = await lab({ settings: { mcpReadOnlyTools: ['hostile/echo', 'hostile/a/b'] } });
  const risk = (tool: string) => made.tool(legalName({ server: 'hostile', tool }))?.risk;
  // `hostile/a/b` may be the tool `b` of a server `hostile/a` of some other folder.
  expect([risk('echo'), risk('a/b'), risk('raw')]).toEqual(['read', 'execute', 'execute']);
});

test('a tool with a slash in its own name is marked by the name that the model sees', async () => {
  const name = legalName({ server: 'hostile', tool: 'a/b' });
  const made = await lab({ settings: { mcpReadOnlyTools: [name] } });
  expect(made.tool(name)?.risk).toBe('read');
});

test('a tool whose name holds what can’t be seen can be switched off as the view shows it', async () => {
  const made = await lab({ settings: { mcpDisabled: ['hostile/e\\u{200b}cho'] } });
  const row = made.row('hostile')?.tools.find(({ original }) => original === 'e\\u{200b}cho');
  expect(row?.state).toBe('off');
});

test('a secret of its entry that a server says reaches neither the model nor its row', async () => {
  const secret = 'plain-words-no-shape';
  const mcpServers = { hostile: { ...hostile, env: { API_TOKEN: secret } } };
  const made = await coreLab({ settings: { mcpServers }, answers: ['allow-once', 'allow-once'] });
  await eventually(() => expect(made.app.mcp.servers()[0]?.state).toBe('ready'));
  await made.turn(
    'say it',
    {
      calls: [
        call('a', 'search_tools', {
          query: 'select:mcp__hostile__tellEnvironment,mcp__hostile__failEnvironment',
        }),
      ],
    },
    { calls: [call('b', 'mcp__hostile__tellEnvironment', {})] },
    { calls: [call('c', 'mcp__hostile__failEnvironment', {})] },
    { text: 'done' },
  );
  expect(made.results().slice(1)).toMatchObject([
    { content: '[redacted: stored key]' },
    { content: expect.stringContaining('bad token [redacted: stored key]') },
  ]);
});

test('how a server failed is told without the secrets of its entry', async () => {
  const secret = 'plain-words-no-shape';
  const refusing = { ...hostile, env: { API_TOKEN: secret, REFUSE: 'yes' } };
  const made = await mcpLab({ mcpServers: { refusing } });
  expect((await made.until('refusing', 'failed')).detail).toContain('bad token [secret]');
});

test.each([
  [{ result: null }, 'error', 'its answer can’t be read'],
  [{ result: [] }, 'error', 'its answer can’t be read'],
  [{ result: { content: [{ type: 'text', text: 'fine' }] }, error: null, more: 1 }, 'success', 'fine'],
  [{ error: { message: 'no number' } }, 'error', 'no number'],
  [{ error: 'words alone' }, 'error', 'words alone'],
  [{}, 'error', 'its answer can’t be read'],
])('an answer of the form %j is no reason to wait', async (answer, status, words) => {
  const made = await lab();
  const result = await made.call('hostile', 'answer', { answer });
  expect([result.status, result.content]).toEqual([status, expect.stringContaining(words)]);
});

test.each(['notifications', 'errors'])(
  'a flood of %s is read no faster than it can be borne',
  async (what) => {
    const made = await lab();
    await made.call('hostile', 'flood', { what });
    // What the server got rid of: a pipe that nobody reads holds it back.
    await delay(1500);
    const { content } = await made.call('hostile', 'flooded');
    expect(Number(content)).toBeLessThan(4_000_000);
  },
);

test('answers that nobody waits for are a flood like others; one that is waited for passes', () => {
  const gate = messageGate({ log: () => undefined, clock: { monotonic: () => 0 } });
  const answer = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} });
  gate.sent({ jsonrpc: '2.0', id: 7, method: 'ping' });
  const passed = Array.from({ length: 2000 }, (_, at) => gate.passes(answer(at + 1000))).filter(Boolean);
  expect([passed.length, gate.passes(answer(7)), gate.passes(answer(7))]).toEqual([500, true, false]);
});
