import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApp } from '#app';
import { ScriptedModel } from '#headless/scripted-model';
import { call, coreLab, openApp } from '#test/support/core-lab';
import { type MemoryHost, type MemoryHostOptions, memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';

/** A host of another window: its ids are its own. */
function otherHost(options: MemoryHostOptions): MemoryHost {
  let ids = 0;
  return { ...memoryHost(options), random: { id: () => `other${++ids}` } };
}

const write = (id: string, path: string, content = 'text\n') => call(id, 'write_file', { path, content });

test('is named after its first prompt and listed, the latest first', async () => {
  const lab = await coreLab();
  await lab.turn('  Fix the\nfailing   test ', { text: 'ok' });
  lab.host.advance(1000);
  lab.app.createSession({ modelId: lab.model.id });
  expect(lab.app.sessions().map(({ title }) => title)).toEqual(['New session', 'Fix the failing test']);
});

test('events are in the store before anyone sees them', async () => {
  const lab = await coreLab();
  const early: string[] = [];
  lab.session.onEvent((event) => {
    if (!('sequence' in event)) return;
    if (!lab.session.events().some(({ sequence }) => sequence === event.sequence)) early.push(event.type);
  });
  await lab.turn('x', { text: 'a', calls: [write('c1', 'a.txt')] }, { text: 'b' });
  expect(early).toEqual([]);
});

test('a reply and the calls that it asks for are recorded in one moment', async () => {
  const lab = await coreLab();
  const recorded: string[][] = [];
  lab.session.onEvent(({ type }) => {
    if (type === 'model.completed') recorded.push(lab.session.events().map((event) => event.type));
  });
  await lab.turn('x', { text: 'a', calls: [write('c1', 'a.txt'), write('c2', 'b.txt')] }, { text: 'b' });
  expect(recorded[0]?.slice(-3)).toEqual(['model.completed', 'tool.requested', 'tool.requested']);
});

test('the transcript is the fold of what was recorded', async () => {
  const lab = await coreLab();
  await lab.turn('make', { calls: [write('c1', 'a.txt')] }, { text: 'made' });
  const { turns, title } = lab.session.transcript();
  expect([title, turns]).toMatchObject([
    'make',
    [
      {
        turn: 1,
        prompt: 'make',
        status: 'done',
        items: [
          { kind: 'call', name: 'write_file', state: 'success', summary: expect.stringContaining('a.txt') },
          { kind: 'text', text: 'made' },
        ],
        checkpoint: { files: [{ path: 'a.txt', operation: 'create' }] },
      },
    ],
  ]);
});

test('a secret is taken out of events and of command output, not out of what the model said', async () => {
  const lab = await coreLab({ settings: { mode: 'allow' } });
  lab.host.keys.set('anthropic', 'sk-very-secret-1');
  const echo = call('c1', 'run_command', { command: 'echo sk-very-secret-1', description: 'd' });
  await lab.turn('my key is sk-very-secret-1', { calls: [echo] }, { text: 'ok' });
  const user = lab.session.messages().find(({ kind }) => kind === 'user');
  expect([
    JSON.stringify(lab.session.events()).includes('sk-very-secret-1'),
    lab.results()[0]?.content.includes('[redacted: stored key]'),
    user,
  ]).toMatchObject([false, true, { text: 'my key is sk-very-secret-1' }]);
});

test('what is typed while a turn runs is queued, and send answers with the end of that turn', async () => {
  const lab = await coreLab();
  lab.model.play([{ text: 'first' }, { text: 'second' }]);
  let two: Promise<string> | undefined;
  lab.session.onEvent(({ type }) => {
    if (type === 'model.completed') two ??= lab.session.send('two');
  });
  const one = await lab.session.send('one');
  expect([one, await two, lab.requests.length, lab.types().includes('message.queued')]).toEqual([
    'done',
    'done',
    2,
    true,
  ]);
});

test('a queued message that a stop overtook goes along with the next turn', async () => {
  const lab = await coreLab();
  lab.model.play([{ text: 'never' }]);
  const one = lab.session.send('one');
  void lab.session.send('wait');
  lab.session.stop();
  await one;
  await lab.turn('three', { text: 'ok' });
  const said = lab.requests
    .at(-1)
    ?.messages.flatMap((message) => (message.kind === 'user' ? [message.text] : []));
  expect(said).toEqual(['one', 'three', 'wait']);
});

test('a queued message outlives its window', async () => {
  const lab = await coreLab();
  lab.session.onEvent(({ type }) => {
    if (type !== 'tool.started') return;
    lab.session.queue('and be brief');
    lab.session.stop();
  });
  await lab.turn('one', { calls: [write('c1', 'a.txt')] });
  await lab.app.close();
  const again = await openApp(lab.host, lab.folder, lab.model);
  const session = again.session(lab.session.id);
  lab.model.play([{ text: 'ok' }]);
  await session?.send('two');
  await again.close();
  const last = (await openApp(lab.host, lab.folder, lab.model)).session(lab.session.id);
  lab.model.play([{ text: 'ok' }]);
  await last?.send('three');
  const said = last?.messages().flatMap((message) => (message.kind === 'user' ? [message.text] : []));
  expect(said).toEqual(['one', 'two', 'and be brief', 'three']);
});

test('resume tells the model to go on and records a turn', async () => {
  const lab = await coreLab({ settings: { maxSteps: 1 } });
  await lab.turn('x', { calls: [write('c1', 'a.txt')] });
  lab.model.play([{ text: 'done now' }]);
  const status = await lab.session.resume();
  const note = lab.requests.at(-1)?.messages.at(-1);
  expect([status, note, lab.session.transcript().turns.map((turn) => turn.status)]).toMatchObject([
    'done',
    { kind: 'note', text: expect.stringContaining('go on where you stopped') },
    ['limit', 'done'],
  ]);
});

test('without a model a turn fails with what to do', async () => {
  const lab = await coreLab();
  const session = lab.app.createSession();
  expect([await session.send('x'), session.transcript().turns[0]?.problem]).toMatchObject([
    'failed',
    { title: 'There is no model to ask', detail: expect.stringContaining('Select Model') },
  ]);
});

test('full access is never taken from the settings, and dies with the process', async () => {
  const lab = await coreLab({ settings: { mode: 'danger-full-access' } });
  const first = lab.session.transcript().mode;
  lab.session.setMode('danger-full-access');
  await lab.turn('x', { text: 'ok' });
  await lab.app.close();
  const again = await openApp(lab.host, lab.folder, lab.model);
  const reopened = again.session(lab.session.id);
  lab.model.play([{ calls: [call('c1', 'run_command', { command: 'sh -c true', description: 'd' })] }]);
  await reopened?.send('y');
  expect([first, lab.host.asked.length, reopened?.transcript().mode]).toEqual([
    'workspace-write',
    1,
    'workspace-write',
  ]);
});

test('a second window reads a session that the first one writes, until it takes over', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'ok' });
  const other = await openApp(otherHost({ storage: lab.storage.path }), lab.folder, lab.model);
  const there = other.session(lab.session.id);
  const before = [there?.elsewhere, await there?.send('no'), there?.transcript().turns.length];
  there?.takeOver();
  lab.model.play([{ text: 'here' }]);
  const after = [there?.elsewhere, await there?.send('yes')];
  expect([before, after]).toEqual([
    [true, 'failed', 1],
    [false, 'done'],
  ]);
});

test('a second window sees what the first one does, and may write once that is closed', async () => {
  const lab = await coreLab();
  const other = await openApp(otherHost({ storage: lab.storage.path }), lab.folder, lab.model);
  const there = other.session(lab.session.id);
  await lab.turn('one', { text: 'ok' });
  await expect.poll(() => there?.transcript().turns.map(({ prompt }) => prompt)).toEqual(['one']);
  lab.session.setMode('allow');
  await lab.app.close();
  await expect.poll(() => there?.elsewhere).toBe(false);
  lab.model.play([{ text: 'here' }]);
  const status = await there?.send('two');
  expect([status, there?.transcript().mode, there?.title]).toEqual(['done', 'allow', 'one']);
});

test('a turn whose window closes is no stop by the person: the next start tells of it', async () => {
  const lab = await coreLab();
  const closing = Promise.withResolvers<void>();
  lab.session.onEvent(({ type }) => {
    if (type === 'approval.requested') closing.resolve(lab.app.close());
  });
  const ask = call('c2', 'run_command', { command: 'npm test', description: 'd' });
  const status = await lab.turn('make it', { calls: [write('c1', 'a.txt')] }, { calls: [ask] });
  await closing.promise;
  const again = await openApp(lab.host, lab.folder, lab.model);
  const turn = again.session(lab.session.id)?.transcript().turns[0];
  expect([status, again.startNotices, turn]).toMatchObject([
    'interrupted',
    [{ title: 'A turn was interrupted: make it' }],
    { status: 'interrupted', checkpoint: { state: 'interrupted', files: [{ path: 'a.txt' }] } },
  ]);
});

test('a window that opened before the old one had let go tells of the turn that this left', async () => {
  const lab = await coreLab();
  const ask = call('c1', 'run_command', { command: 'npm test', description: 'd' });
  const asked = Promise.withResolvers<void>();
  lab.session.onEvent(({ type }) => {
    if (type === 'approval.requested') asked.resolve();
  });
  const turn = lab.turn('make it', { calls: [ask] });
  await asked.promise;
  const other = await openApp(otherHost({ storage: lab.storage.path }), lab.folder, lab.model);
  other.session(lab.session.id);
  const told = new Promise((resolve) => other.onNotice(resolve));
  await lab.app.close();
  await turn;
  expect([other.startNotices, await told]).toMatchObject([[], { title: 'A turn was interrupted: make it' }]);
});

test('a page drawn in mid-sentence begins with the whole sentence', async () => {
  const lab = await coreLab();
  let seen: unknown;
  lab.session.onEvent((event) => {
    if (event.type === 'live.text') seen = lab.session.transcript().turns[0]?.items.at(-1);
  });
  await lab.turn('x', { text: 'Half a sentence.' });
  expect(seen).toMatchObject({ kind: 'text', text: 'Half a sentence.', streaming: true });
});

test('a turn in which a session was taken and taken back can be undone', async () => {
  const lab = await coreLab();
  lab.model.play([{ calls: [write('c1', 'a.txt')] }, { text: 'never' }]);
  const other = await openApp(otherHost({ storage: lab.storage.path }), lab.folder, lab.model);
  const there = other.session(lab.session.id);
  lab.session.onEvent((event) => {
    if (event.type === 'tool.completed') there?.takeOver();
  });
  const status = await lab.session.send('x');
  await there?.recovered;
  lab.session.takeOver();
  const made = existsSync(lab.folder.at('a.txt'));
  const { status: undone } = await lab.session.undo(1, 'files');
  expect([status, made, undone, existsSync(lab.folder.at('a.txt'))]).toEqual([
    ...['interrupted', true, 'done'],
    false,
  ]);
});

test('a turn whose session was taken over writes no further word', async () => {
  const lab = await coreLab();
  lab.model.play([{ calls: [write('c1', 'a.txt')] }, { text: 'never' }]);
  const other = await openApp(otherHost({ storage: lab.storage.path }), lab.folder, lab.model);
  const there = other.session(lab.session.id);
  let taken: readonly string[] = [];
  lab.session.onEvent((event) => {
    if (event.type !== 'tool.started') return;
    there?.takeOver();
    taken = lab.types();
  });
  const status = await lab.session.send('x');
  await there?.recovered;
  const own = lab.session.events().slice(taken.length);
  expect([status, own.map(({ type }) => type).includes('tool.completed'), lab.session.elsewhere]).toEqual([
    'interrupted',
    true,
    true,
  ]);
  expect(own.filter((event) => event.type === 'turn.ended')).toMatchObject([{ status: 'interrupted' }]);
});

test('sessions of another folder are not this app’s', async () => {
  const lab = await coreLab();
  const elsewhere = await openApp(otherHost({ storage: lab.storage.path }), tempFolder(), lab.model);
  expect([elsewhere.session(lab.session.id), elsewhere.sessions()]).toEqual([undefined, []]);
});

test('sessions in which nothing was said are gone at the next start', async () => {
  const lab = await coreLab();
  const id = lab.session.id;
  await lab.app.close();
  const again = await openApp(lab.host, lab.folder, lab.model);
  expect([again.sessions(), again.session(id)]).toEqual([[], undefined]);
});

test('keep clears the review mark and changes no file', async () => {
  const lab = await coreLab();
  await lab.turn('x', { calls: [write('c1', 'a.txt')] }, { text: 'ok' });
  const before = lab.session.review.turns().map(({ turn }) => turn);
  lab.session.review.keepAll();
  expect([before, lab.session.review.turns(), existsSync(lab.folder.at('a.txt'))]).toEqual([[1], [], true]);
});

test('an undo is refused while a turn runs', async () => {
  const lab = await coreLab();
  lab.model.play([{ text: 'ok' }]);
  const end = lab.session.send('x');
  const refused = await lab.session.undo(1, 'files');
  await end;
  expect(refused).toEqual({ status: 'nothing', why: 'A turn is running in this session. Stop it first.' });
});

test('the folder being gone is said before anything is made', async () => {
  const storage = tempFolder();
  const host = memoryHost({ storage: storage.path });
  const created = await createApp(host, {
    folder: '/nowhere/at/all',
    models: { get: () => Promise.reject() },
  });
  expect([created, readdirSync(storage.path)]).toMatchObject([
    { ok: false, error: { title: 'The folder is gone' } },
    [],
  ]);
});

test('a file given as the folder is refused before anything is made', async () => {
  const storage = tempFolder();
  const folder = tempFolder({ 'a.txt': '' });
  const created = await createApp(memoryHost({ storage: storage.path }), {
    folder: folder.at('a.txt'),
    models: { get: () => Promise.reject() },
  });
  expect([created, readdirSync(storage.path)]).toMatchObject([
    { ok: false, error: { title: 'That is no folder' } },
    [],
  ]);
});

test('a database that can’t be opened is said in words, and a damaged one is set aside', async () => {
  const folder = tempFolder();
  const blocked = tempFolder({ 'belay.db/x': '' });
  const damaged = tempFolder({
    'belay.db': 'this is no database, but it is long enough to look at'.repeat(20),
  });
  const models = { get: () => Promise.reject(new Error('unused')) };
  const failed = await createApp(memoryHost({ storage: blocked.path }), { folder: folder.path, models });
  const opened = await createApp(memoryHost({ storage: damaged.path }), { folder: folder.path, models });
  if (opened.ok) await opened.value.close();
  expect([failed, opened.ok && opened.value.startNotices]).toMatchObject([
    {
      ok: false,
      error: { title: 'Belay can’t open its database', detail: expect.stringContaining('belay.db') },
    },
    [{ title: 'Belay’s database could not be read', detail: expect.stringContaining('belay.db.corrupt-') }],
  ]);
});

test('a store that fails in the middle of a turn stops it, and the reason reaches the person', async () => {
  const lab = await coreLab();
  const problems: string[] = [];
  lab.session.onProblem(({ kind }) => problems.push(kind));
  lab.session.onEvent((event) => {
    if (event.type !== 'model.completed') return;
    // The disk takes the database away under us: every later statement fails.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const other = new DatabaseSync(`${lab.storage.path}/belay.db`);
    other.exec('DROP TABLE events');
    other.close();
  });
  const status = await lab.turn('x', { calls: [write('c1', 'a.txt')] }, { text: 'never' });
  expect([status, problems, existsSync(lab.folder.at('a.txt'))]).toEqual(['failed', ['store'], false]);
});

test('a reload in the middle of a turn ends it as interrupted, with one notice', async () => {
  const model = new ScriptedModel();
  let hold: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const folder = tempFolder();
  const storage = tempFolder();
  const host = memoryHost({ storage: storage.path });
  const reached = Promise.withResolvers<void>();
  const pace = {
    after: (event: { readonly type: string }) => {
      if (event.type !== 'tool.started') return undefined;
      reached.resolve();
      return held;
    },
  };
  const first = await openApp(host, folder, model, { pace });
  const session = first.createSession({ modelId: model.id });
  model.play([{ calls: [write('c1', 'a.txt')] }]);
  const end = session.send('make it');
  await reached.promise;
  // The old host ends without a word, and its number comes again for another process.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(`${storage.path}/belay.db`);
  database.exec("UPDATE sessions SET owner_pid = 4194304, owner_born = 'another boot 1'");
  database.close();
  const later = otherHost({ storage: storage.path });
  const second = await openApp(later, folder, model);
  const turn = second.session(session.id)?.transcript().turns[0];
  expect([second.startNotices, turn]).toMatchObject([
    [{ sessionId: session.id, title: 'A turn was interrupted: make it' }],
    { status: 'interrupted', items: [{ name: 'write_file', state: 'unknown', code: 'interrupted' }] },
  ]);
  hold();
  expect(await end).toBe('interrupted');
});
