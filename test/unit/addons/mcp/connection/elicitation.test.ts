import { expect, test } from 'vitest';
import type { FormQuestion } from '#host/questions';
import { connected, stdio } from '#test/support/mcp/connected';
import { oddServer } from '#test/support/mcp/peers';
import { type PersonAnswers, person } from '#test/support/mcp/person';

const odd = stdio(oddServer('odd-server.ts'));
const { signal } = new AbortController();
const call = { signal, timeoutMs: 20_000 };

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2 },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
    sure: { type: 'boolean' },
    color: { type: 'string', enum: ['red', 'green'], enumNames: ['Red', 'Green'] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2 },
  },
  required: ['name'],
};

async function ask(answers: PersonAnswers, params: unknown) {
  const who = person(answers);
  const { connection } = await connected(odd, { questions: who.questions });
  const answer = await connection.callTool('ask', params, call);
  const text = answer.ok ? (answer.value as { content: { text: string }[] }).content[0]?.text : '';
  return { answer: JSON.parse(text ?? '') as unknown, asked: who.asked };
}

test('a form of a server is shown under its name, and what the person fills in goes back', async () => {
  const values = { name: 'Ada', age: 36, sure: true, color: 'green', tags: ['a', 'c'] };
  const { answer, asked } = await ask(
    { form: () => ({ kind: 'accepted', values }) },
    { message: 'Who\u202e are you?', requestedSchema: SCHEMA },
  );
  expect(answer).toEqual({ action: 'accept', content: values });
  expect(asked).toMatchObject([
    {
      from: 'the MCP server odd',
      message: 'Who\\u{202e} are you?',
      fields: [
        { name: 'name', title: 'Your name', required: true, type: { kind: 'text' } },
        { name: 'age', required: false, type: { kind: 'number', integer: true, proposed: 30 } },
        { name: 'sure', type: { kind: 'yes-no' } },
        {
          name: 'color',
          type: {
            kind: 'choice',
            several: false,
            options: [
              { value: 'red', title: 'Red' },
              { value: 'green', title: 'Green' },
            ],
          },
        },
        { name: 'tags', type: { kind: 'choice', several: true } },
      ],
    },
  ]);
});

test('values that a server can’t take are told to the person before they are sent', async () => {
  let form: FormQuestion | undefined;
  await ask(
    {
      form: (question) => {
        form = question;
        return { kind: 'declined' };
      },
    },
    { message: '', requestedSchema: SCHEMA },
  );
  const problem = (
    name: string,
    value: Parameters<NonNullable<FormQuestion['fields'][number]['problem']>>[0],
  ) => form?.fields.find((field) => field.name === name)?.problem?.(value);
  expect([
    problem('name', 'A'),
    problem('age', 1.5),
    problem('age', 151),
    problem('tags', ['a', 'b', 'c']),
  ]).toEqual([
    'This must have at least 2 characters.',
    'This must be a whole number.',
    'This must be at most 150.',
    'Choose at most 2.',
  ]);
});

test.each([
  ['declined', 'decline'],
  ['cancelled', 'cancel'],
] as const)('a form that is %s says so to the server', async (kind, action) => {
  const { answer } = await ask({ form: () => ({ kind }) }, { message: '', requestedSchema: SCHEMA });
  expect(answer).toEqual({ action });
});

test('CVE-2025-6514 advisory 61: a page is opened only on https or on this machine, and nothing of a server gets near a shell', async () => {
  const visited: string[] = [];
  const visit = ({ url }: { readonly url: string }) => {
    visited.push(url);
    return true;
  };
  const open = (url: string) => ask({ visit }, { mode: 'url', message: 'x', url, elicitationId: '1' });
  const answers = [];
  for (const url of [
    'https://a.example/$(calc)',
    'http://127.0.0.1:1/x',
    'http://a.example/',
    'file:///etc/passwd',
    'vscode://x',
  ])
    answers.push((await open(url)).answer);
  expect(visited).toEqual(['https://a.example/$(calc)', 'http://127.0.0.1:1/x']);
  expect(answers.map((answer) => (answer as { action: string }).action)).toEqual([
    'accept',
    'accept',
    'decline',
    'decline',
    'decline',
  ]);
});

test('while a person is asked, the call that asks loses no time', async () => {
  const who = person({
    form: async () => {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      return { kind: 'accepted', values: { name: 'Ada' } };
    },
  });
  const { connection } = await connected(odd, { questions: who.questions });
  const answer = await connection.callTool(
    'ask',
    { message: '', requestedSchema: SCHEMA },
    { signal, timeoutMs: 3000 },
  );
  expect(JSON.stringify(answer)).toContain('accept');
});

test('of many questions at once three wait, and the others are declined unseen', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const who = person({
    form: async () => {
      await promise;
      return { kind: 'declined' };
    },
  });
  const { connection, logged } = await connected(odd, { questions: who.questions });
  const calls = Array.from({ length: 10 }, () =>
    connection.callTool('ask', { message: '', requestedSchema: SCHEMA }, call),
  );
  await expect.poll(() => logged.filter((line) => line.includes('declined a question')).length).toBe(7);
  expect(who.asked.length).toBe(1);
  resolve();
  await Promise.all(calls);
  expect(who.asked.length).toBe(3);
});
