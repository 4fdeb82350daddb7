import { rmSync, writeFileSync } from 'node:fs';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { actionsFor, inverseOf } from '#checkpoints/actions';
import { BlobStore } from '#checkpoints/blobs';
import { lineStats } from '#checkpoints/lines';
import type { FileState } from '#protocol/checkpoint';
import type { Sha256 } from '#protocol/ids';
import { tempFolder } from '#test/support/temp-folder';

const bytes = (text: string) => new TextEncoder().encode(text);
const content = (text: string) => ({ bytes: bytes(text), sha256: sha256(text) as Sha256 });
const file = (text: string): FileState & { kind: 'file' } => ({
  kind: 'file',
  sha256: text as Sha256,
  bytes: 1,
  mode: 0o644,
});
const ABSENT: FileState = { kind: 'absent' };

test.each([
  ['one line changed', 'a\nb\nc\n', 'a\nB\nc\n', { added: 1, removed: 1 }],
  ['a line inserted', 'a\nc\n', 'a\nb\nc\n', { added: 1, removed: 0 }],
  ['everything new', undefined, 'a\nb', { added: 2, removed: 0 }],
  ['everything gone', 'a\nb\n', undefined, { added: 0, removed: 2 }],
  ['the last line end', 'a\nb', 'a\nb\n', { added: 1, removed: 1 }],
  ['line ends alone', 'a\r\nb\r\n', 'a\nb\n', { added: 2, removed: 2 }],
  ['two places', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n', { added: 2, removed: 2 }],
  ['nothing', 'a\n', 'a\n', { added: 0, removed: 0 }],
  ['an empty file', undefined, '', { added: 0, removed: 0 }],
  ['binary', 'a\u0000', 'b\n', { added: 0, removed: 0 }],
])('counts lines: %s', (_what, before, after, counted) => {
  expect(
    lineStats(
      before === undefined ? undefined : bytes(before),
      after === undefined ? undefined : bytes(after),
    ),
  ).toEqual(counted);
});

test('counts of two texts with much in common are those of the whole texts', () => {
  const lines = (maxLength: number) => fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength });
  fc.assert(
    fc.property(lines(20), lines(20), lines(9), lines(9), (old, put, above, below) => {
      const [before, after] = [old, put].map((middle) => [...above, ...middle, ...below]) as [
        string[],
        string[],
      ];
      const text = (all: readonly string[]) => bytes(all.map((line) => `${line}\n`).join(''));
      const parts = diffArrays(before, after);
      const count = (kind: 'added' | 'removed') =>
        parts.reduce((sum, part) => sum + (part[kind] ? part.value.length : 0), 0);
      expect(lineStats(text(before), text(after))).toEqual({
        added: count('added'),
        removed: count('removed'),
      });
    }),
  );
});

test('a total rewrite of a large file is counted by its middle, in bounded time', () => {
  const lines = (word: string) => bytes(Array.from({ length: 20_000 }, (_, n) => `${word} ${n}\n`).join(''));
  expect(lineStats(lines('old'), lines('new'))).toEqual({ added: 20_000, removed: 20_000 });
});

test('blobs: the same content is one file; a damaged one counts as missing and is written anew', async () => {
  const folder = tempFolder();
  const blobs = new BlobStore(folder.at('blobs'));
  const one = content('hello');
  await blobs.note(one);
  await blobs.keep(one);
  const at = `blobs/${one.sha256}`;
  writeFileSync(folder.at(at), 'hellO');
  expect(await blobs.get(one.sha256)).toBeUndefined();
  await new BlobStore(folder.at('blobs')).keep(one);
  expect(Buffer.from((await blobs.get(one.sha256)) ?? []).toString()).toBe('hello');
  // Storage wiped under a running Belay.
  rmSync(folder.at('blobs'), { recursive: true });
  await blobs.keep(one);
  expect((await blobs.get(one.sha256))?.byteLength).toBe(5);
  await expect(blobs.keep({ ...one, sha256: sha256('other') as Sha256 })).rejects.toThrow('own hash');
});

test('blobs: what a kill left of one is none, and is written anew', async () => {
  const folder = tempFolder();
  const blobs = new BlobStore(folder.at('blobs'));
  const one = content('hello');
  blobs.note(one);
  const at = folder.at(`blobs/${one.sha256}`);
  for (const again of [() => blobs.note(one), () => blobs.keep(one)]) {
    writeFileSync(at, 'hel');
    expect(await blobs.get(one.sha256)).toBeUndefined();
    await again();
    expect(Buffer.from((await blobs.get(one.sha256)) ?? []).toString()).toBe('hello');
  }
});

test('orders a restore: deletions, moves, folders that went, folders to come, writes', () => {
  const actions = actionsFor({
    files: [
      { path: 'w', from: file('1'), to: file('2') },
      { path: 'gone', from: file('3'), to: ABSENT },
      { path: 'made/x', from: file('4'), to: ABSENT },
      { path: 'back/x', from: ABSENT, to: file('4') },
      { path: 'new/n', from: ABSENT, to: file('5') },
    ],
    makeFolders: ['back', 'new'],
    removeFolders: ['made'],
  });
  expect(actions.map((action) => `${action.kind} ${action.path}`)).toEqual([
    'delete gone',
    'make-folder back',
    'rename made/x',
    'remove-folder made',
    'make-folder new',
    'write w',
    'write new/n',
  ]);
});

test('the inverse of an inverse is the action', () => {
  const actions = actionsFor({
    files: [
      { path: 'a', from: file('1'), to: file('2') },
      { path: 'b', from: ABSENT, to: file('3') },
      { path: 'c', from: file('4'), to: ABSENT },
      { path: 'd', from: file('5'), to: ABSENT },
      { path: 'e', from: ABSENT, to: file('5') },
    ],
    makeFolders: ['m'],
    removeFolders: ['r'],
  });
  expect(actions.map((action) => inverseOf(inverseOf(action)))).toEqual(actions);
});
