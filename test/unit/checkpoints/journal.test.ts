import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { fail } from '#base/result';
import { diskFiles } from '#disk/files';
import type { Files } from '#host';
import type { Sha256 } from '#protocol/ids';
import { SESSION } from './hands';
import { create, edit, lab, remove, rename } from './lab';

test('records before and after of each file, net over the turn, with line counts', async () => {
  const { turn } = lab({ 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'x\ny\n', 'old.txt': 'same\n' });
  const summary = await turn(
    edit('a.txt', 'one\n2\nthree\n'),
    edit('a.txt', 'one\n2\n3\nfour\n'),
    create('new/deep/b.txt', 'b\n'),
    remove('gone.txt'),
    rename('old.txt', 'moved.txt'),
  );
  expect(
    summary?.files.map(({ path, operation, from, added, removed }) => ({
      path,
      operation,
      from,
      added,
      removed,
    })),
  ).toEqual([
    { path: 'a.txt', operation: 'modify', from: undefined, added: 3, removed: 2 },
    { path: 'new/deep/b.txt', operation: 'create', from: undefined, added: 1, removed: 0 },
    { path: 'gone.txt', operation: 'delete', from: undefined, added: 0, removed: 2 },
    { path: 'moved.txt', operation: 'rename', from: 'old.txt', added: 0, removed: 0 },
  ]);
});

test('records hash, size and mode of both sides', async () => {
  const { turn, folder } = lab({ 's.sh': '#!/bin/sh\n' });
  folder.chmod('s.sh', 0o755);
  const summary = await turn(edit('s.sh', '#!/bin/sh\nls\n'));
  expect(summary?.files[0]).toMatchObject({
    before: { kind: 'file', sha256: sha256('#!/bin/sh\n'), bytes: 10, mode: 0o755 },
    after: { kind: 'file', sha256: sha256('#!/bin/sh\nls\n'), bytes: 13, mode: 0o755 },
  });
});

test('a file created and deleted in one turn is no change', async () => {
  const { turn, checkpoints, tree } = lab({ 'a.txt': 'a' });
  const summary = await turn(create('t/tmp.txt', 'x'), remove('t/tmp.txt'));
  expect([summary, checkpoints.list(SESSION), tree()]).toEqual([undefined, [], { 'a.txt': 'a', 't/': '' }]);
});

test('a file renamed and then edited is one rename with its lines', async () => {
  const { turn } = lab({ 'a.txt': 'one\ntwo\n' });
  const summary = await turn(rename('a.txt', 'b.txt'), edit('b.txt', 'one\n2\n'), rename('b.txt', 'd/c.txt'));
  expect(summary?.files).toMatchObject([
    { path: 'd/c.txt', operation: 'rename', from: 'a.txt', added: 1, removed: 1 },
  ]);
});

test('a turn that changed nothing has no checkpoint', async () => {
  expect(await lab().turn()).toBeUndefined();
});

test('refuses a stale hash and a place outside, with neither write nor row', async () => {
  const { turn, tree, folder, storage } = lab({ 'a.txt': 'a' });
  const stale = sha256('other') as Sha256;
  const summary = await turn(async ({ journal }) => {
    const landed = await journal.write({ kind: 'delete', path: folder.at('a.txt'), expected: stale });
    expect(landed).toMatchObject({ ok: false, error: { kind: 'changed' } });
    const outside = journal.write({ kind: 'create', path: storage.at('x.txt'), bytes: new Uint8Array() });
    await expect(outside).rejects.toThrow('outside the workspace');
  });
  expect([summary, tree()]).toEqual([undefined, { 'a.txt': 'a' }]);
});

test('a write that the disk refuses leaves no trace in the checkpoint, its new folders go again', async () => {
  const disk = diskFiles();
  const files: Files = {
    ...disk,
    land: async (change) =>
      change.kind === 'create' ? fail({ kind: 'failed', message: 'the disk is full' }) : disk.land(change),
  };
  const { turn, tree, store, checkpoints } = lab({ 'a.txt': 'a' }, { files });
  const summary = await turn(async (hands) => {
    await expect(hands.create('n/m/b.txt', 'b')).rejects.toThrow('the disk is full');
  });
  const [stored] = store.checkpoints.list(SESSION);
  expect([summary, tree(), stored?.state, store.folders.fates(stored?.id as never)]).toEqual([
    undefined,
    { 'a.txt': 'a' },
    'empty',
    [],
  ]);
  expect(checkpoints.list(SESSION)).toEqual([]);
});

test('while the turn still runs, both sides of what it wrote can be seen', async () => {
  const { turn, checkpoints } = lab({ 'a.txt': 'one' });
  const sides: (string | undefined)[] = [];
  await turn(edit('a.txt', 'two'), async ({ journal }) => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const side of ['before', 'after'] as const) {
      const bytes = await checkpoints.content(journal.id, 'a.txt', side);
      sides.push(bytes && Buffer.from(bytes).toString());
    }
  });
  expect(sides).toEqual(['one', 'two']);
});

test('a pre-image that can’t be kept stops the write', async () => {
  const { turn, tree, storage } = lab({ 'a.txt': 'a' });
  writeFileSync(`${storage.path}/blobs`, 'a file where the folder should be');
  await turn(async (hands) => {
    await expect(hands.edit('a.txt', 'b')).rejects.toThrow('could not keep what the change would destroy');
  });
  expect(tree()).toEqual({ 'a.txt': 'a' });
});

test.each([
  ['a file is replaced', edit('a.txt', 'b')],
  ['a file is removed', remove('a.txt')],
  ['folders are made', create('n/b.txt', 'b')],
])('before its row is on the disk nothing changes: %s', async (_what, change) => {
  const { store } = lab();
  const synced = async () => {
    throw new Error('the disk is full');
  };
  const full = { ...store, synced };
  const { turn, tree } = lab({ 'a.txt': 'a' }, { store: full });
  const summary = await turn(async (hands) => {
    await expect(Promise.resolve(change(hands))).rejects.toThrow('the disk is full), so nothing was changed');
  });
  expect([summary, tree()]).toEqual([undefined, { 'a.txt': 'a' }]);
});

test('a host that changes a file without asking whether it may is found out', async () => {
  const disk = diskFiles();
  const hasty: Files = {
    ...disk,
    land: (change) =>
      disk.land(change.kind === 'replace' ? { ...change, beforeChange: async () => undefined } : change),
  };
  const { turn } = lab({ 'a.txt': 'a' }, { files: hasty });
  await turn(async (hands) => {
    await expect(hands.edit('a.txt', 'b')).rejects.toThrow('without asking whether it may');
  });
});

test('refuses a file too large to keep, untouched', async () => {
  const { turn, folder } = lab({ 'big.bin': '' });
  truncateSync(folder.at('big.bin'), 100 * 1024 * 1024);
  await turn(async ({ journal }) => {
    const landed = await journal.write({
      kind: 'delete',
      path: folder.at('big.bin'),
      expected: 'x' as Sha256,
    });
    expect(landed).toMatchObject({ ok: false, error: { kind: 'too-large' } });
  });
  expect(folder.bytes('big.bin').byteLength).toBe(100 * 1024 * 1024);
});

test('what a save in the editor made of the bytes is recorded, not what was asked for', async () => {
  const disk = diskFiles();
  const formatting: Files = {
    ...disk,
    land: (change) =>
      disk.land(
        change.kind === 'replace' ? { ...change, bytes: new TextEncoder().encode('formatted\n') } : change,
      ),
  };
  const { turn, undo, tree, checkpoints } = lab({ 'a.txt': 'a' }, { files: formatting });
  const summary = await turn(edit('a.txt', 'asked'));
  expect(summary?.files[0]?.after).toMatchObject({ sha256: sha256('formatted\n') });
  const after = await checkpoints.content(summary?.id as never, 'a.txt', 'after');
  expect(Buffer.from(after ?? []).toString()).toBe('formatted\n');
  // This editor would format the restored text too, even past its own save: then nothing is restored by halves.
  expect([(await undo(1)).outcome.status, tree()]).toEqual(['conflict', { 'a.txt': 'formatted\n' }]);
});

test('undo lands exact bytes where saving would change them again', async () => {
  const disk = diskFiles();
  const formatting: Files = {
    ...disk,
    land: (change) =>
      disk.land(
        change.kind === 'replace' && !change.exact
          ? { ...change, bytes: new TextEncoder().encode('formatted\n') }
          : change,
      ),
  };
  const { turn, undo, tree } = lab({ 'a.txt': 'a' }, { files: formatting });
  await turn(edit('a.txt', 'asked'));
  expect([(await undo(1)).outcome.status, tree()]).toEqual(['done', { 'a.txt': 'a' }]);
});

test('keeps the content of a hand edit that came between two edits of the same turn', async () => {
  const { turn, folder, world } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'), () => writeFileSync(folder.at('a.txt'), 'by hand'), edit('a.txt', 'c'));
  expect(Buffer.from((await world.blobs.get(sha256('by hand') as Sha256)) ?? []).toString()).toBe('by hand');
});

test('a hard-linked file is changed in both places and its links stay', async () => {
  const { turn, undo, folder, tree } = lab({ 'a.txt': 'a' });
  linkSync(folder.at('a.txt'), folder.at('b.txt'));
  await turn(edit('a.txt', 'x'));
  expect(tree()).toEqual({ 'a.txt': 'x', 'b.txt': 'x' });
  expect([(await undo(1)).outcome.status, tree()]).toEqual(['done', { 'a.txt': 'a', 'b.txt': 'a' }]);
});

test('a file in the way of a folder is named', async () => {
  const { turn, tree } = lab({ 'a.txt': 'a' });
  await turn(async (hands) => {
    await expect(hands.create('a.txt/b.txt', 'b')).rejects.toThrow('a.txt is not a folder');
  });
  expect(tree()).toEqual({ 'a.txt': 'a' });
});

test('never renames over another file', async () => {
  const { turn, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  const summary = await turn(async (hands) => {
    await expect(hands.rename('a.txt', 'b.txt')).rejects.toThrow('exists');
    await expect(hands.create('b.txt', 'c')).rejects.toThrow('exists');
  });
  expect([summary, tree()]).toEqual([undefined, { 'a.txt': 'a', 'b.txt': 'b' }]);
});

test('a name given to itself, or to a hard link of the same file, is refused and nothing is lost', async () => {
  const { turn, tree, folder } = lab({ 'a.txt': 'a' });
  linkSync(folder.at('a.txt'), folder.at('A.txt'));
  await turn(async (hands) => {
    await expect(hands.rename('a.txt', 'a.txt')).rejects.toThrow('exists');
    await expect(hands.rename('a.txt', 'A.txt')).rejects.toThrow('exists');
  });
  expect(tree()).toEqual({ 'a.txt': 'a', 'A.txt': 'a' });
});

test('serves calls that come at once one by one', async () => {
  const { turn, undo, tree } = lab({});
  const summary = await turn((hands) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => hands.create(`d/f${n}.txt`, `${n}`))),
  );
  expect(summary?.files).toHaveLength(20);
  expect([(await undo(1)).outcome.status, tree()]).toEqual(['done', {}]);
});

test('takes no change after the seal, and sealing twice is once', async () => {
  const { turn, checkpoints } = lab({ 'a.txt': 'a' });
  let late: Promise<unknown> = Promise.resolve();
  await turn(edit('a.txt', 'b'), async (hands) => {
    const first = await hands.journal.seal('sealed');
    expect(await hands.journal.seal('interrupted')).toEqual(first);
    late = hands.edit('a.txt', 'c');
    await expect(late).rejects.toThrow('the turn has ended');
  });
  expect(checkpoints.list(SESSION)[0]?.state).toBe('sealed');
});

test('shows the open turn’s changes while it runs', async () => {
  const { turn, checkpoints } = lab({ 'a.txt': 'a\n' });
  await turn(edit('a.txt', 'b\n'), ({ journal }) => {
    expect(journal.summary()).toMatchObject({
      state: 'open',
      files: [{ path: 'a.txt', added: 1, removed: 1 }],
    });
    expect(checkpoints.list(SESSION)).toHaveLength(1);
  });
});

test('keeps bytes exactly: CRLF, BOM, NUL, no final newline, empty', async () => {
  const odd = {
    'crlf.txt': '\ufeffa\r\nb',
    'bin.dat': new Uint8Array([0, 255, 10, 13, 128]),
    'empty.txt': '',
  };
  const { turn, undo, redo, tree, folder } = lab(odd);
  chmodSync(folder.at('bin.dat'), 0o600);
  const before = tree();
  await turn(edit('crlf.txt', 'x'), remove('bin.dat'), edit('empty.txt', 'full'), create('e2.txt', ''));
  const after = tree();
  await undo(1);
  expect(tree()).toEqual(before);
  await redo();
  expect(tree()).toEqual(after);
});

test('gives the diff editor both sides, a renamed file beside its old self', async () => {
  const { turn, checkpoints } = lab({ 'a.txt': 'one', 'm.txt': 'mine' });
  const summary = await turn(
    edit('a.txt', 'two'),
    edit('a.txt', 'three'),
    rename('m.txt', 'n.txt'),
    create('c.txt', 'new'),
  );
  const side = async (path: string, which: 'before' | 'after') => {
    const bytes = await checkpoints.content(summary?.id as never, path, which);
    return bytes && Buffer.from(bytes).toString();
  };
  expect([
    await side('a.txt', 'before'),
    await side('a.txt', 'after'),
    await side('n.txt', 'before'),
    await side('n.txt', 'after'),
  ]).toEqual(['one', 'three', 'mine', 'mine']);
  expect([await side('c.txt', 'before'), await side('c.txt', 'after'), await side('none', 'before')]).toEqual(
    [undefined, 'new', undefined],
  );
});

test('lists a command’s changes, bounded, and says how many more there were', async () => {
  const { turn } = lab({});
  const many = Object.fromEntries(
    Array.from({ length: 700 }, (_, n) => [`node_modules/${n}`, 'create' as const]),
  );
  const summary = await turn((hands) => hands.command('npm ci', many));
  expect([summary?.files, summary?.commandChanges.length, summary?.omittedCommandChanges]).toEqual([
    [],
    500,
    200,
  ]);
});

test('a symlink in the place of a folder doesn’t lead a write outside', async () => {
  const { turn, folder, storage } = lab({});
  mkdirSync(`${storage.path}/outside`);
  symlinkSync(`${storage.path}/outside`, folder.at('link'));
  await turn(async (hands) => {
    await expect(hands.create('link/x/a.txt', 'x')).rejects.toThrow('link is not a folder');
  });
});
