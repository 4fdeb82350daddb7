import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lab } from '#test/unit/checkpoints/lab';
import { commit, gitIn, keptIn, reader, repository, run } from './git-lab';

/** Everything below `.git`, byte by byte. */
function gitState(folder: string): Record<string, string> {
  const all = readdirSync(join(folder, '.git'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    all
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}

test('CK-15: of a repository only what is dirty or untracked is read before a command; an untouched file never twice', async () => {
  const made = repository({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', '.gitignore': '*.log\n' });
  const { folder, turn } = made;
  folder.write({ 'b.txt': 'dirty', 'new.txt': 'untracked', 'x.log': 'l'.repeat(100_000) });
  await turn(run(() => undefined));
  expect(keptIn(made)).toEqual(['dirty', 'untracked']);
  // Gone from the storage: whoever read them again would make them anew.
  rmSync(made.storage.at('blobs'), { recursive: true });
  await turn(run(() => undefined));
  expect(keptIn(made)).toEqual([]);
});

test('tracked, dirty, untracked and empty things that `rm -r` took come back', async () => {
  const { folder, turn, tree, undo } = repository({
    'src/a.txt': 'a',
    'src/b.txt': 'b',
    'src/deep/c.txt': 'c',
  });
  folder.write({ 'src/b.txt': 'dirty', 'src/new.txt': 'new' });
  mkdirSync(folder.at('src/empty'));
  const before = tree();
  await turn(run(() => rmSync(folder.at('src'), { recursive: true })));
  expect(await undo(1)).toMatchObject({ outcome: { status: 'done' } });
  expect(tree()).toEqual(before);
});

test('the dirty content that `git checkout .` threw away comes back', async () => {
  const { folder, turn, undo } = repository({ 'a.txt': 'committed' });
  folder.write({ 'a.txt': 'dirty' });
  await turn(run(() => gitIn(folder.path, 'checkout', '.')));
  expect(folder.text('a.txt')).toBe('committed');
  expect((await undo(1)).outcome.status).toBe('done');
  expect(folder.text('a.txt')).toBe('dirty');
});

test('CK-04: after `git stash` and `git commit` files come back, and no byte of the repository is touched', async () => {
  const { folder, turn, undo } = repository({ 'a.txt': 'a', 'b.txt': 'b' });
  folder.write({ 'a.txt': 'dirty' });
  await turn(
    run(() => {
      gitIn(folder.path, 'stash');
      folder.write({ 'b.txt': 'B' });
      gitIn(folder.path, 'commit', '-qam', 'second');
    }),
  );
  const before = gitState(folder.path);
  const { outcome } = await undo(1);
  expect([outcome.status, folder.text('a.txt'), folder.text('b.txt')]).toEqual(['done', 'dirty', 'b']);
  expect(gitState(folder.path)).toEqual(before);
});

test('looking before and after a command changes no byte of the repository either', async () => {
  const { folder, turn } = repository({ 'a.txt': 'a' });
  utimesSync(folder.at('a.txt'), 2000, 2000);
  const before = gitState(folder.path);
  await turn(run(() => folder.write({ 'a.txt': 'b' })));
  expect(gitState(folder.path)).toEqual(before);
});

test('a file written in the very tick of the index counts as dirty', async () => {
  const made = repository({ 'a.txt': 'a' });
  const { folder, turn } = made;
  folder.write({ 'a.txt': 'b' });
  gitIn(folder.path, 'add', '-A');
  // The index as if it were written in the same tick as the file.
  const { mtimeMs } = await import('node:fs').then(({ statSync }) => statSync(folder.at('a.txt')));
  utimesSync(folder.at('.git/index'), mtimeMs / 1000, mtimeMs / 1000);
  await turn(run(() => undefined));
  expect(keptIn(made)).toEqual(['b']);
});

const CONVERSIONS: readonly (readonly [string, (folder: string) => void])[] = [
  ['core.autocrlf', (folder) => gitIn(folder, 'config', 'core.autocrlf', 'true')],
  ['text attribute', (folder) => writeFileSync(join(folder, '.gitattributes'), '* text=auto eol=crlf\n')],
  ['a filter', (folder) => writeFileSync(join(folder, '.gitattributes'), '*.txt filter=lfs -text\n')],
  ['a macro', (folder) => writeFileSync(join(folder, '.gitattributes'), '[attr]big filter=lfs\n*.txt big\n')],
  ['info/attributes', (folder) => writeFileSync(join(folder, '.git/info/attributes'), '*.txt ident\n')],
];

test.each(CONVERSIONS)(
  'where git may change bytes on their way, the file is kept: %s',
  async (_what, convert) => {
    const made = lab({ 'a.txt': 'one\r\ntwo\r\n' }, { git: reader });
    const { folder, turn, tree, undo } = made;
    gitIn(folder.path, 'init', '-q');
    convert(folder.path);
    commit(folder.path, ['a.txt']);
    const before = tree();
    await turn(run(() => folder.write({ 'a.txt': 'one\ntwo\n' })));
    expect(keptIn(made)).toContain('one\r\ntwo\r\n');
    expect((await undo(1)).outcome.status).toBe('done');
    expect(tree()).toEqual(before);
  },
);

test.each(['2', '3', '4'])('index version %s', async (version) => {
  const names = ['a.txt', 'dir/a-rather-long-name.txt', 'dir/a-rather-long-other.txt', 'dir/b.txt'];
  const made = repository(Object.fromEntries(names.map((name) => [name, name])));
  const { folder, turn, tree, undo } = made;
  if (version === '3') {
    folder.write({ 'later.txt': '' });
    gitIn(folder.path, 'add', '-N', 'later.txt');
  } else gitIn(folder.path, 'update-index', '--index-version', version);
  const before = tree();
  await turn(run(() => undefined));
  expect(keptIn(made).filter(Boolean)).toEqual([]);
  await turn(
    run(() => {
      for (const name of names) rmSync(folder.at(name));
    }),
  );
  expect((await undo(2)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
  expect(readFileSync(folder.at('.git/index')).readUInt32BE(4)).toBe(Number(version));
});

test('a sha256 repository serves its files too', async () => {
  const made = repository({ 'a.txt': 'a' }, { format: 'sha256' });
  const { folder, turn, undo } = made;
  await turn(run(() => undefined));
  expect(keptIn(made)).toEqual([]);
  await turn(run(() => folder.write({ 'a.txt': 'bb' })));
  expect((await undo(2)).outcome.status).toBe('done');
  expect(folder.text('a.txt')).toBe('a');
});

test('a split index isn’t trusted: files are kept', async () => {
  const made = repository({ 'a.txt': 'a' });
  gitIn(made.folder.path, 'update-index', '--split-index');
  await made.turn(run(() => undefined));
  expect(keptIn(made)).toEqual(['a']);
});

test('a linked worktree, a submodule and a nested repository are served by their own index', async () => {
  const outer = lab({}, { git: reader });
  const inner = repository({ 'lib.txt': 'lib' });
  const { folder, turn, tree, undo } = outer;
  gitIn(folder.path, 'init', '-q');
  folder.write({ 'a.txt': 'a' });
  gitIn(
    folder.path,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    inner.folder.path,
    'sub',
  );
  commit(folder.path, ['a.txt']);
  gitIn(folder.path, 'worktree', 'add', '-q', 'tree');
  gitIn(folder.path, 'init', '-q', 'nested');
  folder.write({ 'nested/n.txt': 'n' });
  commit(folder.at('nested'), ['n.txt']);
  const names = ['a.txt', 'sub/lib.txt', 'tree/a.txt', 'nested/n.txt'];
  for (const name of names) utimesSync(folder.at(name), 2000, 2000);
  const ticked = Date.now() + 20;
  while (Date.now() < ticked);
  for (const name of ['.', 'sub', 'tree', 'nested'])
    gitIn(folder.at(name), 'update-index', '-q', '--refresh');
  const before = tree();
  await turn(run(() => undefined));
  expect(keptIn(outer)).toEqual([]);
  await turn(
    run(() => {
      for (const name of names) folder.write({ [name]: 'changed' });
    }),
  );
  expect((await undo(2)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

test('CK-01: a nested repository works at every instant, and its .git is never written', async () => {
  const { folder, turn, undo } = repository({ 'a.txt': 'a' });
  gitIn(folder.path, 'init', '-q', 'sub');
  folder.write({ 'sub/b.txt': 'b' });
  const before = gitState(folder.at('sub'));
  await turn(run(() => folder.write({ 'sub/b.txt': 'B' })));
  expect((await undo(1)).outcome.status).toBe('done');
  expect(gitState(folder.at('sub'))).toEqual(before);
  expect(gitIn(folder.at('sub'), 'status', '--porcelain')).toBe('?? b.txt\n');
});

test('CK-09: with a corrupt configuration nothing is taken from git, and an undo deletes only what the command made', async () => {
  const { folder, turn, tree, undo } = repository({ 'a.txt': 'a', '.gitignore': '*.env\n' });
  folder.write({ 'my.env': 'secret', '.git/config': '[broken' });
  const before = tree();
  await turn(
    run(() => {
      folder.write({ 'a.txt': 'A', 'made.txt': 'm', 'made.env': 'm' });
      rmSync(folder.at('my.env'));
    }),
  );
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

test('a folder named build that git has files of is the project’s own, and comes back', async () => {
  const files = { 'build/make.sh': 'm', 'packages/a/dist/kept.txt': 'k', '.gitignore': 'out/\n' };
  const { folder, turn, tree, undo } = repository(files);
  folder.write({ 'out/made.js': 'o', 'build/untracked.txt': 'u' });
  const before = tree();
  await turn(
    run(() => {
      for (const name of ['build', 'packages']) rmSync(folder.at(name), { recursive: true });
      folder.write({ 'out/made.js': 'again' });
    }),
  );
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ ...before, 'out/made.js': 'again' });
});

test('a small ignored file comes back, a large one is listed and left', async () => {
  const { folder, turn, tree, undo } = repository({ '.gitignore': '.env\n*.log\n' });
  folder.write({ '.env': 'KEY=1', 'big.log': 'x'.repeat(70_000) });
  const summary = await turn(
    run(() => {
      rmSync(folder.at('.env'));
      folder.write({ 'big.log': 'gone', 'other.log': 'y'.repeat(70_000) });
    }),
  );
  expect(summary?.commandChanges.map(({ path, why }) => [path, why])).toEqual([
    ['big.log', 'ignored'],
    ['other.log', 'ignored'],
  ]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect([folder.text('.env'), tree()['big.log']]).toEqual(['KEY=1', 'gone']);
});

test('a folder inside a repository is served by the repository around it', async () => {
  const made = repository({ 'sub/a.txt': 'a', 'other.txt': 'o', '.gitattributes': 'sub/*.bin -text\n' });
  const inner = lab({}, { git: reader, folder: made.folder.at('sub') as never });
  await inner.turn(run(() => writeFileSync(made.folder.at('sub/a.txt'), 'changed')));
  const kept = keptIn(inner);
  expect((await inner.undo(1)).outcome.status).toBe('done');
  expect([made.folder.text('sub/a.txt'), kept]).toEqual(['a', ['a', 'changed']]);
});

/** What makes git promise a content that it can't give back, found out while the file is still there. */
const BROKEN_PROMISES: readonly (readonly [string, (folder: string) => void])[] = [
  [
    'the objects are gone',
    (folder) => {
      rmSync(join(folder, '.git/objects'), { recursive: true });
      mkdirSync(join(folder, '.git/objects'));
    },
  ],
  [
    'the object is damaged',
    (folder) => {
      const object = gitIn(folder, 'rev-parse', 'HEAD:a.txt').trim();
      const path = join(folder, '.git/objects', object.slice(0, 2), object.slice(2));
      rmSync(path);
      writeFileSync(path, 'no object');
    },
  ],
  [
    'line ends were converted by attributes that are gone',
    (folder) => {
      writeFileSync(join(folder, '.gitattributes'), '*.txt text eol=crlf\n');
      rmSync(join(folder, 'a.txt'));
      gitIn(folder, 'checkout', '-q', 'a.txt');
      rmSync(join(folder, '.gitattributes'));
      const later = Date.now() + 40;
      while (Date.now() < later);
      writeFileSync(join(folder, 'more'), '');
      gitIn(folder, 'update-index', '--add', 'more');
    },
  ],
];

test.each(BROKEN_PROMISES)(
  'a file that git can’t give back is kept beforehand: %s',
  async (_what, breaks) => {
    const { folder, turn, tree, undo } = repository({ 'a.txt': 'one\ntwo\n', 'same.txt': 'one\ntwo\n' });
    breaks(folder.path);
    const before = tree();
    await turn(
      run(() => {
        for (const name of ['a.txt', 'same.txt']) rmSync(folder.at(name));
      }),
    );
    expect((await undo(1)).outcome.status).toBe('done');
    expect(tree()).toEqual(before);
  },
);

test('an object that the command itself destroyed makes its file not undoable, and says so', async () => {
  const { folder, turn } = repository({ 'a.txt': 'a' });
  const summary = await turn(
    run(() => {
      rmSync(folder.at('.git/objects'), { recursive: true });
      mkdirSync(folder.at('.git/objects'));
      folder.write({ 'a.txt': 'b' });
    }),
  );
  expect(summary?.commandChanges).toEqual([
    { path: 'a.txt', operation: 'modify', command: 'make', why: 'lost' },
  ]);
});

test('a file without its permission to be read is listed, not guessed', async () => {
  const made = lab({ 'a.txt': 'a' });
  chmodSync(made.folder.at('a.txt'), 0o644);
  const summary = await made.turn(
    run(() => made.folder.write({ 'a.txt': 'b' }), { limits: { allBytes: 0 } }),
  );
  expect(summary?.commandChanges.map(({ why }) => why)).toEqual(['budget']);
});
