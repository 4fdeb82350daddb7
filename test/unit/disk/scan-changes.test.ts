import { chmodSync, linkSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Scan, type ScanOptions, scanTree } from '#disk/scan';
import { changesSince, type ScanChange } from '#disk/scan-changes';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

const everything: ScanOptions = { skip: () => false };

/** Whatever is true of files that were looked at one by one must be true of those whose names alone were seen. */
const WAYS = [
  ['looked at one by one', Number.POSITIVE_INFINITY],
  ['seen by name alone', 0],
] as const;

async function scanOf(folder: TempFolder, closely: number): Promise<Scan> {
  return scanTree(folder.path, { ...everything, closely });
}

async function since(scan: Scan): Promise<readonly string[]> {
  return (await changesSince(scan, everything)).changes.map(words);
}

function words({ path, operation }: ScanChange): string {
  return `${operation} ${path}`;
}

test.each(WAYS)('finds what was created, changed, deleted and chmodded: %s', async (_way, closely) => {
  const folder = tempFolder({
    same: '1',
    grown: '1',
    gone: '1',
    'd/mode': '1',
    'd/e/deep': '1',
    'old/a/b': '1',
  });
  const scan = await scanOf(folder, closely);
  folder.write({ grown: '22', 'new/file': 'x', 'd/e/deep': '2' });
  rmSync(folder.at('gone'));
  rmSync(folder.at('old'), { recursive: true });
  chmodSync(folder.at('d/mode'), 0o700);
  expect(await since(scan)).toEqual([
    'modify d/e/deep',
    'modify d/mode',
    'delete gone',
    'modify grown',
    'create new/file',
    'delete old/a/b',
  ]);
});

test.each(WAYS)(
  'what was written just before is not blamed on what comes after: %s',
  async (_way, closely) => {
    const folder = tempFolder({ 'd/old': '1' });
    for (let n = 0; n < 30; n++) {
      folder.write({ [`d/${n}`]: 'x', 'd/old': `${n}` });
      expect(await since(await scanOf(folder, closely))).toEqual([]);
    }
  },
);

test.each(WAYS)('what is written at once after it is seen: %s', async (_way, closely) => {
  const folder = tempFolder({ 'd/a': '1' });
  for (let n = 0; n < 30; n++) {
    const scan = await scanOf(folder, closely);
    folder.write({ 'd/a': `${n % 10}` });
    expect(await since(scan)).toEqual(['modify d/a']);
  }
});

test.each(WAYS)('a change that sets the times back is found all the same: %s', async (_way, closely) => {
  const folder = tempFolder({ a: '1', b: '1' });
  utimesSync(folder.at('a'), 1000, 1000);
  const scan = await scanOf(folder, closely);
  folder.write({ a: '2' });
  utimesSync(folder.at('a'), 1000, 1000);
  expect(await since(scan)).toEqual(['modify a']);
});

test.each(WAYS)('old files that are moved in, or over others, are found: %s', async (_way, closely) => {
  const [folder, outside] = [
    tempFolder({ 'd/kept': '1', 'd/over': '1' }),
    tempFolder({ one: '1', two: '1', 'three/x': '1' }),
  ];
  for (const name of ['one', 'two', 'three/x']) utimesSync(outside.at(name), 1000, 1000);
  const scan = await scanOf(folder, closely);
  renameSync(outside.at('one'), folder.at('d/new'));
  renameSync(outside.at('two'), folder.at('d/over'));
  renameSync(outside.at('three'), folder.at('d/sub'));
  expect(await since(scan)).toEqual(['create d/new', 'modify d/over', 'create d/sub/x']);
});

test.each(WAYS)(
  'two folders that change places have changed, though none of their files has: %s',
  async (_way, closely) => {
    const folder = tempFolder({ 'a/x': '1', 'a/deep/y': '1', 'b/x': '2', 'b/deep/y': '2', 'c/x': '3' });
    const scan = await scanOf(folder, closely);
    renameSync(folder.at('a'), folder.at('t'));
    renameSync(folder.at('b'), folder.at('a'));
    renameSync(folder.at('t'), folder.at('b'));
    expect(await since(scan)).toEqual(['modify a/deep/y', 'modify a/x', 'modify b/deep/y', 'modify b/x']);
  },
);

test.each(WAYS)('names that differ in case are different names: %s', async (_way, closely) => {
  const folder = tempFolder({ 'd/readme': '1' });
  const scan = await scanOf(folder, closely);
  renameSync(folder.at('d/readme'), folder.at('d/README'));
  expect(await since(scan)).toEqual(['create d/README', 'delete d/readme']);
});

test.each(WAYS)(
  'links, files and folders that take each other’s place are found: %s',
  async (_way, closely) => {
    const folder = tempFolder({ file: '1', 'folder/in': '1', other: '1', target: '1' });
    symlinkSync('target', folder.at('link'));
    symlinkSync('target', folder.at('kept'));
    const scan = await scanOf(folder, closely);
    unlinkSync(folder.at('link'));
    symlinkSync('missing', folder.at('link'));
    unlinkSync(folder.at('file'));
    folder.write({ 'file/in': '1' });
    rmSync(folder.at('folder'), { recursive: true });
    folder.write({ folder: '1' });
    unlinkSync(folder.at('other'));
    symlinkSync('target', folder.at('other'));
    expect(await since(scan)).toEqual([
      'delete file',
      'create file/in',
      'create folder',
      'delete folder/in',
      'modify link',
      'modify other',
    ]);
  },
);

test('a link made elsewhere is no change of a file that was looked at; by its name alone it can’t be told from one', async () => {
  const found: string[][] = [];
  for (const [, closely] of WAYS) {
    const [folder, elsewhere] = [tempFolder({ a: '1', b: '1' }), tempFolder()];
    const scan = await scanOf(folder, closely);
    linkSync(folder.at('b'), elsewhere.at('b'));
    found.push([...(await since(scan)), ...(scan.end ? ['by name'] : [])]);
  }
  expect(found).toEqual([[], found[1]?.includes('by name') ? ['modify b', 'by name'] : []]);
});

test('says what was and what is, as far as it was seen', async () => {
  const folder = tempFolder({ changed: '1', gone: '12', close: '1' });
  const scan = await scanTree(folder.path, { ...everything, closely: 0, also: ['close'] });
  folder.write({ changed: '22', new: '333', close: '4444' });
  rmSync(folder.at('gone'));
  const { changes } = await changesSince(scan, everything);
  const isByName = scan.end !== undefined;
  expect(changes.map(({ path, before, after }) => [path, before?.bytes, after?.bytes])).toEqual([
    ['changed', isByName ? undefined : 1, 2],
    ['close', 1, 4],
    ['gone', isByName ? undefined : 2, undefined],
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
  expect((await changesSince(scan, { skip })).changes.map(words)).toEqual([
    'delete dist/gone',
    'create dist/new',
    'modify dist/ours',
  ]);
});

test.each(WAYS)('nothing is claimed of a folder that can’t be read any more: %s', async (_way, closely) => {
  const folder = tempFolder({ 'd/a': '1', 'd/e/b': '1', 'd2/a': '1', kept: '1' });
  const scan = await scanOf(folder, closely);
  folder.write({ 'd/a': '2' });
  rmSync(folder.at('d2'), { recursive: true });
  folder.chmod('', 0o755);
  folder.chmod('d', 0);
  const { changes, unread } = await asOrdinaryUser(() => changesSince(scan, everything));
  folder.chmod('d', 0o755);
  expect([changes.map(words), unread]).toEqual([['delete d2/a'], ['d']]);
});
