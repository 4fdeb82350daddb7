import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { diskFiles } from '#disk/files';
import { targetOf } from '#disk/links';
import type { Landing } from '#host';
import type { Sha256 } from '#protocol/ids';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

const files = diskFiles();
const hashOf = (text: string) => sha256(text) as Sha256;

/** `a` is a file, `link` a link to it, `d` a folder. */
function place(): TempFolder {
  const folder = tempFolder({ a: 'a' });
  mkdirSync(folder.at('d'));
  symlinkSync('a', folder.at('link'));
  return folder;
}

/** What stands there: a link with its target, a file with its text. */
function there({ path, at, text }: TempFolder): Record<string, string> {
  const tell = (name: string) => {
    const stat = lstatSync(at(name));
    if (stat.isSymbolicLink()) return `→ ${readlinkSync(at(name))}`;
    return stat.isFile() ? text(name) : '(folder)';
  };
  return Object.fromEntries(readdirSync(path).map((name) => [name, tell(name)]));
}

test('what is written in a link is told, be it nothing that exists; of anything else nothing', async () => {
  const folder = place();
  symlinkSync('/nowhere/é\n', folder.at('dangling'));
  symlinkSync(Buffer.from('caf\xe9', 'latin1'), folder.at('odd'));
  const told = ['link', 'dangling', 'odd', 'a', 'd', 'missing'].map((name) =>
    files.readLink(folder.at(name)),
  );
  expect(await Promise.all(told)).toEqual([
    'a',
    '/nowhere/é\n',
    ...[undefined, undefined, undefined, undefined],
  ]);
  expect(targetOf(folder.at('link'), 'win32')).toBeUndefined();
});

describe('lands', () => {
  const BEFORE = { a: 'a', d: '(folder)', link: '→ a' };
  test.each<[string, (folder: TempFolder) => Landing, Record<string, string>]>([
    ['a new link', ({ at }) => ({ kind: 'make-link', path: at('new'), target: '../x' }), { new: '→ ../x' }],
    [
      'a link in the place of a link',
      ({ at }) => ({ kind: 'make-link', path: at('link'), target: 'd', insteadOf: { target: 'a' } }),
      { link: '→ d' },
    ],
    [
      'a link in the place of a file',
      ({ at }) => ({ kind: 'make-link', path: at('a'), target: 'd', insteadOf: { sha256: hashOf('a') } }),
      { a: '→ d' },
    ],
    [
      'a file in the place of a link, which isn’t followed',
      ({ at }) => ({ kind: 'create', path: at('link'), bytes: Buffer.from('now'), insteadOf: 'a' }),
      { link: 'now' },
    ],
  ])('%s', async (_what, landing, change) => {
    const folder = place();
    expect((await files.land(landing(folder))).ok).toBe(true);
    expect(there(folder)).toEqual({ ...BEFORE, ...change });
  });

  test('nothing in the place of a link; what it led to stays', async () => {
    const folder = place();
    await files.land({ kind: 'remove-link', path: folder.at('link'), target: 'a' });
    expect(there(folder)).toEqual({ a: 'a', d: '(folder)' });
  });
});

test.each<[string, (folder: TempFolder) => Landing, string]>([
  [
    'a link where something stands',
    ({ at }) => ({ kind: 'make-link', path: at('a'), target: 'x' }),
    'exists',
  ],
  [
    'a link where a link stands',
    ({ at }) => ({ kind: 'make-link', path: at('link'), target: 'x' }),
    'exists',
  ],
  [
    'a link in the place of one that leads elsewhere by now',
    ({ at }) => ({ kind: 'make-link', path: at('link'), target: 'x', insteadOf: { target: 'b' } }),
    'changed',
  ],
  [
    'a link in the place of a file that is a link by now',
    ({ at }) => ({ kind: 'make-link', path: at('link'), target: 'x', insteadOf: { sha256: hashOf('a') } }),
    'changed',
  ],
  [
    'a link in the place of a file with another content',
    ({ at }) => ({ kind: 'make-link', path: at('a'), target: 'x', insteadOf: { sha256: hashOf('b') } }),
    'changed',
  ],
  [
    'a file in the place of a link that leads elsewhere by now',
    ({ at }) => ({ kind: 'create', path: at('link'), bytes: Buffer.from('x'), insteadOf: 'b' }),
    'changed',
  ],
  [
    'a file in the place of a link that is a file by now',
    ({ at }) => ({ kind: 'create', path: at('a'), bytes: Buffer.from('x'), insteadOf: 'a' }),
    'changed',
  ],
  [
    'the end of a link that leads elsewhere by now',
    ({ at }) => ({ kind: 'remove-link', path: at('link'), target: 'b' }),
    'changed',
  ],
  ['the end of a file', ({ at }) => ({ kind: 'remove-link', path: at('a'), target: 'a' }), 'changed'],
  ['the end of what is gone', ({ at }) => ({ kind: 'remove-link', path: at('x'), target: 'a' }), 'missing'],
])('refuses %s, and leaves all as it is', async (_what, landing, kind) => {
  const folder = place();
  const before = there(folder);
  expect(await files.land(landing(folder))).toMatchObject({ ok: false, error: { kind } });
  expect(there(folder)).toEqual(before);
});

test('a file gets the bits that are asked for in the place of a link', async () => {
  const folder = place();
  writeFileSync(folder.at('a'), 'a', { mode: 0o600 });
  await files.land({
    kind: 'create',
    path: folder.at('link'),
    bytes: Buffer.from('x'),
    mode: 0o755,
    insteadOf: 'a',
  });
  expect(lstatSync(folder.at('link')).mode & 0o777).toBe(0o755);
});
