import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { McpQuestion } from '#protocol/mcp';
import { type McpLab, mcpLab } from '#test/support/mcp/lab';
import { nodeServer, oddServer } from '#test/support/mcp/peers';
import { tempFolder } from '#test/support/temp-folder';
import { memoryStore } from '#test/unit/store/lab';

const file = (...modes: readonly string[]) => ({
  '.mcp.json': JSON.stringify({ mcpServers: { odd: nodeServer(oddServer('odd-server.ts'), ...modes) } }),
});

function asked(lab: McpLab): McpQuestion {
  const [question] = lab.servers.questions();
  if (!question) throw new Error('nothing was asked');
  return question;
}

test('a server of the project starts once the person accepted exactly what is written down', async () => {
  const lab = await mcpLab({ workspace: file() });
  expect(await lab.servers.answer(asked(lab), true)).toBe(true);
  await lab.until('odd', 'ready');
  expect(lab.servers.questions()).toEqual([]);
});

test('a no keeps it from starting, until the person wants to be asked again', async () => {
  const lab = await mcpLab({ workspace: file() });
  await lab.servers.answer(asked(lab), false);
  expect([lab.row('odd')?.state, lab.servers.questions()]).toEqual(['rejected', []]);
  await lab.servers.restart('odd');
  await lab.servers.answer(asked(lab), true);
  await lab.until('odd', 'ready');
});

test('advisory 22: a server that is swapped under its name stops, and asks again before it starts', async () => {
  const lab = await mcpLab({ workspace: file() });
  await lab.servers.answer(asked(lab), true);
  await lab.until('odd', 'ready');
  lab.folder.write(file('plain'));
  await lab.servers.refresh();
  expect(lab.row('odd')?.state).toBe('unasked');
  expect(asked(lab).before).toContain('odd-server.ts');
});

test('an answer to what has changed meanwhile counts for nothing', async () => {
  const lab = await mcpLab({ workspace: file() });
  const before = asked(lab);
  lab.folder.write(file('plain'));
  expect(await lab.servers.answer(before, true)).toBe(false);
  expect(lab.row('odd')?.state).toBe('unasked');
});

test('advisory 62: a tool whose description changes is out until the person accepts it, what is invisible in it revealed', async () => {
  const { acceptances } = memoryStore();
  const setting = (...modes: readonly string[]) => ({
    odd: nodeServer(oddServer('odd-server.ts'), ...modes),
  });
  const lab = await mcpLab({ mcpServers: setting(), mcp: { acceptances } });
  await lab.until('odd', 'ready');
  expect(lab.tool('mcp__odd__echo')).toBeDefined();
  lab.host.configure({ mcpServers: setting('poisoned') });
  await lab.servers.refresh();
  await lab.until('odd', 'ready');
  const row = lab.row('odd')?.tools.find(({ original }) => original === 'echo');
  expect([lab.tool('mcp__odd__echo'), row?.state]).toEqual([undefined, 'changed']);
  const question = asked(lab);
  expect(question).toMatchObject({ about: 'tools', after: expect.stringContaining('\\u{202e}') });
  await lab.servers.answer(question, true);
  expect(lab.tool('mcp__odd__echo')).toBeDefined();
});

test('a tool that a server lists wrongly costs itself alone', async () => {
  const lab = await mcpLab({ mcpServers: { odd: nodeServer(oddServer('odd-server.ts'), 'broken') } });
  const { tools } = await lab.until('odd', 'ready');
  const states = tools.map(({ state }) => state);
  expect([states.filter((state) => state === 'broken').length, states.includes('on')]).toEqual([3, true]);
});

test('a folder that isn’t trusted has its servers neither read nor started', async () => {
  const lab = await mcpLab({ workspace: file(), trusted: false });
  expect([lab.servers.servers(), lab.servers.questions()]).toEqual([[], []]);
});

test('advisory 46: a server gets no key and no token of Belay’s environment', async () => {
  const variables = {
    PATH: process.env['PATH'],
    AWS_SECRET_ACCESS_KEY: 'hidden-1',
    ANTHROPIC_API_KEY: 'hidden-2',
    GITHUB_TOKEN: 'hidden-3',
    NODE_OPTIONS: '--no-warnings',
  };
  const lab = await mcpLab({ mcpServers: { odd: nodeServer(oddServer('odd-server.ts')) }, variables });
  await lab.until('odd', 'ready');
  const { content } = await lab.call('odd', 'environment');
  expect(content).not.toMatch(/hidden-\d|NODE_OPTIONS/);
});

test('an answer counts for nothing where a pipe, a link that leads out or a folder has taken the file’s place', async () => {
  const lab = await mcpLab({ workspace: file() });
  const question = asked(lab);
  const outside = tempFolder(file());
  const path = lab.folder.at('.mcp.json');
  const swaps = [
    () => execFileSync('mkfifo', [path]),
    () => symlinkSync(outside.at('.mcp.json'), path),
    () => mkdirSync(path),
  ];
  for (const swap of swaps) {
    rmSync(path, { recursive: true });
    swap();
    expect(await lab.servers.answer(question, true)).toBe(false);
  }
  expect(lab.servers.servers()).toEqual([]);
});
