import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import type { Hands, RunOptions, SESSION } from '#test/unit/checkpoints/hands';
import { create, type Lab, lab, type Step } from '#test/unit/checkpoints/lab';

const run =
  (work: () => unknown, more?: RunOptions): Step =>
  (hands: Hands) =>
    hands.run('chmod', work, more);

/** Permission bits of folders; undefined where nothing is. */
function bits({ folder }: Lab, ...paths: readonly string[]): (string | undefined)[] {
  return paths.map((path) =>
    existsSync(folder.at(path)) ? (statSync(folder.at(path)).mode & 0o7777).toString(8) : undefined,
  );
}

/** Folders are looked at by their bits. */
function filesIn(at: Lab): Record<string, string> {
  return Object.fromEntries(Object.entries(at.tree()).filter(([path]) => !path.endsWith('/')));
}

/** A folder `k` with a file in it, as usual. */
function withFolder(files: Readonly<Record<string, string>> = { 'k/x': 'x\n' }): Lab {
  const at = lab(files);
  chmodSync(at.folder.at('k'), 0o755);
  return at;
}

test('a command’s chmod of a folder is a change of the turn, undone and redone', async () => {
  const at = withFolder();
  const summary = await at.turn(run(() => chmodSync(at.folder.at('k'), 0o700)));
  expect(summary?.files).toEqual([
    {
      path: 'k/',
      operation: 'modify',
      before: { kind: 'folder', mode: 0o755 },
      after: { kind: 'folder', mode: 0o700 },
      added: 0,
      removed: 0,
      command: 'chmod',
    },
  ]);
  const undone = await at.undo(1);
  expect([undone.outcome, bits(at, 'k')]).toEqual([
    { status: 'done', turns: [1], files: ['k/'], notes: [] },
    ['755'],
  ]);
  expect([(await at.redo()).outcome.status, bits(at, 'k')]).toEqual(['done', ['700']]);
});

test('a folder that a command removed comes back with the bits that the turn before gave it, and then with those of before', async () => {
  const at = withFolder();
  const tree = filesIn(at);
  await at.turn(run(() => chmodSync(at.folder.at('k'), 0o700)));
  await at.turn(run(() => rmSync(at.folder.at('k'), { recursive: true })));
  expect([(await at.undo(2)).outcome.status, bits(at, 'k'), filesIn(at)]).toEqual(['done', ['700'], tree]);
  expect([(await at.undo(1)).outcome.status, bits(at, 'k')]).toEqual(['done', ['755']]);
  await at.redo();
  await at.redo();
  expect(filesIn(at)).toEqual({});
  expect([(await at.undo(1)).outcome.status, bits(at, 'k'), filesIn(at)]).toEqual(['done', ['755'], tree]);
});

test('a turn whose folder a later one took away is not undone alone: the later one would bring back other bits', async () => {
  const at = withFolder();
  await at.turn(run(() => chmodSync(at.folder.at('k'), 0o700)));
  await at.turn(run(() => rmSync(at.folder.at('k'), { recursive: true })));
  expect((await at.undo(1, { only: true })).outcome).toEqual({
    status: 'conflict',
    turns: [1],
    conflicts: [{ path: 'k/', why: 'changed again by Belay in turn 2', fixed: true }],
  });
});

test('bits that were changed by hand since are a conflict with its cause, and overwritten at a word', async () => {
  const at = withFolder();
  await at.turn(run(() => chmodSync(at.folder.at('k'), 0o700)));
  chmodSync(at.folder.at('k'), 0o711);
  expect([(await at.undo(1)).outcome, bits(at, 'k')]).toEqual([
    {
      status: 'conflict',
      turns: [1],
      conflicts: [{ path: 'k/', why: "its permissions were changed by hand after Belay's change" }],
    },
    ['711'],
  ]);
  const skipped = await at.undo(1, { choices: { 'k/': 'skip' } });
  expect([skipped.outcome.status, bits(at, 'k')]).toEqual(['nothing', ['711']]);
  const over = await at.undo(1, { choices: { 'k/': 'overwrite' } });
  expect([over.outcome.status, bits(at, 'k')]).toEqual(['done', ['755']]);
  expect([(await at.redo()).outcome.status, bits(at, 'k')]).toEqual(['done', ['711']]);
});

test('a change by a command of another session is named', async () => {
  const at = withFolder();
  await at.turn(run(() => chmodSync(at.folder.at('k'), 0o700)));
  await at.turnIn(
    'other' as typeof SESSION,
    run(() => chmodSync(at.folder.at('k'), 0o711)),
  );
  expect((await at.undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'k/', why: 'changed by the command `chmod`' }],
  });
});

test('a whole tree of folders, sticky and setgid bits and the workspace itself go back and forth', async () => {
  const at = withFolder({ 'k/x': 'x', 'k/a/y': 'y', 'k/a/b/z': 'z' });
  const paths = ['.', 'k', 'k/a', 'k/a/b'];
  for (const path of paths) chmodSync(at.folder.at(path), 0o755);
  await at.turn(
    run(() => {
      chmodSync(at.folder.at('.'), 0o711);
      chmodSync(at.folder.at('k'), 0o2770);
      chmodSync(at.folder.at('k/a'), 0o1777);
      chmodSync(at.folder.at('k/a/b'), 0o500);
    }),
  );
  const after = bits(at, ...paths);
  expect(after).toEqual(['711', '2770', '1777', '500']);
  expect((await at.undo(1)).outcome).toMatchObject({ files: ['./', 'k/', 'k/a/', 'k/a/b/'] });
  expect(bits(at, ...paths)).toEqual(['755', '755', '755', '755']);
  await at.redo();
  expect(bits(at, ...paths)).toEqual(after);
});

test('a folder that a command made and an undo took away comes again with its bits', async () => {
  const at = lab({ 'a.txt': 'a' });
  await at.turn(
    run(() => {
      mkdirSync(at.folder.at('secret/deep'), { recursive: true });
      at.folder.write({ 'secret/deep/s': 's' });
      chmodSync(at.folder.at('secret/deep'), 0o550);
      chmodSync(at.folder.at('secret'), 0o2700);
    }),
  );
  const after = filesIn(at);
  expect((await at.undo(1)).outcome).toMatchObject({ status: 'done', notes: [] });
  expect(filesIn(at)).toEqual({ 'a.txt': 'a' });
  expect((await at.redo()).outcome.status).toBe('done');
  expect([filesIn(at), bits(at, 'secret', 'secret/deep')]).toEqual([after, ['2700', '550']]);
});

test('several changes of one folder in one turn are one, and what cancels out is none', async () => {
  const at = withFolder({ 'k/x': 'x', 'm/x': 'x' });
  chmodSync(at.folder.at('m'), 0o755);
  const summary = await at.turn(
    run(() => chmodSync(at.folder.at('k'), 0o700)),
    run(() => chmodSync(at.folder.at('m'), 0o700)),
    run(() => chmodSync(at.folder.at('k'), 0o711)),
    run(() => chmodSync(at.folder.at('m'), 0o755)),
  );
  expect(summary?.files.map(({ path, after }) => [path, after])).toEqual([
    ['k/', { kind: 'folder', mode: 0o711 }],
  ]);
  expect([(await at.undo(1)).outcome.status, bits(at, 'k', 'm')]).toEqual(['done', ['755', '755']]);
});

test.each([
  ['a command', (at: Lab) => run(() => at.folder.write({ 'k/y': 'y' }))],
  ['a tool', () => create('k/y', 'y')],
])(
  'a folder that was taken away and made again by %s gets the bits of before the turn',
  async (_by, makes) => {
    const at = withFolder();
    const tree = filesIn(at);
    chmodSync(at.folder.at('k'), 0o750);
    await at.turn(
      run(() => chmodSync(at.folder.at('k'), 0o700)),
      run(() => rmSync(at.folder.at('k'), { recursive: true })),
      makes(at),
    );
    const after = filesIn(at);
    expect([(await at.undo(1)).outcome.status, filesIn(at), bits(at, 'k')]).toEqual(['done', tree, ['750']]);
    await at.redo();
    expect([filesIn(at), bits(at, 'k')]).toEqual([after, ['755']]);
  },
);

test('a folder that was made, changed and taken away in one turn leaves nothing to undo', async () => {
  const at = lab({ 'a.txt': 'a' });
  await at.turn(
    run(() => mkdirSync(at.folder.at('k'))),
    run(() => chmodSync(at.folder.at('k'), 0o700)),
    run(() => rmSync(at.folder.at('k'), { recursive: true })),
  );
  expect((await at.undo(1)).outcome.status).toBe('done');
  expect(filesIn(at)).toEqual({ 'a.txt': 'a' });
});

test('a file in the place of a folder and a folder in the place of a file keep their own states apart', async () => {
  const at = withFolder();
  const tree = filesIn(at);
  await at.turn(
    run(() => chmodSync(at.folder.at('k'), 0o700)),
    run(() => {
      rmSync(at.folder.at('k'), { recursive: true });
      at.folder.write({ k: 'a file' });
    }),
  );
  expect([(await at.undo(1)).outcome.status, filesIn(at), bits(at, 'k')]).toEqual(['done', tree, ['755']]);
  await at.redo();
  expect(filesIn(at)).toEqual({ k: 'a file' });
});

test('while another command runs, it is listed as changed meanwhile and stays; Belay’s own settings are its own', async () => {
  const at = withFolder({ 'k/x': 'x', '.belay/x': 'x' });
  const beside = await at.turn(run(() => chmodSync(at.folder.at('k'), 0o700), { beside: ['npm run dev'] }));
  const own = await at.turn(run(() => chmodSync(at.folder.at('.belay'), 0o700)));
  const told = [beside, own].flatMap((one) => one?.commandChanges.map(({ path, why }) => [path, why]));
  expect([told, (await at.undo(1)).outcome.status, bits(at, 'k')]).toEqual([
    [
      ['k/', 'meanwhile'],
      ['.belay/', 'own'],
    ],
    'nothing',
    ['700'],
  ]);
});

test('one folder of a turn goes back alone', async () => {
  const at = withFolder({ 'k/x': 'x', 'm/x': 'x' });
  chmodSync(at.folder.at('m'), 0o755);
  await at.turn(
    run(() => {
      for (const path of ['k', 'm']) chmodSync(at.folder.at(path), 0o700);
    }),
  );
  expect((await at.undo(1, { paths: ['m/'] })).outcome).toMatchObject({ status: 'done', files: ['m/'] });
  expect(bits(at, 'k', 'm')).toEqual(['700', '755']);
});

/** The lab as an ordinary user has it: nothing in it belongs to root. */
function owned(at: Lab, ...paths: readonly string[]): void {
  if (process.geteuid?.() !== 0) return;
  for (const folder of [at.folder, at.storage]) chownSync(folder.path, 65_534, 65_534);
  for (const path of paths) chownSync(at.folder.at(path), 65_534, 65_534);
}

test('files of a read-only folder are restored in it, and it is read-only again', async () => {
  const at = withFolder({ 'k/x': 'x', 'k/y': 'y', 'k/sub/z': 'z' });
  owned(at, 'k', 'k/x', 'k/y', 'k/sub', 'k/sub/z');
  chmodSync(at.folder.at('k'), 0o555);
  const tree = filesIn(at);
  await asOrdinaryUser(async () => {
    await at.turn(
      run(() => {
        chmodSync(at.folder.at('k'), 0o755);
        rmSync(at.folder.at('k/x'));
        rmSync(at.folder.at('k/sub'), { recursive: true });
        at.folder.write({ 'k/y': 'Y', 'k/new': 'n' });
        chmodSync(at.folder.at('k'), 0o555);
      }),
    );
    expect((await at.undo(1)).outcome).toMatchObject({ status: 'done' });
    expect([filesIn(at), bits(at, 'k')]).toEqual([tree, ['555']]);
    expect((await at.redo()).outcome).toMatchObject({ status: 'done' });
    expect([filesIn(at), bits(at, 'k')]).toEqual([{ 'k/new': 'n', 'k/y': 'Y' }, ['555']]);
  });
});

test('a folder that was closed by the command, and one that was closed before, take their files back', async () => {
  const at = withFolder({ 'k/x': 'x', 'm/x': 'x' });
  owned(at, 'k', 'k/x', 'm', 'm/x');
  chmodSync(at.folder.at('m'), 0o555);
  const tree = filesIn(at);
  await asOrdinaryUser(async () => {
    await at.turn(
      run(() => {
        rmSync(at.folder.at('k/x'));
        chmodSync(at.folder.at('k'), 0o555);
        chmodSync(at.folder.at('m'), 0o755);
        rmSync(at.folder.at('m'), { recursive: true });
      }),
    );
    expect((await at.undo(1)).outcome).toMatchObject({ status: 'done' });
    expect([filesIn(at), bits(at, 'k', 'm')]).toEqual([tree, ['755', '555']]);
  });
});

test('a folder that its owner may not enter any more is opened by the undo; what can’t be done leaves all as it was', async () => {
  const at = withFolder({ 'k/x': 'x', 'm/x': 'x' });
  owned(at, 'k', 'k/x', 'm', 'm/x');
  chmodSync(at.folder.at('m'), 0o555);
  await asOrdinaryUser(async () => {
    const seen: string[] = [];
    await at.turn(async (hands) => {
      const { notes } = await hands.run('chmod', () => chmodSync(at.folder.at('k'), 0));
      seen.push(...notes);
    });
    expect(seen.join()).toContain("can't be read now");
    expect([(await at.undo(1)).outcome.status, bits(at, 'k')]).toEqual(['done', ['755']]);
    expect([(await at.redo()).outcome.status, bits(at, 'k')]).toEqual(['done', ['0']]);
  });
});
