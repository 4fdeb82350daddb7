import { expect, test } from 'vitest';
import { verdictOf } from '#test/unit/gates/bench';
import { gatesWithFiles, rules } from './lab';

const PROJECT = '.belay/settings.json';
const LOCAL = '.belay/settings.local.json';

/** One rule for `tool x` in each place; the places are named in the order of their strength. */
interface Places {
  readonly policy?: 'deny' | 'allow' | 'ask';
  readonly session?: 'deny' | 'allow';
  readonly user?: 'deny' | 'allow' | 'ask';
  readonly local?: 'deny' | 'allow' | 'ask';
  readonly project?: 'deny' | 'allow' | 'ask';
}

const one = (kind: string | undefined) => (kind ? { [kind]: ['Bash(tool x)'] } : {});

async function verdict({ policy, session, user, local, project }: Places, accepted = true) {
  const gates = await gatesWithFiles(
    { [LOCAL]: rules(one(local)), [PROJECT]: rules(one(project)) },
    { policy: rules(one(policy)), rules: one(user), accepted },
  );
  if (session) gates.context.sessionRules.add(session, 'Bash(tool x)');
  return verdictOf(gates.run('tool x'), gates);
}

test.each<[Places, 'allow' | 'ask' | 'deny']>([
  [{}, 'ask'],
  [{ project: 'allow' }, 'allow'],
  [{ local: 'ask', project: 'allow' }, 'ask'],
  [{ local: 'allow', project: 'ask' }, 'allow'],
  [{ user: 'ask', local: 'allow' }, 'ask'],
  [{ user: 'allow', project: 'ask' }, 'allow'],
  [{ session: 'allow', user: 'ask' }, 'allow'],
  [{ policy: 'ask', session: 'allow', user: 'allow' }, 'ask'],
  [{ policy: 'allow', user: 'ask', project: 'ask' }, 'allow'],
  // A deny of any source wins.
  [{ policy: 'allow', session: 'allow', user: 'allow', project: 'deny' }, 'deny'],
  [{ policy: 'allow', local: 'deny' }, 'deny'],
  [{ policy: 'deny', session: 'allow' }, 'deny'],
  [{ session: 'deny', policy: 'allow' }, 'deny'],
])('%j: %s', async (places, expected) => {
  expect(await verdict(places)).toBe(expected);
});

test('before it is accepted a project denies and asks, and allows nothing', async () => {
  expect([
    await verdict({ project: 'allow' }, false),
    await verdict({ project: 'deny' }, false),
    await verdict({ local: 'ask' }, false),
  ]).toEqual(['ask', 'deny', 'ask']);
});

test('what a policy asks is asked each time: no answer for the session is offered', async () => {
  const gates = await gatesWithFiles({}, { policy: rules({ ask: ['Bash(tool x)'] }) });
  await gates.run('tool x');
  expect(gates.asked[0]?.suggestedRule).toBeUndefined();
});

test('CVE-2025-53773 a project’s own allow never lifts what is protected or secret; the user’s and the policy’s do', async () => {
  const allow = rules({ allow: ['Edit(.vscode/**)', 'Read(.env)'] });
  const calls = [
    ['write_file', { path: '.vscode/tasks.json', content: '{}' }],
    ['read_file', { path: '.env' }],
  ] as const;
  const verdicts = async (gates: Awaited<ReturnType<typeof gatesWithFiles>>) => {
    const found: string[] = [];
    for (const [tool, input] of calls) found.push(await verdictOf(gates.walk(tool, input), gates));
    return found;
  };
  const files = { '.env': 'KEY=1' };
  expect([
    await verdicts(await gatesWithFiles({ ...files, [PROJECT]: allow })),
    await verdicts(await gatesWithFiles(files, { policy: allow })),
    await verdicts(await gatesWithFiles(files, { rules: JSON.parse(allow).permissions })),
  ]).toEqual([
    ['ask', 'ask'],
    ['allow', 'allow'],
    ['allow', 'allow'],
  ]);
});

test('the trace names the file and the line of the rule', async () => {
  const gates = await gatesWithFiles({ [PROJECT]: rules({ allow: ['Bash(other)', 'Bash(tool x)'] }) });
  const { trace } = await gates.run('tool x');
  expect(trace.find(({ stage }) => stage === 'permission')?.why).toBe(
    'allowed by the rule Bash(tool x) (.belay/settings.json:5)',
  );
});

test('a deny that comes while the question is open counts', async () => {
  const gates = await gatesWithFiles({}, { answers: ['allow-once'] });
  const { ask } = gates.context;
  const context = {
    ...gates.context,
    ask: (request: Parameters<typeof ask>[0]) => {
      gates.folder.write({ [LOCAL]: rules({ deny: ['Bash(tool:*)'] }) });
      return ask(request);
    },
  };
  const { walk } = await import('#gates/pipeline');
  const { callOf } = await import('#test/unit/gates/bench');
  const call = callOf('run_command', JSON.stringify({ command: 'tool x' }), 'c');
  const outcome = await walk(call, { ...context, batch: [call] });
  expect([outcome.kind, outcome.trace.at(-1)?.why]).toEqual([
    'stopped',
    'denied by the rule Bash(tool:*) (.belay/settings.local.json:4)',
  ]);
});

test('a tool that the policy forbids is stopped at its origin, whatever allows it', async () => {
  for (const tools of [['run_command'], ['Bash'], ['@process.execute'], ['risk:execute'], ['run_*']]) {
    const policy = JSON.stringify({ forbid: { tools }, permissions: { allow: ['Bash'] } });
    const gates = await gatesWithFiles({}, { policy, mode: 'danger-full-access' });
    const outcome = await gates.run('tool x');
    expect([outcome.kind, outcome.trace.at(-1)]).toMatchObject([
      'stopped',
      { stage: 'origin', verdict: 'stop', why: `the policy forbids it (tools: ${tools[0]})` },
    ]);
  }
});

test('a tool of a forbidden MCP server is stopped, one of another server is not', async () => {
  const { runCommand } = await import('#test/unit/gates/bench');
  const tool = (server: string) => ({
    ...runCommand,
    name: `mcp__${server}__x`,
    origin: { kind: 'mcp' as const, server, tool: 'x' },
  });
  const policy = JSON.stringify({ forbid: { mcpServers: ['github'] } });
  const gates = await gatesWithFiles({}, { policy, mode: 'allow', tools: [tool('github'), tool('files')] });
  const stages = await Promise.all(
    ['github', 'files'].map(
      async (server) => (await gates.walk(`mcp__${server}__x`, { command: 'a' })).trace.at(-1)?.stage,
    ),
  );
  expect(stages[0]).toBe('origin');
  expect(stages[1]).not.toBe('origin');
});
