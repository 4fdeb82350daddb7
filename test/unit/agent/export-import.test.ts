import { rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEvents } from '#agent/import/events';
import { call, coreLab, openApp } from '#test/support/core-lab';
import { log, said, started } from '#test/unit/protocol/session-log';

const HEAD = JSON.stringify({
  belay: 'session',
  version: 1,
  title: 'Old × 🧪',
  modelId: 'm/x',
  createdAt: 1,
});
const line = (value: unknown) => JSON.stringify(value);

async function exported(form: 'markdown' | 'events') {
  const lab = await coreLab({ workspace: { 'a.txt': 'one\n' } });
  await lab.turn(
    'change it\nplease',
    { text: 'I look.', calls: [call('c', 'read_file', { path: 'a.txt' })] },
    { text: 'It holds ```one```.' },
  );
  await lab.turn('forget this', { text: 'never mind' });
  await lab.session.undo(2, 'session');
  const text = lab.app.history.export(lab.session.id, form);
  if (!text.ok) throw new Error(text.error);
  return { lab, text: text.value };
}

test('Markdown tells who said and did what, and nothing that was rewound', async () => {
  const { lab, text } = await exported('markdown');
  expect(text.replaceAll(lab.folder.path, 'FOLDER').replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')).toBe(
    `# change it please

FOLDER · ${lab.model.id} · TIME

## 1. TIME

> change it
> please

I look.

- \`Read a.txt\` · success

\`\`\`
     1→one
\`\`\`

It holds \`\`\`one\`\`\`.
`,
  );
});

test('a session goes out as events and comes in as one that can be gone on with', async () => {
  const { lab, text } = await exported('events');
  const imported = lab.app.history.import(text, lab.model.id);
  if (!imported.ok) throw new Error(imported.error);
  const session = lab.app.session(imported.value.sessionId);
  if (!session) throw new Error('it is not there');
  const shown = session.transcript();
  expect([imported.value.turns, imported.value.skipped, session.title, session.checkpoints().length]).toEqual(
    [1, 0, 'change it please', 0],
  );
  expect(
    shown.turns.map(({ prompt, status, items }) => [prompt, status, items.map(({ kind }) => kind)]),
  ).toEqual([['change it\nplease', 'done', ['text', 'call', 'text']]]);
  lab.model.play([{ text: 'went on' }]);
  expect(await session.send('and now?')).toBe('done');
  const sent = lab.requests.at(-1)?.messages.map((message) => message.kind);
  expect([sent, session.transcript().turns.map(({ turn }) => turn)]).toEqual([
    ['user', 'assistant', 'note', 'user'],
    [1, 2],
  ]);
  const again = await openApp(lab.host, lab.folder, lab.model);
  expect(again.history.search('I look').found.map(({ sessionId }) => sessionId)).toContain(session.id);
});

test('secrets that are known by now stay here', async () => {
  const lab = await coreLab();
  await lab.turn('the word is hunter2-hunter2', { text: 'hunter2-hunter2 it is' });
  lab.host.keys.set('later', 'hunter2-hunter2');
  const { history } = lab.app;
  const texts = [history.export(lab.session.id, 'markdown'), history.export(lab.session.id, 'events')];
  const scenario = await history.exportScenario(lab.session.id);
  expect(JSON.stringify([texts, scenario])).not.toContain('hunter2-hunter2');
});

test('a scenario of a session has the links that its commands found, and those that a person pointed elsewhere', async () => {
  const answers = Array.from({ length: 2 }, () => 'allow-once' as const);
  const lab = await coreLab({ workspace: { a: 'a\n' }, settings: { mode: 'allow' }, answers });
  symlinkSync('a', lab.folder.at('link'));
  const remove = { command: 'rm link', description: 'd' };
  await lab.turn('one', { calls: [call('c', 'run_command', remove)] }, { text: 'done' });
  symlinkSync('nowhere', lab.folder.at('link'));
  await lab.turn('two', { calls: [call('d', 'run_command', remove)] }, { text: 'done' });
  const scenario = await lab.app.history.exportScenario(lab.session.id);
  if (!scenario.ok) throw new Error(scenario.error);
  expect(scenario.value.scenario).toMatchObject({
    workspace: { link: { symlink: 'a' } },
    steps: expect.arrayContaining([{ write: { link: { symlink: 'nowhere' } } }]),
  });
});

const run = (id: string, command: string) => ({
  calls: [call(id, 'run_command', { command, description: 'd' })],
});

test('a file that a person put in the place of a link, or in a folder that took its place, is written through no link when it is played', async () => {
  const answers = ['allow-once', 'allow-once'] as const;
  const lab = await coreLab({ workspace: { a: 'a\n' }, settings: { mode: 'allow' }, answers: [...answers] });
  symlinkSync('/nowhere', lab.folder.at('found'));
  await lab.turn('one', run('c', 'ln -s a made; rm found; mkdir found'), { text: 'done' });
  rmSync(lab.folder.at('made'));
  lab.folder.write({ made: 'by hand\n', 'found/x': 'by hand\n' });
  await lab.turn('two', run('d', 'rm made found/x'), { text: 'done' });
  const scenario = await lab.app.history.exportScenario(lab.session.id);
  if (!scenario.ok) throw new Error(scenario.error);
  const { workspace, steps } = scenario.value.scenario as {
    readonly workspace: unknown;
    readonly steps: readonly { readonly write?: unknown }[];
  };
  expect(workspace).toEqual({ found: { symlink: '/nowhere' } });
  expect(steps.flatMap(({ write }) => (write ? [write] : []))).toEqual([
    { made: null },
    { made: 'by hand\n', 'found/x': 'by hand\n' },
  ]);
});

test('what was read through a link that a turn made is no work by hand', async () => {
  const answers = ['allow-once'] as const;
  const lab = await coreLab({ workspace: { a: 'a\n' }, settings: { mode: 'allow' }, answers: [...answers] });
  await lab.turn('one', run('c', 'ln -s a made'), { text: 'done' });
  await lab.turn('two', { calls: [call('d', 'read_file', { path: 'made' })] }, { text: 'done' });
  const scenario = await lab.app.history.exportScenario(lab.session.id);
  if (!scenario.ok) throw new Error(scenario.error);
  expect(JSON.stringify(scenario.value.scenario)).not.toContain('"write":');
});

test('ST-02 half a last line and bad lines in the middle of 7,000 are skipped and counted, and later lines load', () => {
  const events = log(
    ...Array.from({ length: 3500 }, (_, index) => [
      started(index + 1),
      said(index + 1, `r${index}`, 'x'),
    ]).flat(),
  );
  const lines = [HEAD, ...events.map(line)];
  lines.splice(3000, 0, '{"type":"turn.start', 'null', '[]', '{"type":"new.kind","at":1}', '\0');
  const read = readEvents(`${lines.join('\n')}\n{"type":"model.comp`);
  if (!read.ok) throw new Error(read.error);
  const { turns, skipped, title } = read.value;
  expect([turns.length, turns.at(-1)?.started.turn, skipped, title]).toEqual([3500, 3500, 6, 'Old × 🧪']);
});

test('ST-02 a file that is no session is refused, and one without a turn makes none', async () => {
  const lab = await coreLab();
  const refused = { ok: false, error: 'That file is not a session that Belay exported as JSONL.' };
  const before = lab.app.sessions().length;
  const { history } = lab.app;
  expect([
    history.import('', ''),
    history.import('{"type":"x"}\n', ''),
    history.import(HEAD.replace('1,', '2,'), ''),
    history.import(HEAD, ''),
    lab.app.sessions().length,
  ]).toEqual([
    refused,
    refused,
    refused,
    { ok: false, error: 'No turn of a session can be read from that file.' },
    before,
  ]);
});

test('what a hostile file says of modes, checkpoints and endless turns changes nothing here', async () => {
  const lab = await coreLab();
  const [first] = log(started(7, 'hello \ud800'));
  const hostile = [
    HEAD,
    line(first),
    line({ type: 'mode.changed', mode: 'danger-full-access', at: 2 }),
    line({
      type: 'checkpoint.undone',
      operation: 'o',
      turns: [7],
      checkpointIds: ['x'],
      files: ['/etc/passwd'],
      at: 2,
    }),
    line({ type: 'turn.started', turnId: 't9', turn: 1, prompt: 'x'.repeat(2_100_000), mentions: [], at: 9 }),
    line({
      type: 'tool.started',
      turnId: 't7',
      callId: 'c',
      name: 'run_command',
      risk: 'execute',
      at: 3,
      sideEffect: true,
      schemaSha256: '',
    }),
  ].join('\r\n');
  const imported = lab.app.history.import(hostile, lab.model.id);
  if (!imported.ok) throw new Error(imported.error);
  const shown = lab.app.session(imported.value.sessionId)?.transcript();
  expect([
    imported.value.skipped,
    shown?.mode,
    shown?.turns.map(({ turn, prompt, status }) => [turn, prompt, status]),
  ]).toEqual([1, 'workspace-write', [[1, 'hello \ud800', 'interrupted']]]);
});

test('turns that a redo brings back stand where they stood, though the clock was set back between them', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'first' });
  lab.host.advance(-3_600_000);
  await lab.turn('two', { text: 'second' });
  await lab.session.undo(1, 'session');
  await lab.session.redo();
  const shown = lab.session.transcript().turns.map(({ turn, prompt }) => [turn, prompt]);
  expect([shown, lab.session.history.turns().map(({ turn }) => turn)]).toEqual([
    [
      [1, 'one'],
      [2, 'two'],
    ],
    [1, 2],
  ]);
});

test.each([1e300, -1e300, 1.5, 8.64e15])('a time that is none (%d) costs no turn', async (at) => {
  const lab = await coreLab();
  const text = [
    HEAD,
    line({ type: 'turn.started', turnId: 't', turn: 1, prompt: 'p', mentions: [], at }),
    line({ type: 'turn.ended', turnId: 't', status: 'done', at }),
  ].join('\n');
  const imported = lab.app.history.import(text, lab.model.id);
  expect(imported).toEqual({ ok: true, value: { sessionId: expect.any(String), turns: 1, skipped: 0 } });
});

test('thousands of rewinds in a file of thousands of turns are read in one pass', () => {
  const turns = Array.from({ length: 20_000 }, (_, at) =>
    line({ type: 'turn.started', turnId: `t${at}`, turn: at + 1, prompt: 'p', mentions: [], at: 1 }),
  );
  const rewinds = Array.from({ length: 3000 }, (_, at) =>
    line({
      type: 'session.rewound',
      operation: `o${at}`,
      scope: 'session',
      toSequence: 1,
      turns: [at + 1],
      at: 1,
    }),
  );
  const again = line({
    type: 'turn.started',
    turnId: 'again',
    turn: 1,
    prompt: 'again',
    mentions: [],
    at: 1,
  });
  const back = line({ type: 'session.unwound', operation: 'o1', at: 1 });
  const read = readEvents([HEAD, ...turns, ...rewinds, again, back].join('\n'));
  expect(
    read.ok && [
      read.value.turns.length,
      read.value.turns.slice(0, 2),
      read.value.turns.at(-1)?.started.prompt,
    ],
  ).toEqual([
    17_002,
    [2, 3001].map((turn) => ({ started: expect.objectContaining({ turn }), events: [] })),
    'again',
  ]);
});

test('a title is one line of what can be seen, wherever it comes from', async () => {
  const lab = await coreLab();
  const title = 'A\u202egnp\u2066.\n\u0007<b>x</b>\u2028y';
  const head = line({ belay: 'session', version: 1, title, modelId: '', createdAt: 1 });
  const begun = line({ type: 'turn.started', turnId: 't', turn: 1, prompt: 'p', mentions: [], at: 1 });
  const imported = lab.app.history.import(`${head}\n${begun}`, lab.model.id);
  if (!imported.ok) throw new Error(imported.error);
  lab.session.history.rename(title);
  const shown = 'A gnp . <b>x</b> y';
  expect([lab.app.session(imported.value.sessionId)?.title, lab.session.title]).toEqual([shown, shown]);
});
