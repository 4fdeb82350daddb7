import { readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ok } from '#base/result';
import { foldName } from '#base/text';
import { diskFiles } from '#disk/files';
import type { Files, Landing } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { SESSION } from './hands';
import { edit, lab, rename } from './lab';

/** The disk as macOS and Windows have it: a name is found whatever its case, and keeps the case it was made with. */
function ignoringCase(disk: Files): Files {
  const real = (path: string): AbsolutePath => {
    if (path === dirname(path)) return path as AbsolutePath;
    const folder = real(dirname(path));
    const names = readdirSync(folder);
    const name = names.includes(basename(path))
      ? basename(path)
      : names.find((other) => foldName(other) === foldName(basename(path)));
    return join(folder, name ?? basename(path)) as AbsolutePath;
  };
  return {
    stat: (path) => disk.stat(real(path)),
    realPath: (path) => disk.realPath(real(path)),
    list: (path) => disk.list(real(path)),
    read: (path, options) => disk.read(real(path), options),
    readLink: (path) => disk.readLink(real(path)),
    async land(change: Landing) {
      if (change.kind === 'rename' && foldName(change.path) === foldName(change.to)) {
        renameSync(real(change.path), change.to);
        return ok({ via: 'disk', notes: [] });
      }
      return disk.land({ ...change, path: change.kind === 'create' ? change.path : real(change.path) });
    },
  };
}

test('ED-29 a change of case alone is recorded, undone to the exact case, and redone', async () => {
  const { turn, undo, redo, tree } = lab({ 'Foo.ts': 'x' }, { files: ignoringCase(diskFiles()) });
  const summary = await turn(rename('Foo.ts', 'foo.ts'));
  expect(summary?.files).toMatchObject([{ path: 'foo.ts', from: 'Foo.ts', operation: 'rename' }]);
  expect(tree()).toEqual({ 'foo.ts': 'x' });
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'Foo.ts': 'x' });
  expect((await redo()).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'foo.ts': 'x' });
});

test('a change of case and an edit go back together', async () => {
  const { turn, undo, redo, tree } = lab({ 'Foo.ts': 'x' }, { files: ignoringCase(diskFiles()) });
  await turn(rename('Foo.ts', 'foo.ts'), edit('foo.ts', 'y'));
  await undo(1);
  expect(tree()).toEqual({ 'Foo.ts': 'x' });
  await redo();
  expect(tree()).toEqual({ 'foo.ts': 'y' });
});

test.each(['before', 'after'])('a kill right %s the change of case loses nothing', async (when) => {
  const the = lab({ 'Foo.ts': 'x' }, { files: ignoringCase(diskFiles()) });
  await the.turn(async ({ journal, rename: move }) => {
    await move('Foo.ts', 'foo.ts');
    // As the next start finds it: the end was never recorded.
    const [operation] = the.store.operations.list(journal.id);
    if (!operation) throw new Error('nothing was recorded');
    the.store.operations.drop(operation.id);
    the.store.operations.add(operation);
    if (when === 'before') renameSync(the.folder.at('foo.ts'), the.folder.at('Foo.ts'));
  });
  expect(the.tree()).toEqual(when === 'before' ? { 'Foo.ts': 'x' } : { 'foo.ts': 'x' });
  expect(the.checkpoints.list(SESSION)).toHaveLength(when === 'before' ? 0 : 1);
});
