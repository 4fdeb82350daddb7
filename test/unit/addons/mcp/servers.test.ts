import { expect, test } from 'vitest';
import { type McpLabOptions, mcpLab } from '#test/support/mcp/lab';
import { nodeServer, officialServer } from '#test/support/mcp/peers';
import { isAlive, pidIn } from '#test/support/mcp/pids';

const everything = nodeServer(officialServer('everything'));

test("a server of the person's own starts by itself, and ends when all is closed", async () => {
  const lab = await mcpLab({ mcpServers: { everything } });
  await lab.until('everything', 'ready');
  const pid = pidIn(lab.servers.log('everything'));
  expect(isAlive(pid)).toBe(true);
  await lab.servers.close();
  expect(isAlive(pid)).toBe(false);
});

test.each<[string, McpLabOptions]>([
  ['untrusted', { trusted: false }],
  ['off', { settings: { mcpDisabled: ['everything'] } }],
  ['forbidden', { mcp: { isForbidden: () => true } }],
])('a server that is %s is listed, and nothing of it starts', async (state, options) => {
  const lab = await mcpLab({ mcpServers: { everything }, ...options });
  expect(lab.row('everything')?.state).toBe(state);
  expect(lab.servers.log('everything')).toBe('');
});

test("advisory 4: a project's server starts nothing before the person accepted it", async () => {
  const workspace = { '.mcp.json': JSON.stringify({ mcpServers: { everything } }) };
  const lab = await mcpLab({ workspace });
  expect(lab.row('everything')?.state).toBe('unasked');
  expect(lab.servers.log('everything')).toBe('');
});

test('what changes in the settings is stopped and started; what does not change goes on', async () => {
  const lab = await mcpLab({ mcpServers: { one: everything, two: everything } });
  await Promise.all(['one', 'two'].map((name) => lab.until(name, 'ready')));
  const pids = ['one', 'two'].map((name) => pidIn(lab.servers.log(name)));
  lab.host.configure({ mcpServers: { two: everything, one: { ...everything, env: { A: '1' } } } });
  await lab.servers.refresh();
  await lab.until('one', 'ready');
  const [one, two] = ['one', 'two'].map((name) => pidIn(lab.servers.log(name)));
  expect([one === pids[0], two === pids[1], isAlive(pids[0])]).toEqual([false, true, false]);
});

test('MC-02 a program that is not found says where it was looked for and what to do', async () => {
  const lab = await mcpLab({
    mcpServers: { absent: { command: 'no-such-program' } },
    variables: { PATH: '/nowhere' },
  });
  expect((await lab.until('absent', 'failed')).detail).toContain(
    '"no-such-program" was not found. Install it, or write its whole path (in a terminal: which no-such-program). Searched: PATH=/nowhere',
  );
});

test('a server that the person stopped stays so until they start it', async () => {
  const lab = await mcpLab({ mcpServers: { everything } });
  await lab.until('everything', 'ready');
  await lab.servers.stop('everything');
  await lab.servers.refresh();
  expect(lab.row('everything')?.state).toBe('stopped');
  await lab.servers.restart('everything');
  await lab.until('everything', 'ready');
});
