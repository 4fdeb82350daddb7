import { beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually';
import { nodeServer, oddServer, officialServer } from '#test/support/mcp/peers';
import { isAlive } from '#test/support/mcp/pids';
import { buildOnce, runScenario } from './support/run-scenario';

beforeAll(buildOnce, 120_000);

test("a scenario's own server is called through all gates; a project's that nobody accepted starts nothing", async () => {
  const project = { mcpServers: { project: { command: 'touch', args: ['started'] } } };
  const report = await runScenario({
    workspace: { '.mcp.json': JSON.stringify(project) },
    settings: { mcpServers: { everything: nodeServer(officialServer('everything')) } },
    steps: [
      {
        prompt: 'add',
        model: [
          { calls: [{ id: 'a', name: 'search_tools', input: { query: 'select:mcp__everything__get-sum' } }] },
          { calls: [{ id: 'b', name: 'mcp__everything__get-sum', input: { a: 2, b: 40 } }] },
          { text: 'done' },
        ],
        answers: ['allow-once'],
      },
    ],
  });
  const [step] = report.steps;
  expect([
    step?.results.at(-1)?.content,
    step?.asked.map(({ tool }) => tool),
    Object.keys(report.files),
  ]).toEqual(['The sum of 2 and 40 is 42.', ['mcp__everything__get-sum'], ['.mcp.json']]);
});

test('MC-03 no server outlives a core that was killed; the next one starts it anew', async () => {
  const ask = (id: string) => ({
    prompt: 'who',
    model: [
      { calls: [{ id: `s${id}`, name: 'search_tools', input: { query: 'select:mcp__odd__pid' } }] },
      { calls: [{ id, name: 'mcp__odd__pid', input: {} }] },
      { text: 'done' },
    ],
    answers: ['allow-once'],
  });
  const report = await runScenario({
    settings: { mcpServers: { odd: nodeServer(oddServer('odd-server.ts'), 'stubborn') } },
    steps: [ask('a'), { restart: 'kill' }, ask('b')],
  });
  const pids = report.steps.flatMap(({ results }) =>
    results.filter(({ name }) => name === 'mcp__odd__pid').map(({ content }) => Number(content)),
  );
  expect(new Set(pids).size).toBe(2);
  await eventually(() => expect(pids.map(isAlive)).toEqual([false, false]));
});
