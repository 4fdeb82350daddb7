import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { createCheckpoints } from '#checkpoints/checkpoints';
import { StampJudge } from '#disk/stamps';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { stampsMoveOn } from '#test/support/stamps';
import { tempFolder } from '#test/support/temp-folder';
import { type Hands, type RunOptions, SESSION } from '#test/unit/checkpoints/hands';
import { create, edit, lab, type Step } from '#test/unit/checkpoints/lab';

const run =
  (work: () => unknown, more?: RunOptions): Step =>
  (hands: Hands) =>
    hands.run('make', work, more);

test('what a command created, changed and deleted is taken back, and done again', async () => {
  const { folder, turn, tree, undo, redo } = lab({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'keep.txt': 'k\n' });
  const before = tree();
  const summary = await turn(
    run(() => {
      folder.write({ 'a.txt': 'a\nmore\n', 'new/c.txt': 'c\n' });
      rmSync(folder.at('d/b.txt'));
    }),
  );
  const after = tree();
  expect(
    summary?.files.map(({ path, operation, added, removed, command }) => [
      path,
      operation,
      added,
      removed,
      command,
    ]),
  ).toEqual([
    ['a.txt', 'modify', 1, 0, 'make'],
    ['d/b.txt', 'delete', 0, 1, 'make'],
    ['new/c.txt', 'create', 1, 0, 'make'],
  ]);
  expect(summary?.commandChanges).toEqual([]);
  const undone = await undo(1);
  expect([undone.outcome.status, tree()]).toEqual(['done', before]);
  const redone = await redo();
  expect([redone.outcome.status, tree()]).toEqual(['done', after]);
});

test('folders that it made go, folders that it removed come back, empty ones too', async () => {
  const { folder, turn, tree, undo, redo } = lab({ 'a/b/c.txt': 'c' });
  mkdirSync(folder.at('empty/inner'), { recursive: true });
  const before = tree();
  await turn(
    run(() => {
      for (const name of ['a', 'empty']) rmSync(folder.at(name), { recursive: true });
      mkdirSync(folder.at('made/deep'), { recursive: true });
    }),
  );
  const after = tree();
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
  expect((await redo()).outcome.status).toBe('done');
  expect(tree()).toEqual(after);
});

test('an edit and the formatter that ran over it are undone together', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.ts': 'one' });
  await turn(
    edit('a.ts', 'two'),
    run(() => folder.write({ 'a.ts': 'two;\n' })),
    edit('a.ts', 'three;\n'),
  );
  const undone = await undo(1);
  expect([undone.outcome, tree()]).toEqual([
    { status: 'done', turns: [1], files: ['a.ts'], notes: [] },
    { 'a.ts': 'one' },
  ]);
});

test('a moved file is a move on the way back, permission bits alone are a change, a touch is none', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.txt': 'a', 'run.sh': '#!', 'same.txt': 's' });
  const before = tree();
  const summary = await turn(
    run(() => {
      renameSync(folder.at('a.txt'), folder.at('b.txt'));
      chmodSync(folder.at('run.sh'), 0o755);
      utimesSync(folder.at('same.txt'), 1, 1);
    }),
  );
  expect(summary?.files.map(({ path, operation }) => `${operation} ${path}`)).toEqual([
    'delete a.txt',
    'modify run.sh',
    'create b.txt',
  ]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

test('a file of the session that a command makes a folder of comes back, and a folder that it makes a file of', async () => {
  const { folder, turn, tree, undo, redo } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'A'), create('made/b.txt', 'b'));
  await stampsMoveOn();
  await turn(
    run(() => {
      rmSync(folder.at('a.txt'));
      folder.write({ 'a.txt/in.txt': 'in' });
      rmSync(folder.at('made'), { recursive: true });
      folder.write({ made: 'a file' });
    }),
  );
  const after = tree();
  expect((await undo(2)).outcome).toMatchObject({ status: 'done' });
  expect(tree()).toEqual({ 'a.txt': 'A', 'made/b.txt': 'b' });
  expect((await redo()).outcome).toMatchObject({ status: 'done' });
  expect(tree()).toEqual(after);
  expect((await undo(1)).outcome).toMatchObject({ status: 'done' });
  expect(tree()).toEqual({ 'a.txt': 'a' });
});

test('a file that a command moved is left as one: it never vanishes since its old name is taken', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.txt': 'a', 'b.txt': 'b', 'empty-1': '' });
  await turn(
    run(() => {
      renameSync(folder.at('a.txt'), folder.at('moved.txt'));
      renameSync(folder.at('empty-1'), folder.at('empty-2'));
      folder.write({ 'b.txt': 'B' });
    }),
  );
  folder.write({ 'a.txt': 'by hand' });
  expect((await undo(1)).outcome).toMatchObject({
    status: 'conflict',
    conflicts: [{ path: 'a.txt', tied: ['moved.txt'] }],
  });
  expect((await undo(1, { choices: { 'a.txt': 'skip' } })).outcome).toMatchObject({ status: 'done' });
  expect(tree()).toEqual({ 'a.txt': 'by hand', 'moved.txt': 'a', 'b.txt': 'b', 'empty-1': '' });
});

test('what a command moved from where an undo gives nothing back stays: its content is nowhere else', async () => {
  const large = 'l'.repeat(6 * 1024 * 1024);
  const { folder, turn, tree, undo } = lab({ 's.txt': 'content', large, 'a.txt': 'a' });
  await turn(
    run(() => {
      folder.write({ 'a.txt': 'b', 'made.txt': 'made by it', 'p/s.txt': 'content' });
      rmSync(folder.at('s.txt'));
      symlinkSync(NO_TEXT, folder.at('s.txt'));
    }),
  );
  expect((await undo(1)).outcome).toMatchObject({ status: 'done', files: ['a.txt', 'made.txt'] });
  expect(folder.text('p/s.txt')).toBe('content');
  expect(tree()).toMatchObject({ 'a.txt': 'a', 'p/s.txt': 'content' });
});

test('what a command moved here from a build folder stays: it is nowhere else', async () => {
  const { folder, turn, undo } = lab({ 'dist/made.js': 'built', 'dist/other.js': 'o', 'a.txt': 'a' });
  await stampsMoveOn();
  const summary = await turn(
    run(() => {
      renameSync(folder.at('dist/made.js'), folder.at('kept.js'));
      renameSync(folder.at('a.txt'), folder.at('b.txt'));
      folder.write({ 'new.txt': 'new' });
    }),
  );
  const told = summary?.commandChanges.flatMap(({ path, why }) => (path === 'kept.js' ? [why] : []));
  expect((await undo(1)).outcome.status).toBe('done');
  const there = ['kept.js', 'a.txt', 'b.txt', 'new.txt'].filter((path) => existsSync(folder.at(path)));
  // A disk without births gives no way to tell: there it counts as made by the command, and redo brings it back.
  const stats = statSync(folder.path);
  const tells = stats.birthtimeMs > 0 && new StampJudge().isExact(folder.path, stats);
  expect([told, there]).toEqual(tells ? [['moved'], ['kept.js', 'a.txt']] : [[], ['a.txt']]);
});

test('a file that somebody edits afterwards is a conflict, and all stays', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(run(() => folder.write({ 'a.txt': 'A', 'b.txt': 'B' })));
  folder.write({ 'a.txt': 'by hand' });
  const { outcome } = await undo(1);
  expect([outcome, tree()]).toEqual([
    {
      status: 'conflict',
      turns: [1],
      conflicts: [{ path: 'a.txt', why: "edited by hand after Belay's change" }],
    },
    { 'a.txt': 'by hand', 'b.txt': 'B' },
  ]);
});

test('a later command that changes the file is named where it stands against an undo', async () => {
  const { folder, turn, undo } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(run(() => folder.write({ 'a.txt': 'c' })));
  const { outcome } = await undo(1, { only: true });
  expect(outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by the command `make`' }],
  });
});

test('odd names come back as they were', async () => {
  const names = ['-rf', 'with\nnewline', 'a b', 'e\u0301', '\u00e9', "it's", '$(x)'];
  const { folder, turn, tree, undo } = lab(Object.fromEntries(names.map((name) => [name, name])));
  const before = tree();
  await turn(
    run(() => {
      for (const name of names) rmSync(join(folder.path, name));
    }),
  );
  expect(Object.keys(tree())).toEqual([]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

/** A link to it can't be told as a text, so it is left. */
const NO_TEXT = Buffer.from('caf\xe9', 'latin1');

test('special files are listed with the reason and left as they are', async () => {
  const { folder, turn, undo } = lab({ 'a.txt': 'a' });
  const summary = await turn(run(() => execFileSync('mkfifo', [folder.at('pipe')])));
  expect(summary?.commandChanges).toEqual([
    { path: 'pipe', operation: 'create', command: 'make', why: 'special' },
  ]);
  expect((await undo(1)).outcome).toEqual({
    status: 'nothing',
    why: 'What changed in turn 1 can’t be undone: the turn says why for each file.',
  });
});

test('files and folders of names that are no valid UTF-8 are listed, never silently left out', async () => {
  const { folder, turn } = lab({ 'a.txt': 'a' });
  const odd = (name: string) => Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from(name, 'latin1')]);
  writeFileSync(odd('changes\xe9'), 'old');
  writeFileSync(odd('goes\xe9'), 'old');
  writeFileSync(odd('stays\xe9'), 'old');
  mkdirSync(odd('folder\xe9'));
  const results: unknown[] = [];
  const summary = await turn(async (hands) => {
    const work = () => {
      writeFileSync(odd('changes\xe9'), 'new');
      writeFileSync(odd('comes\xe9'), 'new');
      rmSync(odd('goes\xe9'));
    };
    results.push(await hands.run('make', work));
  });
  const listed = { command: 'make', why: 'special' };
  expect(summary?.commandChanges).toEqual([
    { path: 'changes\u{FFFD}', operation: 'modify', ...listed },
    { path: 'goes\u{FFFD}', operation: 'delete', ...listed },
    { path: 'comes\u{FFFD}', operation: 'create', ...listed },
  ]);
  expect(results).toMatchObject([
    {
      notes: [
        'Folders that can\'t be read now were left out of that: "folder\u{FFFD}".',
        'An undo will not take back: 3 files of no regular kind or no valid name.',
      ],
    },
  ]);
});

test('a 6 MB file is listed as too large, with the rest of the turn undone', async () => {
  const { folder, turn, undo } = lab({ 'a.txt': 'a', 'big.bin': new Uint8Array(6 * 1024 * 1024) });
  const summary = await turn(run(() => folder.write({ 'a.txt': 'b', 'big.bin': 'gone' })));
  expect(summary?.commandChanges).toEqual([
    { path: 'big.bin', operation: 'modify', command: 'make', why: 'too-large' },
  ]);
  expect((await undo(1)).outcome).toEqual({
    status: 'done',
    turns: [1],
    files: ['a.txt'],
    notes: ['Changed while a command ran, and left as it is: big.bin'],
  });
});

test('what was changed while another command ran is listed and not undone', async () => {
  const { folder, turn, undo, tree } = lab({ 'a.txt': 'a' });
  const summary = await turn(run(() => folder.write({ 'a.txt': 'b' }), { beside: ['npm start'] }));
  expect([summary?.files, summary?.commandChanges]).toEqual([
    [],
    [{ path: 'a.txt', operation: 'modify', command: 'make', why: 'meanwhile' }],
  ]);
  expect((await undo(1)).outcome.status).toBe('nothing');
  expect(tree()).toEqual({ 'a.txt': 'b' });
});

test('what is saved from an editor while a command runs is the person’s, and stays', async () => {
  const { folder, host, turn, undo, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  const summary = await turn(
    run(() => {
      folder.write({ 'a.txt': 'by the command', 'b.txt': 'by hand' });
      host.save(folder.at('b.txt') as AbsolutePath);
    }),
  );
  expect(summary?.commandChanges.map(({ path, why }) => [path, why])).toEqual([['b.txt', 'meanwhile']]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'by hand' });
});

test('CK-14: after a reload and a change by hand, the undo of a command’s change is refused', async () => {
  const { folder, world, turn, tree } = lab({ 'f.txt': 'one' });
  await turn(run(() => folder.write({ 'f.txt': 'two' })));
  folder.write({ 'f.txt': 'other branch' });
  const reloaded = createCheckpoints(world);
  const { outcome } = await reloaded.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  expect([outcome.status, tree()]).toEqual(['conflict', { 'f.txt': 'other branch' }]);
});

test('CK-15: after a reload an unchanged file isn’t read again, though no repository holds it', async () => {
  const made = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await stampsMoveOn();
  await made.turn(run(() => undefined));
  rmSync(made.storage.at('blobs'), { recursive: true });
  const reloaded = lab({}, { ...made.world });
  made.folder.write({ 'b.txt': 'B' });
  await reloaded.turnIn(
    'session-2' as SessionId,
    run(() => undefined),
  );
  expect(readdirSync(made.storage.at('blobs'))).toEqual([sha256('B')]);
});

test('CK-08: Belay’s storage and settings in the folder are never looked at or restored', async () => {
  const folder = tempFolder({ 'a.txt': 'a', '.belay/settings.json': '{}', 'state/belay.db': '1' });
  const { turn, undo } = lab({}, { folder: folder.path, storage: folder.at('state') });
  const summary = await turn(
    run(() => folder.write({ 'a.txt': 'b', '.belay/settings.json': '{"x":1}', 'state/belay.db': '2' })),
  );
  expect(summary?.commandChanges.map(({ path, why }) => [path, why])).toEqual([
    ['.belay/settings.json', 'own'],
  ]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect(['a.txt', '.belay/settings.json', 'state/belay.db'].map((name) => folder.text(name))).toEqual([
    'a',
    '{"x":1}',
    '2',
  ]);
});

test('of more than 10,000 changed files what was there before comes first, and the rest is said', async () => {
  const { folder, turn } = lab({ 'kept.txt': 'precious', 'a.txt': 'a' });
  mkdirSync(folder.at('many'));
  let notes: readonly string[] = [];
  const summary = await turn(async (hands) => {
    const seen = await hands.run('make', () => {
      rmSync(folder.at('kept.txt'));
      for (let n = 0; n < 10_000; n++) writeFileSync(folder.at(`many/${n}`), '');
    });
    notes = seen.notes;
  });
  expect([summary?.files.length, summary?.files.find(({ path }) => path === 'kept.txt')?.operation]).toEqual([
    10_000,
    'delete',
  ]);
  expect(summary?.commandChanges.map(({ why }) => why)).toEqual(['too-many']);
  expect(notes).toEqual(['An undo will not take back: 1 file beyond the first 10,000 changes.']);
}, 60_000);

test('a command that Belay was stopped in is named in its turn: what it changed isn’t known', async () => {
  const { folder, world, checkpoints, turn, undo } = lab({ 'a.txt': 'a' });
  const summary = await turn(async ({ journal }) => {
    const { signal } = new AbortController();
    const limits = { ignoredBytes: 0, allBytes: 1000 };
    await journal.cover({ command: 'npm install', signal, limits });
    folder.write({ 'a.txt': 'b' });
  });
  expect([summary?.cutOffCommands, summary?.files]).toEqual([['npm install'], []]);
  expect(checkpoints.list(SESSION)).toEqual([summary]);
  const words = 'Belay was stopped while a command ran; what it changed isn’t known and stays: npm install';
  expect((await undo(1)).outcome).toEqual({ status: 'nothing', why: words });
  await turn(edit('a.txt', 'c'));
  expect((await undo(1)).outcome).toMatchObject({ status: 'done', notes: [words] });
  // Nobody runs it any more: it is no later command's meanwhile.
  expect(
    world.store.commandRuns.isBeside(world.folder, 'other' as never, world.store.commandRuns.last()),
  ).toBe(false);
});

test('says which folder could not be read', async () => {
  const { folder, turn } = lab({ 'd/a': '1', 'e/a': '1' });
  let notes: readonly string[] = [];
  await turn(async ({ journal }) => {
    const { signal } = new AbortController();
    const limits = { ignoredBytes: 0, allBytes: 1000 };
    const cover = await journal.cover({ command: 'make', signal, limits });
    folder.chmod('', 0o755);
    for (const name of ['d', 'e']) folder.chmod(name, 0);
    notes = (await asOrdinaryUser(() => cover.end([]))).notes;
  });
  for (const name of ['d', 'e']) folder.chmod(name, 0o755);
  expect(notes).toEqual(['Folders that can\'t be read now were left out of that: "d" and 1 more.']);
});

test('build folders and what Belay is just writing are not looked at', async () => {
  const { folder, turn } = lab({ 'src/a': '1' });
  const summary = await turn(
    run(() =>
      folder.write({
        'src/a': '22',
        'src/node_modules/m/x': '1',
        '.git/index': '1',
        'src/.belay-12-0123456789ab.tmp': '1',
        'src/.belay-notes': '1',
      }),
    ),
  );
  expect(summary?.files.map(({ path, operation }) => `${operation} ${path}`)).toEqual([
    'modify src/a',
    'create src/.belay-notes',
  ]);
});

test('build folders that a command made, changed or removed are listed, caches aren’t', async () => {
  const { folder, turn, undo } = lab({
    'a.txt': 'a',
    'dist/js/a.js': 'a',
    'out/x': 'x',
    'venv/bin/p': 'p',
    '.cache/x': 'x',
    'lib/node_modules/m/i.js': 'i',
  });
  await stampsMoveOn();
  const summary = await turn(
    run(() => {
      folder.write({ 'a.txt': 'b', 'dist/js/a.js': 'b', 'target/y': 'y', '.cache/x': 'z' });
      rmSync(folder.at('out'), { recursive: true });
      rmSync(folder.at('lib/node_modules/m'), { recursive: true });
    }),
  );
  const listed = { command: 'make', why: 'build' };
  expect([...(summary?.commandChanges ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'dist/', operation: 'modify', ...listed },
    { path: 'lib/node_modules/', operation: 'modify', ...listed },
    { path: 'out/', operation: 'delete', ...listed },
    { path: 'target/', operation: 'create', ...listed },
  ]);
  expect((await undo(1)).outcome).toMatchObject({
    status: 'done',
    files: ['a.txt'],
    notes: [expect.stringMatching(/^Changed while a command ran, and left as it is: .*dist\//)],
  });
});

test('what another session wrote while a command ran is that session’s, and stays', async () => {
  const { folder, turn, turnIn, undo, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(
    run(async () => {
      folder.write({ 'a.txt': 'by the command' });
      await turnIn('session-2' as SessionId, edit('b.txt', 'by the other session'));
    }),
  );
  const { outcome } = await undo(1);
  expect([outcome, tree()]).toEqual([
    {
      status: 'done',
      turns: [1],
      files: ['a.txt'],
      notes: ['Changed while a command ran, and left as it is: b.txt'],
    },
    { 'a.txt': 'a', 'b.txt': 'by the other session' },
  ]);
});

test('two sessions’ commands at once are each other’s meanwhile', async () => {
  const { folder, turn, turnIn } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  let second: Awaited<ReturnType<typeof turnIn>>;
  const first = await turn(
    run(async () => {
      folder.write({ 'a.txt': '1' });
      second = await turnIn(
        'session-2' as SessionId,
        run(() => folder.write({ 'b.txt': '2' })),
      );
    }),
  );
  const reasons = [first, second].map((summary) =>
    summary?.commandChanges.map(({ path, why }) => [path, why]),
  );
  expect(reasons).toEqual([
    [
      ['a.txt', 'meanwhile'],
      ['b.txt', 'meanwhile'],
    ],
    [['b.txt', 'meanwhile']],
  ]);
});

test('a folder that a command only emptied is not removed by the undo', async () => {
  const { folder, turn, undo, tree } = lab({ 'd/a.txt': 'a' });
  await turn(
    run(() => {
      rmSync(folder.at('d/a.txt'));
      rmdirSync(folder.at('d'));
      mkdirSync(folder.at('d'));
    }),
  );
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'd/a.txt': 'a' });
});

test('a turn of folders alone is listed with them, undone and redone', async () => {
  const { folder, turn, undo, redo, checkpoints, tree } = lab({ 'a.txt': 'a' });
  mkdirSync(folder.at('was'));
  const before = tree();
  const summary = await turn(
    run(() => {
      mkdirSync(folder.at('new/inner'), { recursive: true });
      rmdirSync(folder.at('was'));
    }),
  );
  const after = tree();
  const shown = () =>
    checkpoints.list(SESSION).map(({ state, files, folders }) => ({ state, files, folders }));
  const folders = [
    { path: 'new', operation: 'create' },
    { path: 'new/inner', operation: 'create' },
    { path: 'was', operation: 'delete' },
  ];
  const last = checkpoints.lastUndoable(SESSION);
  expect([summary?.folders, shown(), last]).toEqual([folders, [{ state: 'sealed', files: [], folders }], 1]);
  const undone = await undo(1);
  expect([undone.outcome, undone.events, tree(), checkpoints.lastUndoable(SESSION)]).toMatchObject([
    { status: 'done', turns: [1], files: [], folders: 3, notes: [] },
    [{ type: 'checkpoint.undone', checkpointIds: [summary?.id], files: [] }],
    before,
    undefined,
  ]);
  const gone = folders.map((each) => ({ ...each, undone: true }));
  expect(shown()).toEqual([{ state: 'undone', files: [], folders: gone }]);
  const redone = await redo();
  expect([redone.outcome, redone.events.map(({ type }) => type), tree(), shown()]).toMatchObject([
    { status: 'done', folders: 3 },
    ['checkpoint.redone'],
    after,
    [{ state: 'sealed', folders }],
  ]);
});

test('a turn of folders alone that somebody took back by hand is undone, and no longer the last to undo', async () => {
  const { folder, turn, undo, checkpoints } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(run(() => mkdirSync(folder.at('new'))));
  rmdirSync(folder.at('new'));
  const last = checkpoints.lastUndoable(SESSION);
  const { outcome } = await undo(2);
  expect([last, outcome, checkpoints.list(SESSION).at(-1)?.state, checkpoints.lastUndoable(SESSION)]).toEqual(
    [...[2, { status: 'done', turns: [2], files: [], notes: [] }, 'undone', 1]],
  );
});

test('a turn of folders alone whose folder holds something by now leaves it, and says so', async () => {
  const { folder, turn, undo, tree } = lab({});
  await turn(run(() => mkdirSync(folder.at('new'))));
  folder.write({ 'new/mine.txt': 'mine' });
  const { outcome } = await undo(1);
  expect([outcome, tree()]).toEqual([
    { status: 'done', turns: [1], files: [], notes: ['The folder new was kept: it is not empty'] },
    { 'new/mine.txt': 'mine' },
  ]);
});

test('of a folder that several turns removed and made, what was there before the first of them counts', async () => {
  const { folder, turn, undo, tree } = lab({ 'a.txt': 'a' });
  mkdirSync(folder.at('was'));
  const before = tree();
  await turn(
    run(() => {
      folder.write({ 'a.txt': 'aa' });
      rmdirSync(folder.at('was'));
      mkdirSync(folder.at('was-not'));
    }),
  );
  await turn(
    run(() => {
      folder.write({ 'a.txt': 'aaa' });
      mkdirSync(folder.at('was'));
      rmdirSync(folder.at('was-not'));
    }),
  );
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});
