import { expect, test } from 'vitest';
import type { Model, ModelEvent } from '#models/model';
import { coreLab, openApp } from '#test/support/core-lab';

const done = { text: 'ok' };
const titles = (app: Awaited<ReturnType<typeof coreLab>>['app']) => app.sessions().map(({ title }) => title);

test('a person’s title stays whatever comes later, and is on one line', async () => {
  const lab = await coreLab();
  await lab.turn('first prompt', done);
  const renamed = await lab.app.history.rename(lab.session.id, '  My\n title ');
  await lab.turn('second prompt', done);
  expect([renamed, titles(lab.app), lab.session.transcript().title]).toEqual([
    { ok: true, value: undefined },
    ['My title'],
    'My title',
  ]);
  expect(await lab.app.history.rename(lab.session.id, ' \n ')).toEqual({
    ok: false,
    error: 'A session needs a title.',
  });
});

test('ST-06 titles of odd characters come back as they were, and are found', async () => {
  const lab = await coreLab();
  const odd = '3 × 4 🧪 é\ud800 "q" <b>';
  await lab.turn('first', done);
  await lab.app.history.rename(lab.session.id, odd);
  const again = await openApp(lab.host, lab.folder, lab.model);
  const found = again.history.search('🧪 <b>').found.map(({ title, turn }) => [title, turn]);
  expect([titles(again), found]).toEqual([[odd], [[odd, undefined]]]);
});

test('ST-06 a session that is gone is told, and nothing breaks', async () => {
  const lab = await coreLab();
  const gone = { ok: false, error: 'That session is gone: it was deleted, or it belongs to another folder.' };
  const { history } = lab.app;
  expect([
    await history.rename('nowhere', 'x'),
    history.archive('nowhere', true),
    history.loss('nowhere'),
    await history.delete('nowhere'),
    lab.app.session('nowhere'),
  ]).toEqual([gone, gone, gone, gone, undefined]);
});

test('an archived session leaves the list, is found by search, and comes back', async () => {
  const lab = await coreLab();
  await lab.turn('needle here', done);
  const { history } = lab.app;
  history.archive(lab.session.id, true);
  const away = [titles(lab.app), history.archived().map(({ title }) => title)];
  const found = history.search('needle').found.map(({ archived, kind }) => [archived, kind]);
  history.archive(lab.session.id, false);
  expect([away, found.length, found.every(([archived]) => archived), titles(lab.app)]).toEqual([
    [[], ['needle here']],
    2,
    true,
    ['needle here'],
  ]);
});

test('a delete tells what goes, takes all of it, and leaves the files', async () => {
  const lab = await coreLab();
  const call = { id: 'c', name: 'write_file', input: { path: 'a.txt', content: 'kept\n' } };
  await lab.turn('write needle', { calls: [call] }, done);
  const { history } = lab.app;
  const loss = history.loss(lab.session.id);
  const deleted = await history.delete(lab.session.id);
  expect([loss, deleted, titles(lab.app), history.search('needle').found, lab.folder.text('a.txt')]).toEqual([
    { ok: true, value: { title: 'write needle', turns: 1, checkpoints: 1 } },
    { ok: true, value: undefined },
    [],
    [],
    'kept\n',
  ]);
});

test('a session that runs, or that another window has, is not deleted', async () => {
  const lab = await coreLab();
  let refused: unknown;
  lab.session.onEvent(({ type }) => {
    if (type === 'model.completed') refused ??= lab.app.history.loss(lab.session.id);
  });
  await lab.turn('one', done);
  const other = await openApp(lab.host, lab.folder, lab.model);
  expect([refused, await other.history.delete(lab.session.id), titles(lab.app)]).toEqual([
    { ok: false, error: 'A turn is running in this session. Stop it first.' },
    { ok: false, error: 'Another window works in this session. Close it there first.' },
    ['one'],
  ]);
  expect(await other.history.rename(lab.session.id, 'x')).toEqual({
    ok: false,
    error: 'Another window works in this session. Take it over first.',
  });
});

test('a hit names the turn that it opens at, and marks the word', async () => {
  const lab = await coreLab();
  await lab.turn('one', done);
  await lab.turn('two', { text: 'the needle is in turn two' });
  expect(lab.app.history.search('needle')).toEqual({
    indexing: false,
    found: [
      {
        sessionId: lab.session.id,
        title: 'one',
        folder: undefined,
        archived: false,
        at: expect.any(Number),
        turn: 2,
        kind: 'answer',
        snippet: [
          { text: 'the ', hit: false },
          { text: 'needle', hit: true },
          { text: ' is in turn two', hit: false },
        ],
      },
    ],
  });
});

test('secrets are neither found nor shown', async () => {
  const secret = 'sk-very-secret-value-1234567890';
  const lab = await coreLab();
  lab.host.keys.set('test', secret);
  await lab.turn(`my key is ${secret}`, { text: `I saw ${secret}` });
  expect(lab.app.history.search('very-secret-value').found).toEqual([]);
  expect(JSON.stringify(lab.app.history.search('key saw my').found)).not.toContain('very-secret');
});

/** A model that answers a task as told, and is asked for a title beside that. */
function namingModel(title: readonly ModelEvent[], id = 'small/model') {
  const asked: string[] = [];
  const model: Model = {
    id,
    name: 'Small',
    providerName: 'Test',
    async *stream({ messages, signal }) {
      asked.push(JSON.stringify(messages));
      signal.throwIfAborted();
      yield* title;
    },
  };
  return { model, asked };
}

const finish: ModelEvent = { kind: 'finish', reason: 'stop', usage: {} };

async function labWithNaming(title: readonly ModelEvent[], settings: object, smallId = 'small/model') {
  const { model: small, asked } = namingModel(title, smallId);
  const lab = await coreLab({ settings: { autoTitle: true, smallModel: smallId, ...settings } });
  const app = await openApp(lab.host, lab.folder, lab.model, {
    models: { get: async (id) => ({ ok: true, value: id === small.id ? small : lab.model }) },
  });
  const session = app.createSession({ modelId: lab.model.id });
  const turn = (prompt: string) => {
    lab.model.play([done]);
    return session.send(prompt);
  };
  return { app, session, asked, turn };
}

test('after the first turn the small model names the session, once, and never over a person’s title', async () => {
  const { session, asked, turn } = await labWithNaming(
    [{ kind: 'text', delta: '\n# "Parser fix."\nmore' }, finish],
    {},
  );
  await turn('please fix the parser for me');
  await expect.poll(() => session.title).toBe('Parser fix');
  await turn('and another');
  expect([asked.length, asked[0]?.includes('please fix the parser for me')]).toEqual([1, true]);
});

test.each([
  ['a setting says no', { autoTitle: false }, 'small/model'],
  ['the model is the demo', {}, 'demo/offline'],
])('nobody is asked for a title where %s', async (_why, settings, id) => {
  const { session, asked, turn } = await labWithNaming([{ kind: 'text', delta: 'x' }, finish], settings, id);
  await turn('please fix it');
  await new Promise((resolve) => setImmediate(resolve));
  expect([session.title, asked]).toEqual(['please fix it', []]);
});

test('a title that can’t be had leaves the first words', async () => {
  const problem = { kind: 'network', message: 'down' } as const;
  const { session, asked, turn } = await labWithNaming([{ kind: 'failure', problem }], {});
  await turn('please fix it');
  await expect.poll(() => asked.length).toBe(1);
  expect(session.title).toBe('please fix it');
});
