import { expect, test } from 'vitest';
import { parseInstructions } from '#models/demo/instructions';
import { replyTo } from '#models/demo/reply';
import { demoSource } from '#models/demo/source';
import type { ModelEvent } from '#models/model';
import type { CallId } from '#protocol/ids';
import type { SentMessage } from '#protocol/message';
import type { ToolResult } from '#protocol/tool-result';
import { TOOLS } from './demo-bench';
import { assistant, eventsOf, requestOf, result, user } from './history';

test.each([
  ['read src/a.js', { kind: 'read', path: 'src/a.js' }],
  ['Please show me the file `my notes.txt`.', undefined],
  ['Please show me the file `my notes.txt`', { kind: 'read', path: 'my notes.txt' }],
  ['open @src/a.js.', { kind: 'read', path: 'src/a.js' }],
  ['search TODO', { kind: 'search', text: 'TODO' }],
  ['search for "two words" in src/', { kind: 'search', text: 'two words', path: 'src/' }],
  ['find the end in “docs”', { kind: 'search', text: 'the end', path: 'docs' }],
  ['replace foo with bar in a.txt', { kind: 'replace', from: 'foo', to: 'bar', path: 'a.txt', all: false }],
  [
    'replace all `a b` by "" in \'c d.txt\'',
    { kind: 'replace', from: 'a b', to: '', path: 'c d.txt', all: true },
  ],
  [
    'change `x in y` to `y with x` in a.txt',
    { kind: 'replace', from: 'x in y', to: 'y with x', path: 'a.txt', all: false },
  ],
  ['create notes.md', { kind: 'create', path: 'notes.md', content: '' }],
  [
    'create a new file notes.md with hello world',
    { kind: 'create', path: 'notes.md', content: 'hello world\n' },
  ],
  [
    'create notes.md with content "no line break"',
    { kind: 'create', path: 'notes.md', content: 'no line break' },
  ],
  [
    'write a.js:\n```js\nlet a = `1`;\n\nlet b;\n```',
    { kind: 'create', path: 'a.js', content: 'let a = `1`;\n\nlet b;\n' },
  ],
  ['rename a.txt to b/c.txt', { kind: 'rename', from: 'a.txt', to: 'b/c.txt' }],
  ['move the file a.txt to b.txt', { kind: 'rename', from: 'a.txt', to: 'b.txt' }],
  ['delete old.txt', { kind: 'delete', path: 'old.txt' }],
  ['run `npm run format`', { kind: 'run', command: 'npm run format' }],
  ['run npm test -- --grep "a b"', { kind: 'run', command: 'npm test -- --grep "a b"' }],
  ['run the tests', { kind: 'run', command: 'npm test' }],
  ['what is the meaning of life?', undefined],
  ['', undefined],
])('understands %j', (text, expected) => {
  expect(parseInstructions(text)).toEqual(expected && [expected]);
});

test('takes one instruction a line, or none of them', () => {
  expect(parseInstructions('1. read a.txt\n- rename a.txt to b.txt\n')?.map(({ kind }) => kind)).toEqual([
    'read',
    'rename',
  ]);
  expect(parseInstructions('read a.txt\nand dance')).toBeUndefined();
});

/** Plays a turn with answers given by the test. */
async function play(prompt: string, answers: readonly Partial<ToolResult>[], tools = TOOLS) {
  const messages: SentMessage[] = [user(prompt)];
  const calls: unknown[] = [];
  for (let step = 0; ; step++) {
    const events = await eventsOf(replyTo(requestOf(messages, { tools }), 0));
    const said = events.flatMap((event) => (event.kind === 'text-end' ? [event.text] : [])).join('');
    const call = events.find(
      (event): event is Extract<ModelEvent, { kind: 'call' }> => event.kind === 'call',
    );
    if (!call) return { said, calls };
    const { kind, ...made } = call;
    calls.push([made.name, JSON.parse(made.rawInput)]);
    const id = `${step}` as CallId;
    messages.push(assistant({ kind, call: { id, ...made } }), result(id, 'done', answers[step] ?? {}));
  }
}

test('reads before it replaces, and says how to take it back', async () => {
  const { calls, said } = await play('replace all foo with bar in a.txt', [{ content: '1→foo' }, {}]);
  expect(calls).toEqual([
    ['read_file', { path: 'a.txt' }],
    ['edit_file', { path: 'a.txt', oldText: 'foo', newText: 'bar', replaceAll: true }],
  ]);
  expect(said).toContain('*Undo*');
});

test('reads a file first when the tool asks for it, once', async () => {
  const refusal = {
    status: 'error',
    code: 'rejected_arguments',
    content: 'delete_file: read it with read_file first',
  } as const;
  const again = await play('delete a.txt', [refusal, { content: '1→x' }, {}]);
  expect(again.calls.map((call) => (call as [string])[0])).toEqual([
    'delete_file',
    'read_file',
    'delete_file',
  ]);
  const never = await play('delete a.txt', [refusal, { content: '1→x' }, refusal]);
  expect(never.calls).toHaveLength(3);
  expect(never.said).toContain('did not work: delete_file: read it');
});

test('follows several instructions in order and stops at the first that fails', async () => {
  const prompt = 'read a.txt\nrename a.txt to b.txt\nrun ls';
  const whole = await play(prompt, [{ content: '1→hello' }, {}, { content: 'b.txt' }]);
  expect(whole.calls).toHaveLength(3);
  expect(whole.said).toMatch(/hello[\s\S]*Renamed[\s\S]*b\.txt/);
  const half = await play(prompt, [{}, { status: 'denied', content: 'rename_file: no\nmore' }]);
  expect(half.calls).toHaveLength(2);
  expect(half.said).toMatch(/`rename_file` was not allowed, so I stop here\. rename_file: no$/);
});

test('shows content in a fence that the content can’t end', async () => {
  const { said } = await play('read a.md', [{ content: '1→```js\n2→x\n3→```' }]);
  expect(said).toContain('````\n```js\nx\n```\n````');
});

test('lists what it understands for anything else, and calls nothing', async () => {
  const { said, calls } = await play('write me a poem about ropes, and sing it', []);
  expect(calls).toEqual([]);
  expect(said).toMatch(/offline demo: rules, no thinking[\s\S]*- fix the failing test[\s\S]*- run `COMMAND`/);
});

test('says so when the mode leaves out the tool', async () => {
  const { said, calls } = await play(
    'delete a.txt',
    [],
    TOOLS.filter(({ name }) => name === 'read_file'),
  );
  expect(calls).toEqual([]);
  expect(said).toContain('`delete_file`, which is not offered');
});

test('is offered as a model that needs nothing, streams in small pieces and can be stopped', async () => {
  const [choice] = await demoSource.list();
  const found = await demoSource.get(choice?.id ?? '');
  if (!found.ok) throw new Error(found.error);
  expect(await demoSource.get('x/y')).toMatchObject({ ok: false });
  const events = await eventsOf(found.value.stream(requestOf([user('hello')])));
  const deltas = events.flatMap((event) => (event.kind === 'text' ? [event.delta] : []));
  expect(events.find((event) => event.kind === 'text-end')).toMatchObject({ text: deltas.join('') });
  expect(Math.max(...deltas.map(({ length }) => length))).toBeLessThan(20);
  const controller = new AbortController();
  controller.abort(new Error('stopped'));
  const stopped = eventsOf(found.value.stream(requestOf([user('hello')], { signal: controller.signal })));
  await expect(stopped).rejects.toThrow('stopped');
});
