import { expect, test } from 'vitest';
import type { ModelRequest } from '#models/model';
import { toPrompt } from '#models/prompt';
import type { ModelItem } from '#protocol/scenario';
import { call, coreLab, openApp } from '#test/support/core-lab';

const results = ({ messages }: ModelRequest) =>
  messages.flatMap((message) => (message.kind === 'result' ? [message.result] : []));
const stepsOf = (types: readonly string[]) => types.filter((type) => type === 'model.requested').length;

/** A command that says something, says nothing for long, and would then say more. */
const SLOW = 'echo a; sleep 30; echo b';

test('LP-01 calls that a stop overtook have one result each, also after a reload', async () => {
  const lab = await coreLab({ answers: ['allow-once', 'allow-once', 'allow-once'] });
  lab.session.onEvent((event) => {
    if (event.type === 'live.output') lab.session.stop();
  });
  const commands = ['1', '2', '3'].map((id) =>
    call(id, 'run_command', { command: `${SLOW} ${id}`, description: 'waits' }),
  );
  expect(await lab.turn('Go.', { calls: commands })).toBe('cancelled');
  await lab.turn('And now?', { text: 'Now.' });
  const [first, second, third] = results(lab.requests.at(-1) as ModelRequest);
  expect([first, second, third].map((result) => result?.status)).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
  ]);
  expect(second?.content).toContain('did not run');
  const prompt = toPrompt('', lab.requests.at(-1)?.messages ?? [], {
    metadataKey: 'x',
    plainReasoning: false,
  });
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);

  await lab.app.close();
  const again = await openApp(lab.host, lab.folder, lab.model, { assumeSandbox: true });
  lab.model.play([{ text: 'Later.' }]);
  await again.session(lab.session.id)?.send('Later?');
  expect(results(lab.requests.at(-1) as ModelRequest)).toHaveLength(3);
});

test('LP-02 a command killed half-way is said to have run in part, with what it had said', async () => {
  const lab = await coreLab({ answers: ['allow-once'] });
  lab.session.onEvent((event) => {
    if (event.type === 'live.output') lab.session.stop();
  });
  await lab.turn('Go.', { calls: [call('1', 'run_command', { command: SLOW, description: 'waits' })] });
  const [result] = lab.results();
  expect(result).toMatchObject({ status: 'cancelled', code: 'cancelled' });
  expect(result?.content).toMatch(/stopped|cancelled|interrupted/);
  expect(result?.content).toMatch(/\ba\b/);
  expect(result?.content).not.toMatch(/denied|reject|not executed|did not run/);
});

test.each(['', 'null', '"null"', '{}', ' '])(
  'LP-06 the loop goes on after a call with arguments %j, and its history is valid JSON',
  async (rawInput) => {
    const lab = await coreLab({ workspace: { 'a.txt': 'one' } });
    const raw = (id: string, name: string): ModelItem => ({ calls: [{ id, name, rawInput }] });
    expect(await lab.turn('Go.', raw('1', 'read_file'), { text: 'Done.' })).toBe('done');
    expect(lab.results()).toMatchObject([{ status: 'error', code: 'invalid_arguments' }]);
    const prompt = toPrompt('', lab.requests.at(-1)?.messages ?? [], {
      metadataKey: 'x',
      plainReasoning: false,
    });
    expect(prompt[1]?.content).toMatchObject([{ type: 'tool-call', input: {} }]);
  },
);

test('LP-07 a call cut by the output limit never runs, and after two repeats the turn stops and says why', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': 'one' } });
  const cut = (n: number): ModelItem => ({
    calls: [{ id: `c${n}`, name: 'write_file', rawInput: `{"path":"big.txt","content":"${'x'.repeat(n)}` }],
    cut: true,
  });
  expect(await lab.turn('Write it.', cut(1), cut(2), cut(3), { text: 'never' })).toBe('limit');
  expect(stepsOf(lab.types())).toBe(3);
  expect(lab.results().map(({ code }) => code)).toEqual(['invalid_json', 'invalid_json', 'invalid_json']);
  expect(lab.results()[0]?.content).toMatch(/smaller/);
  expect(lab.types()).not.toContain('tool.started');
  expect(lab.session.transcript().turns.at(-1)?.problem).toMatchObject({
    kind: 'limit',
    title: 'The model’s calls don’t arrive whole',
  });
});

test('LP-07 arguments that are valid JSON don’t run either when the limit fell into them', async () => {
  const lab = await coreLab();
  const item: ModelItem = { calls: [call('1', 'write_file', { path: 'a.txt', content: '' })], cut: true };
  expect(await lab.turn('Write it.', item, { text: 'I will write less.' })).toBe('done');
  expect(lab.results()).toMatchObject([{ code: 'invalid_json' }]);
  expect(lab.types()).not.toContain('tool.started');
});

test('LP-07 a provider that lies about the end of half a call can’t make it run', async () => {
  const lab = await coreLab();
  const lying: ModelItem = { calls: [{ id: '1', name: 'write_file', rawInput: '{"path":"a.txt","conte' }] };
  expect(await lab.turn('Write it.', lying, { text: 'Again.' })).toBe('done');
  expect(lab.results()).toMatchObject([{ code: 'invalid_json' }]);
});

test('LP-10 a try that failed runs no call twice', async () => {
  const lab = await coreLab();
  const make = { calls: [call('1', 'write_file', { path: 'a.txt', content: 'one\n' })] };
  const busy: ModelItem = { error: { status: 529, retryAfter: 0 } };
  expect(await lab.turn('Go.', busy, make, busy, { text: 'Done.' })).toBe('done');
  expect(lab.types().filter((type) => type === 'tool.started')).toHaveLength(1);
  expect(lab.types().filter((type) => type === 'model.retrying')).toHaveLength(2);
});

test('LP-10 a stop while waiting for the provider ends the turn at once', async () => {
  const lab = await coreLab();
  lab.session.onEvent((event) => {
    if (event.type === 'model.retrying') lab.session.stop();
  });
  expect(await lab.turn('Go.', { error: { status: 529, retryAfter: 50 } })).toBe('cancelled');
});

test('LP-12 the same read over and over is told to the model and then stopped', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': 'one' } });
  const again = Array.from(
    { length: 50 },
    (_, n): ModelItem => ({ calls: [call(`${n}`, 'read_file', { path: 'a.txt' })] }),
  );
  expect(await lab.turn('Go.', ...again)).toBe('limit');
  expect(stepsOf(lab.types())).toBe(5);
});
