import { expect, test } from 'vitest';
import type { AppSession } from '#app';
import { ScriptedModel } from '#headless/scripted-model';
import type { ModelRequest } from '#models/model';
import type { ModelItem } from '#protocol/scenario';
import { type CoreLab, call, coreLab } from '#test/support/core-lab';

/** Tokens of a line as the meter estimates them don't matter here: a file of some 9,000 bytes is some 2,600 tokens. */
const BIG = 'A line of some words that fill the file.\n'.repeat(220);
const FILES = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.txt`, BIG]));
/** Room for the system prompt, the tools and three of these files before 80 % are reached. */
const WINDOW = 17_000;
const read = (name: string): ModelItem => ({
  calls: [call(`r-${name}`, 'read_file', { path: `${name}.txt` })],
});

const textOf = ({ messages }: ModelRequest) =>
  messages
    .map((message) =>
      message.kind === 'result' ? message.result.content : message.kind === 'assistant' ? '' : message.text,
    )
    .join('\n');
const last = (lab: CoreLab) => lab.requests.at(-1) as ModelRequest;
const compactions = (session: AppSession) =>
  session.events().flatMap((event) => (event.type === 'conversation.compacted' ? [event] : []));
const left = (request: ModelRequest) => textOf(request).split('left out to save room').length - 1;

test('at 80 % of the window old outputs become references, and the calls stay', async () => {
  const lab = await coreLab({ workspace: FILES, contextWindow: WINDOW });
  await lab.turn('Read them.', ...['a', 'b', 'c', 'd', 'e'].map(read), { text: 'Read.' });
  expect(compactions(lab.session)).toMatchObject([{ cause: 'window', how: 'outputs' }]);
  const [event] = compactions(lab.session);
  expect(event?.before).toBeGreaterThanOrEqual(WINDOW * 0.8);
  expect(event?.after).toBeLessThanOrEqual(WINDOW * 0.6);
  const request = last(lab);
  expect(left(request)).toBeGreaterThanOrEqual(2);
  expect(request.messages.filter(({ kind }) => kind === 'result')).toHaveLength(5);
  expect(textOf(request)).toContain('make the same call again');
  // Nothing is deleted: what is stored is whole.
  expect(lab.results().every(({ content }) => content.length > 8000)).toBe(true);
});

test('a file whose content was left out must be read again before it is changed', async () => {
  const lab = await coreLab({ workspace: FILES, contextWindow: WINDOW });
  await lab.turn('Read them.', ...['a', 'b', 'c', 'd', 'e'].map(read), { text: 'Read.' });
  const edit = (name: string) =>
    call(`e-${name}`, 'edit_file', {
      path: `${name}.txt`,
      newText: 'x',
      oldText: BIG,
    });
  await lab.turn('Change them.', { calls: [edit('a'), edit('e')] }, { text: 'Tried.' });
  const [old, recent] = lab.results().slice(-2);
  expect(old).toMatchObject({ status: 'error', content: expect.stringContaining('read') });
  expect(recent?.status).toBe('success');
});

test('what a command said is kept as an artifact, since it is not to be run again', async () => {
  const lab = await coreLab({ workspace: FILES, contextWindow: WINDOW, answers: ['allow-once'] });
  const command = { calls: [call('c1', 'run_command', { command: 'cat a.txt', description: 'Shows a' })] };
  await lab.turn('Go.', command, ...['b', 'c', 'd', 'e'].map(read), { text: 'Done.' });
  const shown = textOf(last(lab));
  const id = /read_artifact has it under the id (\S+)\./.exec(shown)?.[1] ?? '';
  expect(await lab.app.artifact(lab.session.id, id)).toContain('A line of some words');
});

/** Words alone, so that leaving out outputs can't help. */
const talk = (n: number): ModelItem => ({ text: `Answer ${n}. ${'word '.repeat(1200)}` });

async function talked(options: Parameters<typeof coreLab>[0] = {}): Promise<CoreLab> {
  const lab = await coreLab({ workspace: { 'a.txt': 'one\n' }, contextWindow: 12_000, ...options });
  for (let n = 1; n <= 4; n++) await lab.turn(`Question ${n}?`, talk(n));
  return lab;
}

test('what is older becomes a summary of the model’s, with the person’s own words, files and todos beside it', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': 'one\n' }, contextWindow: 12_000 });
  const todos = [{ content: 'Ask', activeForm: 'Asking', status: 'in_progress' }];
  await lab.turn(
    'Make b and remember ORANGE.',
    {
      calls: [
        call('w', 'write_file', { path: 'b.txt', content: 'new\n' }),
        call('t', 'todo_write', { todos }),
      ],
    },
    talk(0),
  );
  for (let n = 1; n <= 3; n++) await lab.turn(`Question ${n}?`, talk(n));
  await lab.turn('And now?', { text: 'NOTES: the person likes orange.' }, { text: 'Fine.' });

  expect(compactions(lab.session)).toMatchObject([{ cause: 'window', how: 'summary' }]);
  const [summaryRequest, request] = lab.requests.slice(-2);
  expect(summaryRequest).toMatchObject({ tools: [] });
  expect(textOf(summaryRequest as ModelRequest)).toContain('PERSON: Make b and remember ORANGE.');
  const sent = textOf(request as ModelRequest);
  expect(sent).toMatch(/in their own words\n- Make b and remember ORANGE\./);
  expect(sent).toContain('b.txt: created in turn 1 (+1 −0)');
  expect(sent).toContain('- [in_progress] Ask');
  expect(sent).toContain('NOTES: the person likes orange.');
  expect(sent).toContain('And now?');
  expect(request?.messages[0]?.kind).toBe('note');
  expect((request as ModelRequest).messages.length).toBeLessThan(lab.session.messages().length);
});

test.each<[string, ModelItem]>([
  ['refused', { error: { status: 401, message: 'no key' } }],
  ['empty', { text: '  ' }],
  ['made of calls alone', { calls: [call('x', 'write_file', { path: 'x.txt', content: 'x' })] }],
])('a summary that is %s leaves everything as it was and says so', async (_name, item) => {
  const lab = await talked();
  const before = lab.session.messages().length;
  expect(await lab.turn('And now?', item, { text: 'Went on.' })).toBe('done');
  expect(compactions(lab.session)).toMatchObject([{ how: 'none', problem: expect.stringMatching(/./) }]);
  expect(last(lab).messages).toHaveLength(before + 1);
  expect(lab.types().filter((type) => type === 'tool.requested')).toEqual([]);
});

test('the small model writes the summary, and where it can’t the session’s own does', async () => {
  const lab = await coreLab({ contextWindow: 200_000, settings: { smallModel: 'small/one' } });
  const asked: string[] = [];
  const small = new ScriptedModel((request) => asked.push(textOf(request)));
  lab.models.set('small/one', small);
  for (let n = 1; n <= 3; n++) await lab.turn(`Question ${n}?`, talk(n));
  small.play([{ text: 'SMALL NOTES.' }]);
  await lab.session.compact();
  await lab.turn('Next?', { text: 'Yes.' });
  expect(textOf(last(lab))).toContain('SMALL NOTES.');
  for (let n = 1; n <= 3; n++) await lab.turn(`Question ${n}?`, talk(n));
  small.play([{ error: { status: 401 } }]);
  lab.model.play([{ text: 'OWN NOTES.' }]);
  await lab.session.compact();
  expect(asked).toHaveLength(2);
  expect(textOf(last(lab))).toContain('<conversation>');
});

test('going back to before a compaction brings back what it left out', async () => {
  const lab = await talked();
  await lab.turn('And now?', { text: 'NOTES.' }, { text: 'Fine.' });
  expect(textOf(last(lab))).not.toContain('Answer 1');
  await lab.session.undo(5, 'session');
  lab.model.play([{ text: 'NOTES AGAIN.' }, { text: 'Fine again.' }]);
  await lab.session.send('Once more?');
  const summary = lab.requests.at(-2) as ModelRequest;
  expect(textOf(summary)).toContain('Answer 1');
  expect(textOf(last(lab))).toContain('NOTES AGAIN.');
});

test('a summary is summarised in its turn, and the person’s first words are still there', async () => {
  const lab = await talked();
  await lab.turn('Five?', { text: 'NOTES ONE.' }, talk(5));
  for (let n = 6; n <= 8; n++) await lab.turn(`Question ${n}?`, talk(n), talk(n));
  const summaries = compactions(lab.session).filter(({ how }) => how === 'summary');
  expect(summaries.length).toBeGreaterThanOrEqual(2);
  expect(textOf(last(lab))).toContain('- Question 1?');
});

test('/compact summarises at once, with what the person wants kept in mind', async () => {
  const lab = await coreLab({ contextWindow: 200_000 });
  for (let n = 1; n <= 3; n++) await lab.turn(`Question ${n}?`, talk(n));
  lab.model.play([{ text: 'NOTES BY HAND.' }]);
  expect(await lab.session.compact('the names')).toEqual({ status: 'done' });
  expect(textOf(last(lab))).toContain('above all this kept: the names');
  expect(compactions(lab.session)).toMatchObject([{ cause: 'asked', how: 'summary' }]);
  await lab.turn('Next?', { text: 'Yes.' });
  expect(textOf(last(lab))).toContain('NOTES BY HAND.');
  expect(textOf(last(lab))).not.toContain('Answer 1');
  expect(textOf(last(lab))).toContain('- Question 1?');
});

test('/compact with nothing to summarise says so and asks no model', async () => {
  const lab = await coreLab();
  expect(await lab.session.compact()).toMatchObject({
    status: 'failed',
    problem: { detail: 'Nothing was said in this session yet.' },
  });
  await lab.turn('Hi', { text: 'Hello.' });
  await lab.session.compact();
  expect(lab.requests).toHaveLength(1);
  expect(compactions(lab.session)).toMatchObject([
    { how: 'none', problem: expect.stringMatching(/old enough/) },
  ]);
});

test('stopping a summary leaves the conversation as it was', async () => {
  const lab = await coreLab({ contextWindow: 200_000 });
  for (let n = 1; n <= 3; n++) await lab.turn(`Question ${n}?`, talk(n));
  const messages = lab.session.messages().length;
  lab.model.play([{ text: 'NOTES.' }]);
  const work = lab.session.compact();
  lab.session.stop();
  expect(await work).toEqual({ status: 'cancelled' });
  expect(lab.session.messages()).toHaveLength(messages);
  expect(lab.session.running).toBe(false);
});

test('a request refused as too long is made shorter and sent once more', async () => {
  const lab = await coreLab({ workspace: FILES, contextWindow: 1_000_000 });
  const overflow: ModelItem = { error: { status: 413, message: 'too long' } };
  await lab.turn(
    'Read.',
    ...['a', 'b', 'c', 'd', 'e'].map(read),
    overflow,
    { text: 'NOTES.' },
    { text: 'Done.' },
  );
  expect(compactions(lab.session)).toMatchObject([{ cause: 'overflow' }]);
  expect(lab.session.transcript().turns.at(-1)?.status).toBe('done');
});

test('a request that stays too long ends the turn with what to do', async () => {
  const lab = await coreLab({ contextWindow: 1_000_000 });
  const overflow: ModelItem = { error: { status: 413, message: 'too long' } };
  expect(await lab.turn(`Look: ${'x'.repeat(1000)}`, overflow, { text: 'NOTES.' }, overflow)).toBe('failed');
  expect(lab.requests).toHaveLength(1);
  expect(lab.session.transcript().turns.at(-1)?.problem?.title).toBe(
    'The conversation is too long for this model',
  );
});

test('the panel learns how full the window is from the provider’s count', async () => {
  const lab = await coreLab({ contextWindow: 100_000 });
  await lab.turn('Hi', { text: 'Hello.', usage: { inputTokens: 40_000, outputTokens: 500 } });
  expect(lab.session.transcript().context).toEqual({ used: 40_500, window: 100_000 });
});

test('a hook may keep the conversation from being summarised', async () => {
  const lab = await coreLab({
    contextWindow: 200_000,
    settings: {
      hooks: {
        PreCompact: [
          { matcher: 'manual', hooks: [{ type: 'command', command: 'echo not now >&2; exit 2' }] },
        ],
      },
    },
  });
  for (let n = 1; n <= 3; n++) await lab.turn(`Question ${n}?`, talk(n));
  await lab.session.compact();
  expect(lab.requests).toHaveLength(3);
  expect(compactions(lab.session).at(-1)).toMatchObject({
    how: 'none',
    problem: expect.stringContaining('not now'),
  });
});

test('a model with a smaller window is asked only once the conversation fits into it', async () => {
  const lab = await coreLab({ contextWindow: 200_000 });
  const asked: ModelRequest[] = [];
  const small = new ScriptedModel((request) => asked.push(request), 8000);
  lab.models.set('small/one', small);
  for (let n = 1; n <= 5; n++) await lab.turn(`Question ${n}?`, talk(n));
  lab.session.setModel('small/one');
  small.play([{ text: 'NOTES.' }, { text: 'Fits.' }]);
  await lab.session.send('And now?');
  expect(compactions(lab.session)).toMatchObject([{ cause: 'window', how: 'summary' }]);
  expect(asked).toHaveLength(2);
  expect(textOf(asked[1] as ModelRequest)).toContain('NOTES.');
  expect(Buffer.byteLength(textOf(asked[0] as ModelRequest))).toBeLessThan(8000 * 3);
});
