import {
  chmodSync,
  linkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { type ScanOptions, scanTree } from '#disk/scan';
import { changesBetween, type ScanChange, type ScanChanges } from '#disk/scan-changes';
import type { Scan } from '#disk/scanned';
import { StampClock } from '#disk/stamps';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

const everything: ScanOptions = { skip: () => false };
const clock = StampClock.open();
afterAll(() => clock?.dispose());

/** Whatever is true where all names are read with each look must be true where those of an untouched folder aren't. */
const WAYS = [
  ['all names are read again', undefined],
  ['names are known', clock],
] as const;
type Clock = StampClock | undefined;

/** What was made just before lies in the past: names that were read in the tick of their making would be read again. */
async function scanOf(folder: TempFolder, clock: Clock): Promise<Scan> {
  await clock?.momentAfter(clock.read());
  return scanTree(folder.path, { ...everything, clock });
}

async function lookSince(last: Scan, clock: Clock, options: Partial<ScanOptions> = {}): Promise<ScanChanges> {
  const after = { ...everything, last, clock, also: last.also.keys(), ...options };
  return changesBetween(last, await scanTree(last.root, after));
}

async function since(scan: Scan, clock: Clock): Promise<readonly string[]> {
  return (await lookSince(scan, clock)).changes.map(words);
}

function words({ path, operation }: ScanChange): string {
  return `${operation} ${path}`;
}

test.each(WAYS)('finds what was created, changed, deleted and chmodded: %s', async (_way, clock) => {
  const folder = tempFolder({
    same: '1',
    grown: '1',
    gone: '1',
    'd/mode': '1',
    'd/e/deep': '1',
    'old/a/b': '1',
  });
  const scan = await scanOf(folder, clock);
  folder.write({ grown: '22', 'new/file': 'x', 'd/e/deep': '2' });
  rmSync(folder.at('gone'));
  rmSync(folder.at('old'), { recursive: true });
  chmodSync(folder.at('d/mode'), 0o700);
  expect(await since(scan, clock)).toEqual([
    'modify d/e/deep',
    'modify d/mode',
    'delete gone',
    'modify grown',
    'create new/file',
    'delete old/a/b',
  ]);
});

test.each(WAYS)('what was written just before is not blamed on what comes after: %s', async (_way, clock) => {
  const folder = tempFolder({ 'd/old': '1' });
  for (let n = 0; n < 30; n++) {
    folder.write({ [`d/${n}`]: 'x', 'd/old': `${n}` });
    expect(await since(await scanTree(folder.path, { ...everything, clock }), clock)).toEqual([]);
  }
});

test.each(WAYS)('what is written at once after it is seen: %s', async (_way, clock) => {
  const folder = tempFolder({ 'd/a': '1' });
  for (let n = 0; n < 30; n++) {
    const scan = await scanOf(folder, clock);
    folder.write({ 'd/a': `${n % 10}` });
    expect(await since(scan, clock)).toEqual(['modify d/a']);
  }
});

test.each(WAYS)('a change that sets the times back is found all the same: %s', async (_way, clock) => {
  const folder = tempFolder({ a: '1', b: '1' });
  utimesSync(folder.at('a'), 1000, 1000);
  const scan = await scanOf(folder, clock);
  folder.write({ a: '2' });
  utimesSync(folder.at('a'), 1000, 1000);
  expect(await since(scan, clock)).toEqual(['modify a']);
});

test.each(WAYS)('old files that are moved in, or over others, are found: %s', async (_way, clock) => {
  const [folder, outside] = [
    tempFolder({ 'd/kept': '1', 'd/over': '1' }),
    tempFolder({ one: '1', two: '1', 'three/x': '1' }),
  ];
  for (const name of ['one', 'two', 'three/x']) utimesSync(outside.at(name), 1000, 1000);
  const scan = await scanOf(folder, clock);
  renameSync(outside.at('one'), folder.at('d/new'));
  renameSync(outside.at('two'), folder.at('d/over'));
  renameSync(outside.at('three'), folder.at('d/sub'));
  expect(await since(scan, clock)).toEqual(['create d/new', 'modify d/over', 'create d/sub/x']);
});

test.each(WAYS)(
  'two folders that change places have changed, though none of their files has: %s',
  async (_way, clock) => {
    const folder = tempFolder({ 'a/x': '1', 'a/deep/y': '1', 'b/x': '2', 'b/deep/y': '2', 'c/x': '3' });
    const scan = await scanOf(folder, clock);
    renameSync(folder.at('a'), folder.at('t'));
    renameSync(folder.at('b'), folder.at('a'));
    renameSync(folder.at('t'), folder.at('b'));
    expect(await since(scan, clock)).toEqual([
      'modify a/deep/y',
      'modify a/x',
      'modify b/deep/y',
      'modify b/x',
    ]);
  },
);

test.each(WAYS)('names that differ in case are different names: %s', async (_way, clock) => {
  const folder = tempFolder({ 'd/readme': '1' });
  const scan = await scanOf(folder, clock);
  renameSync(folder.at('d/readme'), folder.at('d/README'));
  expect(await since(scan, clock)).toEqual(['create d/README', 'delete d/readme']);
});

test.each(WAYS)(
  'links, files and folders that take each other’s place are found: %s',
  async (_way, clock) => {
    const folder = tempFolder({ file: '1', 'folder/in': '1', other: '1', target: '1' });
    symlinkSync('target', folder.at('link'));
    symlinkSync('target', folder.at('kept'));
    const scan = await scanOf(folder, clock);
    unlinkSync(folder.at('link'));
    symlinkSync('missing', folder.at('link'));
    unlinkSync(folder.at('file'));
    folder.write({ 'file/in': '1' });
    rmSync(folder.at('folder'), { recursive: true });
    folder.write({ folder: '1' });
    unlinkSync(folder.at('other'));
    symlinkSync('target', folder.at('other'));
    expect(await since(scan, clock)).toEqual([
      'delete file',
      'create file/in',
      'create folder',
      'delete folder/in',
      'modify link',
      'modify other',
    ]);
  },
);

test.each(WAYS)(
  'a file made at once after its folder is seen, in the tick in which the folder was made: %s',
  async (_way, clock) => {
    for (let n = 0; n < 30; n++) {
      const folder = tempFolder({ 'd/a': '1' });
      const scan = await scanTree(folder.path, { ...everything, clock });
      folder.write({ 'd/b': '1' });
      expect(await since(scan, clock)).toEqual(['create d/b']);
    }
  },
);

test.each(WAYS)('a link made elsewhere is no change: %s', async (_way, clock) => {
  const [folder, elsewhere] = [tempFolder({ a: '1', b: '1' }), tempFolder()];
  const scan = await scanOf(folder, clock);
  linkSync(folder.at('b'), elsewhere.at('b'));
  expect(await since(scan, clock)).toEqual([]);
});

test.each(WAYS)('from look to look, each compared with the one before it: %s', async (_way, clock) => {
  const folder = tempFolder({ 'a/1': '1', 'a/2': '1', 'b/1': '1', c: '1' });
  let scan = await scanOf(folder, clock);
  const found: (readonly string[])[] = [];
  const step = async (change: () => void) => {
    change();
    await clock?.momentAfter(clock.read());
    const next = await scanTree(folder.path, { ...everything, clock, last: scan });
    found.push(changesBetween(scan, next).changes.map(words));
    scan = next;
  };
  await step(() => folder.write({ 'a/3': '1' }));
  await step(() => folder.write({ 'a/3': '2', 'a/1': '2' }));
  await step(() => undefined);
  await step(() => rmSync(folder.at('a/2')));
  await step(() => renameSync(folder.at('a'), folder.at('b/a')));
  await step(() => folder.write({ 'b/a/1': '3', 'a/1': '1' }));
  expect(found).toEqual([
    ['create a/3'],
    ['modify a/1', 'modify a/3'],
    [],
    ['delete a/2'],
    ['delete a/1', 'delete a/3', 'create b/a/1', 'create b/a/3'],
    ['create a/1', 'modify b/a/1'],
  ]);
});

test('names in a folder that nobody touched are not read again, nor asked about', async () => {
  const folder = tempFolder({ 'a/1': '1', 'b/1': '1', c: '1' });
  const scan = await scanOf(folder, clock);
  folder.write({ 'b/2': '1' });
  const asked: string[] = [];
  const skip = (name: string) => {
    asked.push(name);
    return false;
  };
  await lookSince(scan, clock, { skip });
  expect(asked.sort()).toEqual(clock ? ['1', '2'] : ['1', '1', '2', 'a', 'b', 'c']);
});

test('says what was and what is', async () => {
  const folder = tempFolder({ changed: '1', gone: '12', close: '1' });
  const scan = await scanTree(folder.path, { ...everything, also: ['close'] });
  folder.write({ changed: '22', new: '333', close: '4444' });
  rmSync(folder.at('gone'));
  const { changes } = await lookSince(scan, undefined);
  expect(changes.map(({ path, before, after }) => [path, before?.bytes, after?.bytes])).toEqual([
    ['changed', 1, 2],
    ['close', 1, 4],
    ['gone', 2, undefined],
    ['new', undefined, 3],
  ]);
});

test('what is asked for by path is found where others are skipped', async () => {
  const folder = tempFolder({ 'dist/ours': '1', 'dist/gone': '1', 'dist/theirs': '1' });
  const skip = (name: string) => name === 'dist';
  const scan = await scanTree(folder.path, {
    skip,
    also: ['dist/ours', 'dist/gone', 'dist/new', 'dist/none'],
  });
  folder.write({ 'dist/ours': '2', 'dist/new': '1', 'dist/theirs': '2' });
  rmSync(folder.at('dist/gone'));
  expect((await lookSince(scan, undefined, { skip })).changes.map(words)).toEqual([
    'delete dist/gone',
    'create dist/new',
    'modify dist/ours',
  ]);
});

test.each(WAYS)('nothing is claimed of a folder that can’t be read any more: %s', async (_way, clock) => {
  const folder = tempFolder({ 'd/a': '1', 'd/e/b': '1', 'd2/a': '1', kept: '1' });
  const scan = await scanOf(folder, clock);
  folder.write({ 'd/a': '2' });
  rmSync(folder.at('d2'), { recursive: true });
  folder.chmod('', 0o755);
  folder.chmod('d', 0);
  const { changes, unread } = await asOrdinaryUser(() => lookSince(scan, clock));
  folder.chmod('d', 0o755);
  // That it was closed is seen all the same.
  expect([changes.map(words), unread]).toEqual([['modify ./', 'modify d/', 'delete d2/a'], ['d']]);
});

test('names that are no UTF-8 and read the same are told once, and only when one was touched', async () => {
  const folder = tempFolder({});
  const odd = (last: number) => Buffer.concat([Buffer.from(folder.at('a')), Buffer.from([last])]);
  for (const last of [0xff, 0xfe]) writeFileSync(odd(last), '1');
  const before = await scanTree(folder.path, { skip: () => false });
  folder.write({ b: '1' });
  const between = await scanTree(folder.path, { skip: () => false });
  writeFileSync(odd(0xfe), 'longer');
  const after = await scanTree(folder.path, { skip: () => false });
  const changed = [changesBetween(before, between), changesBetween(before, after)].map(({ changes }) =>
    changes.map(({ path, operation }) => `${operation} ${path}`),
  );
  expect(changed).toEqual([['create b'], ['modify a\u{FFFD}', 'create b']]);
});

test.each(WAYS)(
  'a folder whose files can’t be looked at is said to be unread, and none of them is new later: %s',
  async (_way, clock) => {
    const folder = tempFolder({ 'd/a': '1', 'e/b': '1' });
    folder.chmod('', 0o755);
    folder.chmod('e', 0o744);
    const scan = await asOrdinaryUser(() => scanTree(folder.path, everything));
    folder.write({ 'd/a': '22' });
    folder.chmod('d', 0o744);
    folder.chmod('e', 0o755);
    const { changes, unread } = await asOrdinaryUser(() => lookSince(scan, clock));
    folder.chmod('d', 0o755);
    expect([changes.map(words), unread]).toEqual([['modify d/', 'modify e/'], ['d']]);
  },
);
