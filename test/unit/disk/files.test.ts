import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { diskFiles } from '#disk/files';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import { tempFolder } from '#test/support/temp-folder';

const files = diskFiles();
const bytes = (text: string) => new TextEncoder().encode(text);
const hash = (text: string) => sha256(text) as Sha256;

test('reads bytes, hash and stat; says when there is more', async () => {
  const folder = tempFolder({ 'a.txt': 'hello' });
  const whole = await files.read(folder.at('a.txt'));
  expect(whole).toMatchObject({
    ok: true,
    value: { sha256: hash('hello'), more: false, stat: { kind: 'file', bytes: 5, links: 1 } },
  });
  expect(await files.read(folder.at('a.txt'), { maxBytes: 5 })).toMatchObject({
    ok: true,
    value: { more: false },
  });
  expect(await files.read(folder.at('a.txt'), { maxBytes: 4 })).toMatchObject({
    ok: true,
    value: { more: true, sha256: hash('hell') },
  });
});

test('reads an empty file and one larger than a chunk', async () => {
  const big = 'x'.repeat(700_000);
  const folder = tempFolder({ empty: '', big });
  expect(await files.read(folder.at('empty'))).toMatchObject({ value: { sha256: hash(''), more: false } });
  expect(await files.read(folder.at('big'))).toMatchObject({ value: { sha256: hash(big), more: false } });
  expect(await files.read(folder.at('big'), { maxBytes: 600_000 })).toMatchObject({
    value: { sha256: hash('x'.repeat(600_000)), more: true },
  });
});

test('a file that claims to be empty is read to its end', async () => {
  const read = await files.read('/proc/self/status' as AbsolutePath, { maxBytes: 100_000 });
  expect(read.ok && Buffer.from(read.value.bytes).toString()).toContain('Name:');
});

test('an endless file stops at the bound', async () => {
  const folder = tempFolder({ huge: '' });
  truncateSync(folder.at('huge'), 5 * 1024 ** 3);
  const read = await files.read(folder.at('huge'), { maxBytes: 1000 });
  expect(read).toMatchObject({ ok: true, value: { more: true, stat: { bytes: 5 * 1024 ** 3 } } });
});

test('names what is no regular file at once, never hangs, never follows', async () => {
  const folder = tempFolder({ 'd/': '', 'a.txt': 'a' });
  execFileSync('mkfifo', [folder.at('pipe')]);
  symlinkSync('a.txt', folder.at('link'));
  const problems = await Promise.all(
    ['d', 'pipe', 'link', 'none', 'a.txt/x'].map((name) => files.read(folder.at(name))),
  );
  expect(problems.map((read) => !read.ok && read.error)).toMatchObject([
    { kind: 'not-a-file', message: 'd is a folder; only regular files are read and written' },
    { kind: 'not-a-file', message: 'pipe is a named pipe; only regular files are read and written' },
    { kind: 'not-a-file', message: 'link is a symbolic link; only regular files are read and written' },
    { kind: 'missing' },
    { kind: 'missing' },
  ]);
  expect(await files.read('/dev/zero' as AbsolutePath)).toMatchObject({
    ok: false,
    error: { kind: 'not-a-file' },
  });
});

test('replaces whole, keeps the mode, leaves no temporary file', async () => {
  const folder = tempFolder({ 'run.sh': 'old' });
  folder.chmod('run.sh', 0o755);
  const landed = await files.land({
    kind: 'replace',
    path: folder.at('run.sh'),
    bytes: bytes('new'),
    expected: hash('old'),
  });
  expect(landed).toEqual({
    ok: true,
    value: { via: 'disk', after: { sha256: hash('new'), bytes: 3, mode: 0o755 }, notes: [] },
  });
  expect([
    folder.text('run.sh'),
    statSync(folder.at('run.sh')).mode & 0o7777,
    readdirSync(folder.path),
  ]).toEqual(['new', 0o755, ['run.sh']]);
});

test('changes the mode when asked to', async () => {
  const folder = tempFolder({ a: 'old' });
  await files.land({
    kind: 'replace',
    path: folder.at('a'),
    bytes: bytes('new'),
    expected: hash('old'),
    mode: 0o600,
  });
  expect(statSync(folder.at('a')).mode & 0o7777).toBe(0o600);
});

test.each([
  ['replace', { kind: 'replace', bytes: bytes('new') }],
  ['delete', { kind: 'delete' }],
  ['rename', { kind: 'rename', to: '/nowhere' as AbsolutePath }],
] as const)('%s refuses a file that has changed, and leaves it', async (_name, change) => {
  const folder = tempFolder({ a: 'changed' });
  const landed = await files.land({ ...change, path: folder.at('a'), expected: hash('old') });
  expect(landed).toMatchObject({ ok: false, error: { kind: 'changed' } });
  expect([folder.text('a'), readdirSync(folder.path)]).toEqual(['changed', ['a']]);
});

test('ED-22 a hard link stays one: both names get the bytes, and it is said', async () => {
  const folder = tempFolder({ a: 'a longer old text' });
  linkSync(folder.at('a'), folder.at('b'));
  const landed = await files.land({
    kind: 'replace',
    path: folder.at('a'),
    bytes: bytes('new'),
    expected: hash('a longer old text'),
  });
  expect(landed).toMatchObject({
    value: { via: 'in-place', notes: ['written in place: the file has several hard links'] },
  });
  expect([folder.text('a'), folder.text('b'), statSync(folder.at('a')).nlink]).toEqual(['new', 'new', 2]);
});

/** A replacement of `a` that stands ready and waits for `first`; in place since `a` has a second name. */
async function waitingReplacement(inPlace: boolean) {
  const folder = tempFolder({ a: 'old' });
  if (inPlace) linkSync(folder.at('a'), folder.at('b'));
  const first = Promise.withResolvers<void>();
  const landing = files.land({
    kind: 'replace',
    path: folder.at('a'),
    bytes: bytes('new'),
    expected: hash('old'),
    beforeChange: () => first.promise,
  });
  await expect.poll(() => readdirSync(folder.path)).toHaveLength(2);
  return { folder, first, landing };
}

test.each([false, true])('a replacement waits for what must come first (in place: %s)', async (inPlace) => {
  const { folder, first, landing } = await waitingReplacement(inPlace);
  expect(folder.text('a')).toBe('old');
  first.resolve();
  expect((await landing).ok).toBe(true);
  expect([folder.text('a'), readdirSync(folder.path)]).toEqual(['new', inPlace ? ['a', 'b'] : ['a']]);
});

test.each([false, true])(
  'a replacement does not happen when what must come first fails (in place: %s)',
  async (inPlace) => {
    const { folder, first, landing } = await waitingReplacement(inPlace);
    first.reject(new Error('the disk is full'));
    expect((await landing).ok).toBe(false);
    expect([folder.text('a'), readdirSync(folder.path)]).toEqual(['old', inPlace ? ['a', 'b'] : ['a']]);
  },
);

test('a change that comes while a replacement waits is kept', async () => {
  const folder = tempFolder({ a: 'old' });
  const first = Promise.withResolvers<void>();
  const landing = files.land({
    kind: 'replace',
    path: folder.at('a'),
    bytes: bytes('new'),
    expected: hash('old'),
    beforeChange: () => first.promise,
  });
  await expect.poll(() => readdirSync(folder.path)).toHaveLength(2);
  folder.write({ a: 'by hand' });
  first.resolve();
  expect(await landing).toMatchObject({ ok: false, error: { kind: 'changed' } });
  expect([folder.text('a'), readdirSync(folder.path)]).toEqual(['by hand', ['a']]);
});

test.each([false, true])(
  'what was read a moment ago counts while the file is the same (in place: %s)',
  async (inPlace) => {
    const folder = tempFolder({ a: 'old', b: 'old' });
    if (inPlace) for (const name of ['a', 'b']) linkSync(folder.at(name), folder.at(`${name}2`));
    const before = await files.read(folder.at('a'));
    if (!before.ok) throw new Error(before.error.message);
    const change = {
      kind: 'replace',
      bytes: bytes('new'),
      expected: hash('old'),
      before: before.value,
    } as const;
    // Another file than the one that was read, if of the same content.
    const other = await files.land({ ...change, path: folder.at('b') });
    const first = await files.land({ ...change, path: folder.at('a') });
    const second = await files.land({ ...change, path: folder.at('a') });
    expect([first.ok, folder.text('a'), folder.text('b')]).toEqual([true, 'new', 'old']);
    expect([other, second]).toMatchObject([{ error: { kind: 'changed' } }, { error: { kind: 'changed' } }]);
  },
);

test('a file marked read-only is left alone', async () => {
  const folder = tempFolder({ a: 'old' });
  chmodSync(folder.at('a'), 0o444);
  const landed = await files.land({
    kind: 'replace',
    path: folder.at('a'),
    bytes: bytes('new'),
    expected: hash('old'),
  });
  expect([landed.ok || landed.error.kind, folder.text('a')]).toEqual(['denied', 'old']);
});

test('creates a file with the system’s own mode, or the one asked for', async () => {
  const folder = tempFolder();
  await files.land({ kind: 'create', path: folder.at('a'), bytes: bytes('x') });
  await files.land({ kind: 'create', path: folder.at('b'), bytes: bytes(''), mode: 0o750 });
  const modes = ['a', 'b'].map((name) => statSync(folder.at(name)).mode & 0o7777);
  expect([modes, folder.text('a'), readdirSync(folder.path)]).toEqual([
    [0o666 & ~process.umask(), 0o750],
    'x',
    ['a', 'b'],
  ]);
});

test('never creates over anything: file, folder, dangling link', async () => {
  const folder = tempFolder({ a: 'mine', 'd/': '' });
  symlinkSync('nowhere', folder.at('link'));
  for (const name of ['a', 'd', 'link']) {
    const landed = await files.land({ kind: 'create', path: folder.at(name), bytes: bytes('x') });
    expect(landed).toMatchObject({ ok: false, error: { kind: 'exists' } });
  }
  expect([folder.text('a'), lstatSync(folder.at('link')).isSymbolicLink(), readdirSync(folder.path)]).toEqual(
    ['mine', true, ['a', 'd', 'link']],
  );
});

test('says what is missing when the folder is', async () => {
  const folder = tempFolder();
  expect(await files.land({ kind: 'create', path: folder.at('d/a'), bytes: bytes('x') })).toMatchObject({
    error: { kind: 'missing' },
  });
});

test('two that create the same file at once: one wins whole', async () => {
  const folder = tempFolder();
  const texts = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(50_000));
  const landed = await Promise.all(
    texts.map((text) => files.land({ kind: 'create', path: folder.at('a'), bytes: bytes(text) })),
  );
  const winner = landed.findIndex(({ ok }) => ok);
  expect([
    landed.filter(({ ok }) => ok).length,
    folder.text('a') === texts[winner],
    readdirSync(folder.path),
  ]).toEqual([1, true, ['a']]);
});

test('renames, never over anything, and not a folder', async () => {
  const folder = tempFolder({ a: 'a', b: 'b', 'd/': '' });
  const rename = (from: string, to: string) =>
    files.land({ kind: 'rename', path: folder.at(from), to: folder.at(to), expected: hash(from) });
  const identity = (await files.stat(folder.at('a')))?.identity;
  expect(await rename('a', 'b')).toMatchObject({ error: { kind: 'exists' } });
  expect(await rename('a', 'a')).toMatchObject({ error: { kind: 'exists' } });
  expect(await rename('d', 'e')).toMatchObject({ error: { kind: 'not-a-file' } });
  expect(await rename('a', 'd/c')).toMatchObject({ ok: true, value: { after: { sha256: hash('a') } } });
  expect([
    (await files.stat(folder.at('d/c')))?.identity,
    readdirSync(folder.path),
    folder.text('b'),
  ]).toEqual([identity, ['b', 'd'], 'b']);
});

test('ED-29 where case counts, two names of one file are two names', async () => {
  const folder = tempFolder({ 'foo.ts': 'x' });
  linkSync(folder.at('foo.ts'), folder.at('Foo.ts'));
  const landed = await files.land({
    kind: 'rename',
    path: folder.at('Foo.ts'),
    to: folder.at('foo.ts'),
    expected: hash('x'),
  });
  expect([landed.ok, readdirSync(folder.path).sort()]).toEqual([false, ['Foo.ts', 'foo.ts']]);
});

test('deletes a file; makes and removes folders, only empty ones', async () => {
  const folder = tempFolder({ a: 'a', 'full/x': 'x' });
  const land = async (kind: 'make-folder' | 'remove-empty-folder', name: string) =>
    (await files.land({ kind, path: folder.at(name) })).ok;
  expect(await files.land({ kind: 'delete', path: folder.at('a'), expected: hash('a') })).toEqual({
    ok: true,
    value: { via: 'disk', notes: [] },
  });
  expect([
    await land('make-folder', 'new'),
    await land('make-folder', 'new'),
    await land('make-folder', 'full/x'),
    await land('remove-empty-folder', 'new'),
    await land('remove-empty-folder', 'full'),
    await land('remove-empty-folder', 'none'),
  ]).toEqual([true, true, false, true, false, false]);
  expect(readdirSync(folder.path)).toEqual(['full']);
});

test('odd names work: spaces, newlines, leading dashes, other scripts', async () => {
  const folder = tempFolder();
  for (const name of [' a', '-n', 'a\nb', 'a\\b', 'ü', 'u\u0308', '日本', '*?']) {
    expect((await files.land({ kind: 'create', path: folder.at(name), bytes: bytes(name) })).ok).toBe(true);
    expect(
      (await files.land({ kind: 'replace', path: folder.at(name), bytes: bytes('2'), expected: hash(name) }))
        .ok,
    ).toBe(true);
    expect((await files.land({ kind: 'delete', path: folder.at(name), expected: hash('2') })).ok).toBe(true);
  }
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a name too long for the disk is refused in words', async () => {
  const folder = tempFolder();
  const landed = await files.land({ kind: 'create', path: folder.at('x'.repeat(300)), bytes: bytes('x') });
  expect(!landed.ok && landed.error.message).toContain('too long for this disk');
});

test('knows kinds, and what a path really is', async () => {
  const folder = tempFolder({ 'd/a': 'a' });
  symlinkSync('d', folder.at('link'));
  expect((await files.list(folder.path)).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'd', kind: 'folder' },
    { name: 'link', kind: 'symlink' },
  ]);
  expect([
    await files.realPath(folder.at('link/a')),
    await files.realPath(folder.at('none')),
    await files.stat(folder.at('d/a/b')),
  ]).toEqual([folder.at('d/a'), undefined, undefined]);
});

test('what was appended between read and write is not lost', async () => {
  const folder = tempFolder({ log: 'one\n' });
  const read = await files.read(folder.at('log'));
  appendFileSync(folder.at('log'), 'two\n');
  if (!read.ok) throw new Error(read.error.message);
  const landed = await files.land({
    kind: 'replace',
    path: folder.at('log'),
    bytes: bytes('x'),
    expected: read.value.sha256,
  });
  expect([landed.ok, readFileSync(folder.at('log'), 'utf8')]).toEqual([false, 'one\ntwo\n']);
});

test('a folder that vanished in between is missing, not a crash', async () => {
  const folder = tempFolder();
  mkdirSync(folder.at('d'));
  rmSync(folder.at('d'), { recursive: true });
  expect((await files.land({ kind: 'remove-empty-folder', path: folder.at('d') })).ok).toBe(false);
});
