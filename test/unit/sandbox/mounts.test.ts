import { expect, test } from 'vitest';
import { mountArguments } from '#sandbox/mount-arguments';

const lines = (...mounts: Parameters<typeof mountArguments>[0]) =>
  mountArguments(mounts)
    .join(' ')
    .split(/ (?=--(?!tmpfs))/);

test('what lies deeper is mounted later, whatever the order given', () => {
  expect(
    lines(
      { kind: 'read-only', path: '/w/.git/hooks' },
      { kind: 'hidden-file', path: '/h/.netrc' },
      { kind: 'writable', path: '/w/.git' },
      { kind: 'writable', path: '/w' },
      { kind: 'private', path: '/tmp' },
    ),
  ).toEqual([
    '--perms 1777 --tmpfs /tmp',
    '--bind /w /w',
    '--ro-bind /dev/null /h/.netrc',
    '--bind /w/.git /w/.git',
    '--ro-bind /w/.git/hooks /w/.git/hooks',
  ]);
});

test('at one path the stricter wins', () => {
  expect(lines({ kind: 'hidden-folder', path: '/a' }, { kind: 'writable', path: '/a' })).toEqual([
    '--perms 0000 --tmpfs /a',
    '--remount-ro /a',
  ]);
});

test('a hidden folder with something in it can be walked through, and is sealed at the end', () => {
  expect(lines({ kind: 'writable', path: '/s/caches' }, { kind: 'hidden-folder', path: '/s' })).toEqual([
    '--perms 0555 --tmpfs /s',
    '--bind /s/caches /s/caches',
    '--remount-ro /s',
  ]);
});

test('a folder whose name only begins alike is no child', () => {
  expect(lines({ kind: 'writable', path: '/storage' }, { kind: 'hidden-folder', path: '/s' })[0]).toBe(
    '--perms 0000 --tmpfs /s',
  );
});
