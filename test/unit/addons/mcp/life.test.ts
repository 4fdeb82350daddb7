import { expect, test } from 'vitest';
import { mcpLab } from '#test/support/mcp/lab';
import { nodeServer, oddServer } from '#test/support/mcp/peers';
import { isAlive, pidIn } from '#test/support/mcp/pids';

const odd = (...modes: readonly string[]) => nodeServer(oddServer('odd-server.ts'), ...modes);

test('MC-03 a server that ends by itself is started again', async () => {
  const lab = await mcpLab({ mcpServers: { odd: odd() } });
  await lab.until('odd', 'ready');
  const first = pidIn(lab.servers.log('odd'));
  process.kill(first, 'SIGKILL');
  await expect.poll(() => pidIn(lab.servers.log('odd'))).not.toBe(first);
  await lab.until('odd', 'ready');
  expect(lab.servers.log('odd')).toContain('It was ended by SIGKILL.');
});

test('MC-03 a loop of crashes ends after five new starts, each later than the one before', async () => {
  const lab = await mcpLab({ mcpServers: { odd: odd('crash') } });
  const { detail } = await lab.until('odd', 'failed');
  const waits = lab.pauses.filter((ms) => ms >= 1000);
  expect({ waits, detail }).toEqual({
    waits: [1000, 2000, 4000, 8000, 16_000],
    detail: 'It ended with exit code 1. It failed 6 times in a row: mend it, then restart it.',
  });
});

test('a server that was given up is started by hand', async () => {
  const lab = await mcpLab({ mcpServers: { odd: odd('crash') } });
  await lab.until('odd', 'failed');
  const before = lab.servers.log('odd').split('Belay: started').length;
  await lab.servers.restart('odd');
  await lab.until('odd', 'failed');
  expect(lab.servers.log('odd').split('Belay: started').length).toBe(before + 6);
});

test('MC-03 of three servers that run none is left when all is closed', async () => {
  const lab = await mcpLab({ mcpServers: { one: odd(), two: odd('stubborn'), three: odd('flood') } });
  const names = ['one', 'two', 'three'];
  await Promise.all(names.map((name) => lab.until(name, 'ready')));
  const pids = names.map((name) => pidIn(lab.servers.log(name)));
  await lab.servers.close();
  expect(pids.map(isAlive)).toEqual([false, false, false]);
});

test('a server that is stopped while it starts leaves nothing', async () => {
  const lab = await mcpLab({ mcpServers: { odd: odd('silent') } });
  await expect.poll(() => lab.servers.log('odd')).toContain('(process');
  await lab.servers.stop('odd');
  expect([lab.row('odd')?.state, isAlive(pidIn(lab.servers.log('odd')))]).toEqual(['stopped', false]);
});

test('a flood of changes is asked about a few times, and the rest of it is dropped', async () => {
  const lab = await mcpLab({ mcpServers: { odd: odd('flood') }, mcp: { pause: undefined } });
  await lab.until('odd', 'ready');
  await expect.poll(() => lab.servers.log('odd')).toContain('messages that came too fast');
  const listings = lab.servers.log('odd').split('listed').length - 1;
  // At first, and then after growing pauses: thousands of changes have come by now.
  expect(listings).toBeLessThan(10);
});

test('a log keeps its last megabyte', async () => {
  const lab = await mcpLab({ mcpServers: { odd: odd('chatty') } });
  await lab.until('odd', 'ready');
  await expect.poll(() => lab.servers.log('odd')).toContain('line 19999 ');
  expect(lab.servers.log('odd').length).toBeLessThanOrEqual(1024 * 1024);
});

test("a server's environment is what a command gets with what its entry names", async () => {
  const lab = await mcpLab({
    mcpServers: { odd: { ...odd(), env: { OWN: 'yes', PAGER: 'less' } } },
    variables: { PATH: process.env['PATH'], AWS_SECRET_ACCESS_KEY: 'hidden', ANTHROPIC_API_KEY: 'hidden' },
  });
  await lab.until('odd', 'ready');
  const { content: answer } = await lab.call('odd', 'environment');
  expect(answer).toContain('"OWN":"yes"');
  expect(answer).not.toContain('hidden');
});
