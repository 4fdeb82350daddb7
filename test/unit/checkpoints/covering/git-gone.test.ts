import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GitReader } from '#host/git';
import { stampsMoveOn } from '#test/support/stamps';
import { tempFolder } from '#test/support/temp-folder';
import { type Lab, lab } from '#test/unit/checkpoints/lab';
import { commit, gitIn, keptIn, reader, repository, run } from './git-lab';

const FILES = { 'c.txt': 'one\n', 'd/e.txt': 'two\n' };

/** The folder's files, without what git keeps in it. */
function files({ tree }: Pick<Lab, 'tree'>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree()).filter(([path]) => !path.split('/').includes('.git')));
}

function removeFiles(folder: string): void {
  for (const name of Object.keys(FILES)) rmSync(join(folder, name));
}

/** A folder of loose objects in which another one than those of the files stays. */
function removeLoose(objects: string, id: string): void {
  writeFileSync(join(objects, id.slice(0, 2), 'f'.repeat(38)), 'another');
  rmSync(join(objects, id.slice(0, 2), id.slice(2)));
}

function idsIn(folder: string): readonly string[] {
  return Object.keys(FILES).map((name) => gitIn(folder, 'hash-object', name).trim());
}

function removePacks(objects: string): void {
  rmSync(join(objects, 'pack'), { recursive: true });
  mkdirSync(join(objects, 'pack'));
}

/** No commit and no reflog reaches the files' objects any more. */
function forget(folder: string): void {
  gitIn(folder, 'rm', '-rq', '--cached', '.');
  gitIn(folder, 'update-ref', '-d', 'refs/heads/main');
  gitIn(folder, 'reflog', 'expire', '--expire=now', '--all');
}

function moveOut(path: string): string {
  const outside = tempFolder().at('moved');
  renameSync(path, outside);
  return outside;
}

/** The objects of a repository, in a folder that it borrows from. */
function lend(folder: string): string {
  const outside = tempFolder().at('lender');
  gitIn(folder, 'clone', '-q', '--bare', '.', outside);
  for (const name of readdirSync(join(folder, '.git/objects')))
    rmSync(join(folder, '.git/objects', name), { recursive: true });
  mkdirSync(join(folder, '.git/objects/info'));
  writeFileSync(join(folder, '.git/objects/info/alternates'), `${outside}/objects\n`);
  return join(outside, 'objects');
}

const nothing = () => undefined;

type Way = readonly [
  how: string,
  prepare: (folder: string) => unknown,
  goes: (folder: string, prepared: string) => unknown,
];

/** How objects go, or their repository does, in a command between the one that looked and the one that destroys. */
const WAYS: readonly Way[] = [
  ['the repository was moved away', nothing, (folder) => moveOut(join(folder, '.git'))],
  [
    'the repository was replaced by another',
    nothing,
    (folder) => {
      moveOut(join(folder, '.git'));
      gitIn(folder, 'init', '-q');
      writeFileSync(join(folder, 'other.txt'), 'other');
      gitIn(folder, 'add', 'other.txt');
    },
  ],
  [
    'it was replaced by one that has the files in its index, but not their objects',
    nothing,
    (folder) => {
      const index = readFileSync(join(folder, '.git/index'));
      moveOut(join(folder, '.git'));
      gitIn(folder, 'init', '-q');
      writeFileSync(join(folder, '.git/index'), index);
    },
  ],
  [
    '`git gc` pruned them',
    nothing,
    (folder) => {
      forget(folder);
      gitIn(folder, 'gc', '-q', '--prune=now');
    },
  ],
  [
    '`git gc` pruned them from a pack',
    (folder) => gitIn(folder, 'gc', '-q'),
    (folder) => {
      forget(folder);
      gitIn(folder, 'gc', '-q', '--prune=now');
    },
  ],
  [
    'a repack dropped them',
    (folder) => gitIn(folder, 'gc', '-q'),
    (folder) => {
      forget(folder);
      gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'none');
      gitIn(folder, 'repack', '-adq');
    },
  ],
  [
    'their pack was removed',
    (folder) => gitIn(folder, 'gc', '-q'),
    (folder) => removePacks(join(folder, '.git/objects')),
  ],
  [
    'the index of their pack was removed',
    (folder) => gitIn(folder, 'gc', '-q'),
    (folder) => {
      const pack = join(folder, '.git/objects/pack');
      for (const name of readdirSync(pack)) if (name.endsWith('.idx')) rmSync(join(pack, name));
    },
  ],
  [
    'the loose objects were removed, and others in their folders stayed',
    nothing,
    (folder) => {
      for (const id of idsIn(folder)) removeLoose(join(folder, '.git/objects'), id);
    },
  ],
  [
    'the folder of objects was replaced by an empty one',
    nothing,
    (folder) => {
      moveOut(join(folder, '.git/objects'));
      mkdirSync(join(folder, '.git/objects'));
    },
  ],
  ['HEAD is gone, without which git opens nothing', nothing, (folder) => rmSync(join(folder, '.git/HEAD'))],
  ['HEAD means nothing', nothing, (folder) => writeFileSync(join(folder, '.git/HEAD'), 'nothing')],
  ['refs are gone', nothing, (folder) => rmSync(join(folder, '.git/refs'), { recursive: true })],
  ['the configuration is broken', nothing, (folder) => writeFileSync(join(folder, '.git/config'), '[broken')],
  ['those it borrows from are gone', lend, (_folder, lender) => moveOut(lender)],
  [
    'those it borrows from lost their packs',
    (folder) => {
      const lender = lend(folder);
      gitIn(join(lender, '..'), 'repack', '-adq');
      return lender;
    },
    (_folder, lender) => removePacks(lender),
  ],
  [
    'those it borrows from lost loose objects',
    lend,
    (folder, lender) => {
      for (const id of idsIn(folder)) removeLoose(lender, id);
    },
  ],
  ['it borrows no more', lend, (folder) => rmSync(join(folder, '.git/objects/info/alternates'))],
];

test.each(WAYS)('files are kept before the next command when %s', async (_how, prepare, goes) => {
  const made = repository(FILES);
  const { folder, turn, undo } = made;
  const prepared = String(prepare(folder.path));
  await turn(run(() => undefined));
  expect(keptIn(made)).toEqual([]);
  await turn(run(() => goes(folder.path, prepared)));
  const before = files(made);
  const summary = await turn(run(() => removeFiles(folder.path)));
  expect(summary?.commandChanges).toEqual([]);
  expect((await undo(3)).outcome.status).toBe('done');
  expect(files(made)).toEqual(before);
});

test('a linked worktree, a submodule and a nested repository lose their objects each by itself', async () => {
  const outer = lab({}, { git: reader });
  const inner = repository({ 'lib.txt': 'lib' });
  const main = repository({ 'm.txt': 'm' });
  const { folder, turn, undo } = outer;
  gitIn(folder.path, 'init', '-q');
  folder.write({ 'a.txt': 'a' });
  const add = ['submodule', '--quiet', 'add', inner.folder.path, 'sub'];
  gitIn(folder.path, '-c', 'protocol.file.allow=always', ...add);
  commit(folder.path, ['a.txt']);
  gitIn(main.folder.path, 'worktree', 'add', '-q', folder.at('tree'));
  gitIn(folder.path, 'init', '-q', 'nested');
  folder.write({ 'nested/n.txt': 'n' });
  commit(folder.at('nested'), ['n.txt']);
  const names = ['a.txt', 'sub/lib.txt', 'tree/m.txt', 'nested/n.txt'];
  for (const name of names) utimesSync(folder.at(name), 2000, 2000);
  const ticked = Date.now() + 20;
  while (Date.now() < ticked);
  for (const name of ['.', 'sub', 'tree', 'nested'])
    gitIn(folder.at(name), 'update-index', '-q', '--refresh');
  await turn(run(() => undefined));
  expect(keptIn(outer)).toEqual([]);
  await turn(
    run(() => {
      for (const path of ['.git/modules/sub', 'nested/.git']) moveOut(folder.at(path));
      moveOut(main.folder.at('.git'));
    }),
  );
  const before = files(outer);
  await turn(
    run(() => {
      for (const name of names) rmSync(folder.at(name));
    }),
  );
  expect(keptIn(outer)).toEqual(['a', 'lib', 'm', 'n']);
  expect((await undo(3)).outcome.status).toBe('done');
  expect(files(outer)).toEqual(before);
});

/** Says how many objects git is asked for each time; once it can be made to fail. */
function counting(made: (git: GitReader) => Lab) {
  const asked: number[] = [];
  let fails = false;
  const git: GitReader = {
    ...reader,
    async sizes(repository, objects) {
      if (fails) {
        fails = false;
        throw new Error('stopped');
      }
      asked.push(objects.length);
      return reader.sizes(repository, objects);
    },
  };
  const fail = () => {
    fails = true;
  };
  return { ...made(git), asked, fail };
}

test('git is asked again only for what may be gone, and what it still has is read by nobody', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.txt`);
  const all = Object.fromEntries(names.map((name) => [name, name]));
  const made = counting((git) => repository(all, { git }));
  const { folder, turn, asked } = made;
  await turn(run(() => undefined));
  // What was written in the clock's present tick isn't remembered.
  await stampsMoveOn();
  await turn(run(() => undefined));
  asked.length = 0;
  await turn(run(() => gitIn(folder.path, 'branch', 'other')));
  await turn(run(() => undefined));
  expect(asked).toEqual([]);
  await turn(run(() => gitIn(folder.path, 'commit', '-q', '--allow-empty', '-m', 'more')));
  await stampsMoveOn();
  await turn(run(() => undefined));
  expect(asked.every((objects) => objects < 10)).toBe(true);
  await turn(run(() => gitIn(folder.path, 'gc', '-q')));
  await turn(run(() => undefined));
  expect(keptIn(made)).toEqual([]);
});

test('what a look that broke off found to be in doubt stays so', async () => {
  const made = counting((git) => repository(FILES, { git }));
  const { folder, turn, undo, fail } = made;
  await turn(run(() => undefined));
  await turn(run(() => idsIn(folder.path).map((id) => removeLoose(folder.at('.git/objects'), id))));
  fail();
  await turn((hands) => expect(hands.run('make', () => undefined)).rejects.toThrow('stopped'));
  const before = files(made);
  const summary = await turn(run(() => removeFiles(folder.path)));
  expect(summary?.commandChanges).toEqual([]);
  expect((await undo(4)).outcome.status).toBe('done');
  expect(files(made)).toEqual(before);
});

test('a pack that is gone is gone, though a process still answers from it', async () => {
  const made = repository({ ...FILES, 'other.txt': 'other' });
  const { folder, turn, undo } = made;
  gitIn(folder.path, 'gc', '-q');
  await turn(run(() => rmSync(folder.at('other.txt'))));
  await turn(run(() => removePacks(folder.at('.git/objects'))));
  const before = files(made);
  await turn(run(() => removeFiles(folder.path)));
  expect((await undo(3)).outcome.status).toBe('done');
  expect(files(made)).toEqual(before);
});

test('one command that destroys repository and files is said in its result and its turn', async () => {
  const { folder, turn } = repository(FILES);
  await turn(run(() => undefined));
  let notes: readonly string[] = [];
  const summary = await turn(async (hands) => {
    const seen = await hands.run('make', () => {
      moveOut(folder.at('.git'));
      removeFiles(folder.path);
    });
    notes = seen.notes;
  });
  expect(notes).toEqual(['An undo will not take back: 2 files whose earlier content could not be had.']);
  expect(summary?.commandChanges.map(({ path, why }) => [path, why])).toEqual([
    ['c.txt', 'lost'],
    ['d/e.txt', 'lost'],
  ]);
});
