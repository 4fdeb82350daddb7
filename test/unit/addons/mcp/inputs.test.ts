import { expect, test } from 'vitest';
import { mcpLab } from '#test/support/mcp/lab';
import { nodeServer, oddServer } from '#test/support/mcp/peers';
import { memoryVault, person } from '#test/support/mcp/person';
import { memoryStore } from '#test/unit/store/lab';

const workspace = (extra = '') => ({
  '.vscode/mcp.json': JSON.stringify({
    inputs: [{ type: 'promptString', id: 'token', description: 'Your token', password: true }],
    servers: {
      odd: {
        ...nodeServer(oddServer('odd-server.ts')),
        env: { MY_TOKEN: '${input:token}', EXTRA: extra },
      },
    },
  }),
});

test('what a server needs is asked for once; it is kept for exactly that server', async () => {
  const kept = new Map<string, string>();
  const { acceptances } = memoryStore();
  const start = async (extra = '') => {
    const who = person({ value: () => 'secret-value-1' });
    const ports = { questions: who.questions, vault: memoryVault(kept) };
    const lab = await mcpLab({ workspace: workspace(extra), ports, mcp: { acceptances } });
    for (const question of lab.servers.questions()) await lab.servers.answer(question, true);
    await lab.until('odd', 'ready');
    return { lab, who };
  };
  const first = await start();
  expect(first.who.asked).toMatchObject([
    { from: 'the MCP server odd', description: 'Your token', secret: true },
  ]);
  expect((await first.lab.call('odd', 'environment')).content).toContain('"MY_TOKEN":"secret-value-1"');
  expect((await start()).who.asked).toEqual([]);
  expect((await start('changed')).who.asked.length).toBe(1);
});

test('without an answer the server doesn’t start, says which value is missing, and isn’t tried again', async () => {
  const who = person({ value: () => undefined });
  const lab = await mcpLab({ workspace: workspace(), ports: { questions: who.questions } });
  for (const question of lab.servers.questions()) await lab.servers.answer(question, true);
  const { detail } = await lab.until('odd', 'failed');
  expect(detail).toContain('${input:token}');
  expect(lab.pauses.filter((ms) => ms >= 1000)).toEqual([]);
});

test('a value that was typed for a server never shows in its log', async () => {
  const who = person({ value: () => 'secret-value-2' });
  const script = 'console.error("token is", process.env.MY_TOKEN); process.exit(1)';
  const lab = await mcpLab({
    mcpServers: {
      leaky: { command: process.execPath, args: ['-e', script], env: { MY_TOKEN: '${input:token}' } },
    },
    ports: { questions: who.questions },
  });
  await lab.until('leaky', 'failed');
  expect(lab.servers.log('leaky')).toContain('token is [secret]');
});

test('a server whose value nobody enters can be stopped', async () => {
  const questions = { ...person({}).questions, value: () => new Promise<undefined>(() => undefined) };
  const lab = await mcpLab({ workspace: workspace(), ports: { questions } });
  for (const question of lab.servers.questions()) await lab.servers.answer(question, true);
  await lab.servers.stop('odd');
  expect(lab.row('odd')?.state).toBe('stopped');
});
