import { expect, test } from 'vitest';
import { z } from 'zod';
import { Emitter } from '#base/emitter';
import { diskFiles } from '#disk/files';
import type { Files } from '#host';
import { call, coreLab } from '#test/support/core-lab';
import { type ToolDefinition, ToolFailure } from '#tools/tool';

/** Each read of the named files ends only when the read of all the others has begun. */
function meeting(...names: readonly string[]): Files {
  const disk = diskFiles();
  const begun = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  return {
    ...disk,
    async read(path, options) {
      const own = begun.get(path.slice(path.lastIndexOf('/') + 1));
      own?.resolve();
      if (own) await Promise.all([...begun.values()].map(({ promise }) => promise));
      return disk.read(path, options);
    },
  };
}

test('two reads of one batch overlap, and their results come in call order', async () => {
  const lab = await coreLab({
    workspace: { 'a.txt': 'A\n', 'b.txt': 'B\n' },
    files: meeting('a.txt', 'b.txt'),
  });
  const calls = [call('c1', 'read_file', { path: 'a.txt' }), call('c2', 'read_file', { path: 'b.txt' })];
  const status = await lab.turn('read', { calls }, { text: 'done' });
  expect([status, lab.results().map(({ content }) => content.trim())]).toEqual(['done', ['1→A', '1→B']]);
});

test('every read passes all gates before the first one starts', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': 'A\n', 'b.txt': 'B\n' } });
  const calls = [call('c1', 'read_file', { path: 'a.txt' }), call('c2', 'read_file', { path: 'b.txt' })];
  await lab.turn('read', { calls }, { text: 'done' });
  expect(lab.types().filter((type) => type.startsWith('tool.'))).toEqual([
    ...['tool.requested', 'tool.requested', 'tool.gated', 'tool.gated', 'tool.started', 'tool.started'],
    ...['tool.completed', 'tool.completed'],
  ]);
});

test.each([
  ['a write', call('c2', 'write_file', { path: 'c.txt', content: 'c' })],
  ['a call that fits no schema', call('c2', 'read_file', { path: 7 })],
  ['a duplicate', call('c2', 'read_file', { path: 'a.txt' })],
])('with %s among them calls run one after another', async (_what, second) => {
  const lab = await coreLab({ workspace: { 'a.txt': 'A\n', 'b.txt': 'B\n' } });
  const calls = [
    call('c1', 'read_file', { path: 'a.txt' }),
    second,
    call('c3', 'read_file', { path: 'b.txt' }),
  ];
  await lab.turn('read', { calls }, { text: 'done' });
  const ends = lab.types().filter((type) => type === 'tool.started' || type === 'tool.completed');
  const overlapped = ends.some(
    (type, index) => type === 'tool.started' && ends[index + 1] === 'tool.started',
  );
  expect(overlapped).toBe(false);
});

function tool(name: string, more: Partial<ToolDefinition>): ToolDefinition {
  return {
    name,
    description: 'for a test',
    risk: 'read',
    capabilities: ['session.read'],
    concurrencySafe: false,
    inputSchema: z.strictObject({}),
    touches: async () => [],
    summarize: () => name,
    execute: async () => 'done',
    origin: { kind: 'extension', id: 'test.ext' },
    ...more,
  };
}

const contribution = (...tools: readonly ToolDefinition[]) => ({
  name: 'test.ext',
  tools: () => tools,
  onDidChange: new Emitter<void>().event,
  dispose: () => undefined,
});

test('a tool that throws fails in words without a stack; a ToolFailure speaks for itself', async () => {
  const bug = tool('bug', { execute: () => Promise.reject(new TypeError('x is not a function')) });
  const thrown = tool('thrown', {
    execute: () => {
      throw new Error('at once');
    },
  });
  const failing = tool('failing', {
    execute: () =>
      Promise.reject(new ToolFailure('failing: the file is busy; try later', { retryable: true })),
  });
  const lab = await coreLab({ core: { contributions: [contribution(bug, thrown, failing)] } });
  await lab.turn(
    'x',
    { calls: [bug, thrown, failing].map(({ name }, i) => call(`c${i}`, name, {})) },
    { text: 'ok' },
  );
  expect(lab.results()).toEqual([
    {
      version: 1,
      status: 'error',
      code: 'tool_failed',
      retryable: false,
      content: 'bug: failed: x is not a function',
    },
    {
      version: 1,
      status: 'error',
      code: 'tool_failed',
      retryable: false,
      content: 'thrown: failed: at once',
    },
    {
      version: 1,
      status: 'error',
      code: 'tool_failed',
      retryable: true,
      content: 'failing: the file is busy; try later',
    },
  ]);
});

test('a tool of unknown capabilities counts as one that executes, and asks', async () => {
  const odd = tool('odd', { capabilities: undefined as never });
  const lab = await coreLab({ core: { contributions: [contribution(odd)] }, answers: ['allow-once'] });
  await lab.turn('x', { calls: [call('c1', 'odd', {})] }, { text: 'ok' });
  const started = lab.session.events().find((event) => event.type === 'tool.started');
  expect([lab.host.asked.length, started]).toMatchObject([1, { risk: 'execute', sideEffect: true }]);
});

test('a content over 50 KB goes whole into an artifact', async () => {
  const long = 'line of text\n'.repeat(10_000);
  const talker = tool('talker', { execute: async () => long });
  const lab = await coreLab({ core: { contributions: [contribution(talker)] } });
  await lab.turn('x', { calls: [call('c1', 'talker', {})] }, { text: 'ok' });
  const [result] = lab.results();
  const kept = await lab.app.artifact(lab.session.id, result?.artifact?.id ?? '');
  expect([kept === long, result?.artifact?.bytes, (result?.content.length ?? 0) < 50_000]).toEqual([
    true,
    long.length,
    true,
  ]);
});

test('an outside tool’s object is JSON to the model and a display of its fields to people, with no secret in either', async () => {
  const rows = { rows: [{ name: 'deploy', token: 'stored-Value-1234' }] };
  const lister = tool('lister', { execute: async () => rows as never });
  const lab = await coreLab({ core: { contributions: [contribution(lister)] } });
  lab.host.keys.set('provider', 'stored-Value-1234');
  await lab.turn('x', { calls: [call('c1', 'lister', {})] }, { text: 'ok' });
  const completed = lab.session.events().find(({ type }) => type === 'tool.completed');
  const safe = JSON.stringify({ rows: [{ name: 'deploy', token: '[redacted: stored key]' }] }, null, 2);
  expect([lab.results()[0], completed]).toMatchObject([
    { status: 'success', content: safe },
    { display: { kind: 'json', title: '', body: safe } },
  ]);
});

test('stopping gives every open call its result, in order, and does not wait for a tool that does not listen', async () => {
  const started = Promise.withResolvers<void>();
  const deaf = tool('deaf', {
    execute: (_input, { signal }) => {
      started.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  const lab = await coreLab({ core: { contributions: [contribution(deaf)] } });
  lab.model.play([{ calls: [call('c1', 'deaf', {}), call('c2', 'todo_list', {})] }]);
  const end = lab.session.send('x');
  await started.promise;
  lab.session.stop();
  expect([await end, lab.results().map(({ status, content }) => [status, content])]).toEqual([
    'cancelled',
    [
      ['cancelled', 'deaf: cancelled by the user while it ran.'],
      ['cancelled', 'todo_list: cancelled by the user before it started; it did not run.'],
    ],
  ]);
});

test('an allow with words hands them to the model with the result', async () => {
  const lab = await coreLab({ answers: [{ answer: 'allow-once', feedback: 'but be quick' }] });
  await lab.turn(
    'x',
    { calls: [call('c1', 'run_command', { command: 'sh -c true', description: 'd' })] },
    { text: 'ok' },
  );
  expect(lab.results()[0]?.content).toContain('The user allowed this call and said: but be quick');
});

test('a new list of tools is told before the request that shows it', async () => {
  const changed = new Emitter<void>();
  let tools: readonly ToolDefinition[] = [];
  const late = { name: 'late', tools: () => tools, onDidChange: changed.event, dispose: () => undefined };
  const lab = await coreLab({ core: { contributions: [late] } });
  await lab.turn('one', { text: 'ok' });
  tools = [tool('extra', {}), tool('read_file', {})];
  changed.emit();
  await lab.turn('two', { text: 'ok' });
  const events = lab.session
    .events()
    .filter(({ type }) => type === 'tools.changed' || type === 'model.requested');
  expect([
    events.map(({ type }) => type),
    lab.requests.map(({ tools: shown }) => shown.filter(({ name }) => name === 'extra').length),
    lab.requests[1]?.tools.filter(({ name }) => name === 'read_file').length,
    lab.host.logged.some((line) => line.includes('read_file of the extension test.ext is left out')),
  ]).toEqual([['model.requested', 'tools.changed', 'model.requested'], [0, 1], 1, true]);
});
