import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Stage } from '#gates/context';
import { STAGES, walk } from '#gates/pipeline';
import { todoList } from '#tools/session/todo-list';
import type { ToolDefinition } from '#tools/tool';
import { viewOf } from '#tools/toolbox';
import { bench, callOf } from './bench';

const NAMES = [
  'find-tool',
  'origin',
  'parse',
  'schema',
  'validate',
  'classify',
  'hooks',
  'permission',
  'confine',
];

test('a call that passes has one line of trace for each gate, in the order of the list', async () => {
  const { walk } = bench({ files: { 'a.txt': 'a' } });
  const outcome = await walk('read_file', { path: 'a.txt' });
  expect([outcome.kind, outcome.trace.map((line) => `${line.stage} ${line.verdict}`)]).toEqual([
    'passed',
    NAMES.map((name) => `${name} pass`),
  ]);
});

test.each(NAMES)('taking %s out of the list takes its line out of the trace', async (gone) => {
  const { context } = bench({ files: { 'a.txt': 'a' } });
  const call = callOf('read_file', '{"path":"a.txt"}', '1');
  const stages = STAGES.filter((stage) => stage.name !== gone);
  const outcome = await walk(call, { ...context, batch: [call] }, stages);
  expect(outcome.trace.map((line) => line.stage)).not.toContain(gone);
  expect(outcome.trace.length).toBeGreaterThan(0);
});

test('without the permission gate nothing passes', async () => {
  const { context } = bench({ files: { 'a.txt': 'a' } });
  const call = callOf('read_file', '{"path":"a.txt"}', '1');
  const stages = STAGES.filter((stage) => !['permission', 'confine'].includes(stage.name));
  const outcome = await walk(call, { ...context, batch: [call] }, stages);
  expect(outcome).toMatchObject({ kind: 'stopped', result: { status: 'denied' } });
});

test('the milliseconds and the reason come from the stage that ran', async () => {
  const { context, host } = bench();
  const slow: Stage = {
    name: 'slow',
    async judge() {
      host.advance(42);
      return { kind: 'stop', why: 'because', result: { version: 1, status: 'denied', content: 'no' } };
    },
  };
  const outcome = await walk(callOf('read_file', '{}', '1'), context, [slow]);
  expect(outcome.trace).toEqual([{ stage: 'slow', verdict: 'stop', why: 'because', ms: 42 }]);
});

test('a gate that fails refuses the call and logs why', async () => {
  const broken: Stage = {
    name: 'broken',
    judge: async () => {
      throw new Error('a bug');
    },
  };
  const { context, host } = bench();
  const outcome = await walk(callOf('read_file', '{}', '1'), context, [broken, ...STAGES]);
  expect(outcome).toMatchObject({
    kind: 'stopped',
    endsTurn: false,
    result: { status: 'denied', code: 'permission_denied', retryable: false },
    trace: [{ stage: 'broken', verdict: 'stop', why: 'this gate failed: a bug' }],
  });
  expect(host.logged.join()).toContain('gate broken failed on read_file');
});

test.each(NAMES)('a stop while %s judges ends the call as cancelled, not run', async (name) => {
  const { context, stop } = bench({ files: { 'a.txt': 'a' } });
  const stages = STAGES.map((stage): Stage => {
    if (stage.name !== name) return stage;
    return {
      name,
      judge: () => {
        stop.abort(new Error('stopped'));
        return new Promise<never>(() => undefined);
      },
    };
  });
  const call = callOf('read_file', '{"path":"a.txt"}', '1');
  const outcome = await walk(call, { ...context, batch: [call] }, stages);
  expect(outcome).toMatchObject({
    kind: 'stopped',
    result: {
      status: 'cancelled',
      code: 'cancelled',
      content: 'read_file: cancelled by the user before it started; it did not run.',
    },
  });
  expect(outcome.trace.at(-1)).toMatchObject({ stage: name, verdict: 'stop', why: 'cancelled' });
});

test('a stop while a person is asked withdraws the question', async () => {
  const { context, stop } = bench();
  const call = callOf('run_command', '{"command":"npm test"}', '1');
  const walked = walk(call, {
    ...context,
    batch: [call],
    ask: () => {
      stop.abort(new Error('stopped'));
      return Promise.reject(new Error('stopped'));
    },
  });
  expect(await walked).toMatchObject({ kind: 'stopped', endsTurn: false, result: { code: 'cancelled' } });
});

test('a name that is not in the table is an unknown tool and lists what there is', async () => {
  const outcome = await bench().walk('read\u202efile', {});
  expect(outcome).toMatchObject({
    result: { status: 'error', code: 'unknown_tool', retryable: false },
    summary: 'read\\u{202e}file',
  });
  expect(outcome.kind === 'stopped' && outcome.result.content).toMatch(
    /^read\\u\{202e\}file: there is no tool of this name\. The tools are: read_file, edit_file, /,
  );
});

test('a deferred tool that is not active is refused and says how to activate it', async () => {
  const lazy: ToolDefinition = { ...tool('lazy'), deferred: true };
  const outcome = await bench({ tools: [lazy] }).walk('lazy', {});
  expect(outcome).toMatchObject({ result: { status: 'error', code: 'inactive_tool', retryable: true } });
  expect(outcome.kind === 'stopped' && outcome.result.content).toContain('select:lazy');
});

test('a tool that this request did not show is refused, whatever the table holds', async () => {
  const { context } = bench({ files: { 'a.txt': 'a' } });
  const view = viewOf(context.table, { mode: 'allow', simple: true, artifacts: false });
  const call = callOf('write_file', '{"path":"n.txt","content":""}', '1');
  const outcome = await walk(call, { ...context, batch: [call], view });
  expect(outcome).toMatchObject({
    result: { status: 'denied', code: 'permission_denied' },
    trace: [{}, { stage: 'origin' }],
  });
});

test('arguments that are not JSON are told so, and may be sent again', async () => {
  const { context } = bench();
  const call = callOf('read_file', '{not json', '1');
  const outcome = await walk(call, { ...context, batch: [call] });
  expect(outcome).toMatchObject({ result: { status: 'error', code: 'invalid_json', retryable: true } });
  expect(outcome.kind === 'stopped' && outcome.result.content).toMatch(
    /^read_file: the arguments are not JSON \(/,
  );
});

test('a call cut by the output limit is never run in part, even when what came is JSON', async () => {
  const { context } = bench({ files: { 'a.txt': 'a' } });
  const call = callOf('read_file', '{"path":"a.txt"}', '1', { cut: true });
  const outcome = await walk(call, { ...context, batch: [call] });
  expect(outcome).toMatchObject({ result: { code: 'invalid_json' } });
  expect(outcome.kind === 'stopped' && outcome.result.content).toContain('smaller parts');
});

test('no arguments at all are an empty object', async () => {
  const { context } = bench({ tools: [tool('plain')] });
  const call = callOf('plain', ' ', '1');
  expect((await walk(call, { ...context, batch: [call] })).kind).toBe('passed');
});

test('arguments nested a hundred thousand deep break nothing', async () => {
  const { context } = bench();
  const call = callOf('read_file', `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, '1');
  const outcome = await walk(call, { ...context, batch: [call] });
  expect(outcome).toMatchObject({ kind: 'stopped', result: { status: 'error' } });
});

test('arguments that do not fit name the field and the rule', async () => {
  const outcome = await bench().walk('read_file', { path: 7, lines: true });
  expect(outcome).toMatchObject({ result: { status: 'error', code: 'invalid_arguments', retryable: true } });
  const content = outcome.kind === 'stopped' ? outcome.result.content : '';
  expect(content).toMatch(/^read_file: the arguments don't fit: .*path: .*string.*lines/);
});

test('a plain object schema refuses unknown keys too', async () => {
  const loose: ToolDefinition = { ...tool('loose'), inputSchema: z.object({ a: z.string().optional() }) };
  const outcome = await bench({ tools: [loose] }).walk('loose', { b: 1 });
  expect(outcome).toMatchObject({ result: { code: 'invalid_arguments' } });
});

test('what is well-formed but not acceptable is rejected with another code', async () => {
  const outcome = await bench().walk('read_file', { path: '../secret' });
  expect(outcome).toMatchObject({
    result: { status: 'error', code: 'rejected_arguments', retryable: true },
    trace: [{}, {}, {}, {}, { stage: 'validate', verdict: 'stop' }],
  });
});

test('a forbidden command is stopped in every mode, whatever the rules allow', async () => {
  for (const mode of ['workspace-write', 'allow', 'danger-full-access'] as const) {
    const gates = bench({ mode, rules: { allow: ['run_command'] }, answers: ['allow-once'] });
    const outcome = await gates.run('timeout 5 sudo rm -rf /');
    expect(outcome).toMatchObject({ result: { status: 'denied', code: 'forbidden', retryable: false } });
    expect(gates.asked).toEqual([]);
  }
});

test('the same call id twice in a batch runs once', async () => {
  const { context } = bench({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const first = callOf('read_file', '{"path":"a.txt"}', '1', { providerId: 'same' });
  const second = callOf('read_file', '{"path":"b.txt"}', '2', { providerId: 'same' });
  const batch = [first, second];
  const outcomes = [await walk(first, { ...context, batch }), await walk(second, { ...context, batch })];
  expect(outcomes).toMatchObject([
    { kind: 'passed' },
    { kind: 'stopped', result: { status: 'error', code: 'duplicate_call', retryable: false } },
  ]);
});

test.each(['', ' ', 'null', '"null"', '""', '{}'])(
  'LP-06 a tool without arguments runs when it is called with %j',
  async (raw) => {
    const { context } = bench({ tools: [todoList] });
    const call = callOf('todo_list', raw, '1');
    expect(await walk(call, { ...context, batch: [call] })).toMatchObject({ kind: 'passed', input: {} });
  },
);

test.each(['', '[]', '{"path":"a.txt"'])(
  'LP-06 arguments of %j are an error where some are needed',
  async (raw) => {
    const { context } = bench({ files: { 'a.txt': 'a' } });
    const call = callOf('read_file', raw, '1');
    expect(await walk(call, { ...context, batch: [call] })).toMatchObject({
      kind: 'stopped',
      result: {
        status: 'error',
        code: raw.startsWith('{') ? 'invalid_json' : 'invalid_arguments',
        retryable: true,
      },
    });
  },
);

test('the same tool with the same arguments in another order of keys is a repetition', async () => {
  const { context } = bench({ files: { 'a.txt': 'a' } });
  const first = callOf('read_file', '{"path":"a.txt","limit":1}', '1');
  const second = callOf('read_file', '{ "limit": 1, "path": "a.txt" }', '2');
  const other = callOf('read_file', '{"path":"a.txt","limit":2}', '3');
  const batch = [first, second, other];
  const kinds = [];
  for (const call of batch) kinds.push((await walk(call, { ...context, batch })).kind);
  expect(kinds).toEqual(['passed', 'stopped', 'passed']);
});

test('calls without provider ids are not repetitions of each other', async () => {
  const { context } = bench({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const batch = ['a.txt', 'b.txt'].map((path, index) =>
    callOf('read_file', JSON.stringify({ path }), String(index), { providerId: '' }),
  );
  const kinds = [];
  for (const call of batch) kinds.push((await walk(call, { ...context, batch })).kind);
  expect(kinds).toEqual(['passed', 'passed']);
});

function tool(name: string): ToolDefinition {
  return {
    name,
    description: 'Does nothing.',
    risk: 'read',
    capabilities: ['session.read'],
    concurrencySafe: true,
    inputSchema: z.strictObject({}),
    origin: { kind: 'built-in' },
    touches: async () => [],
    summarize: () => name,
    execute: async () => 'done',
  };
}
