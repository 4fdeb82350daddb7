import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hiddenFiles } from '#disk/hidden-files';
import { tempFolder } from '#test/support/temp-folder';

function made(files: Readonly<Record<string, string>>) {
  const { path: root } = tempFolder(files);
  const hidden = hiddenFiles(root);
  return { root, hidden, by: (path: string, folder = false) => hidden.by(join(root, path), folder)?.file };
}

test('each file speaks of the folder it lies in, and the highest that hides a path is named', () => {
  const { by } = made({ '.belayignore': '*.pem\n/config/prod/\n', 'sub/.belayignore': 'notes.txt\n*.pem\n' });
  expect([
    by('a.pem'),
    by('sub/deep/a.pem'),
    by('config/prod', true),
    by('config/prod/a.json'),
    by('notes.txt'),
    by('sub/notes.txt'),
    by('sub/deep/notes.txt'),
  ]).toEqual([
    '.belayignore',
    '.belayignore',
    '.belayignore',
    '.belayignore',
    undefined,
    'sub/.belayignore',
    'sub/.belayignore',
  ]);
});

test('a nested file can’t bring back what a higher one hides: a command may have made it', () => {
  const { by } = made({ '.belayignore': '*.key\n', 'sub/.belayignore': '!*.key\n!a.key\n' });
  expect(by('sub/a.key')).toBe('.belayignore');
});

test('below a file that a command is about to replace by a folder nothing is hidden', () => {
  const { by } = made({ f: 'a file', '.belayignore': '*.pem\n' });
  expect([by('f/in'), by('f/in.pem')]).toEqual([undefined, '.belayignore']);
});

test('a pattern for folders leaves a file of that name alone', () => {
  const { by } = made({ '.belayignore': 'logs/\n' });
  expect([by('logs'), by('logs', true), by('logs/a')]).toEqual([undefined, '.belayignore', '.belayignore']);
});

test('the root itself and what lies outside are never hidden', () => {
  const { root, hidden } = made({ '.belayignore': '*\n/**\n' });
  expect([hidden.by(root, true), hidden.by('/etc/passwd'), hidden.by(join(root, '..'))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a change counts at once, also one that keeps the size and the time', () => {
  const { root, by } = made({ '.belayignore': 'aaa\n' });
  const path = join(root, '.belayignore');
  const before = [by('aaa'), by('bbb')];
  writeFileSync(path, 'bbb\n');
  const changed = [by('aaa'), by('bbb')];
  utimesSync(path, 1, 1);
  const old = by('bbb');
  writeFileSync(path, 'ccc\n');
  utimesSync(path, 1, 1);
  const restamped = [by('bbb'), by('ccc')];
  rmSync(path);
  expect({ before, changed, old, restamped, gone: by('ccc') }).toEqual({
    before: ['.belayignore', undefined],
    changed: [undefined, '.belayignore'],
    old: '.belayignore',
    restamped: [undefined, '.belayignore'],
    gone: undefined,
  });
});

test.each<readonly [string, string, (path: string) => void]>([
  ['a pipe', 'is not a regular file', (path) => execFileSync('mkfifo', [path])],
  ['a folder', 'is not a regular file', (path) => mkdirSync(path)],
  ['a link', 'is a symbolic link', (path) => symlinkSync('.gitignore', path)],
  ['a link that leads nowhere', 'is a symbolic link', (path) => symlinkSync('gone', path)],
])('%s in its place hides the whole folder, says why and never hangs', (_name, problem, make) => {
  const { root, hidden } = made({ 'sub/a.txt': 'a', 'b.txt': 'b', '.gitignore': '' });
  make(join(root, 'sub/.belayignore'));
  expect([hidden.by(join(root, 'sub/a.txt')), hidden.by(join(root, 'b.txt'))]).toEqual([
    { file: 'sub/.belayignore', problem },
    undefined,
  ]);
});

test('the look for many files of one moment agrees', () => {
  const { root, hidden, by } = made({ '.belayignore': '*.pem\n', 'a/.belayignore': 'b/\n!x.pem\n' });
  const paths = ['a.pem', 'a/x.pem', 'a/b/c', 'a/c', 'b/c'];
  const isHidden = hidden.once();
  expect(paths.filter((path) => isHidden(join(root, path)))).toEqual(
    paths.filter((path) => by(path) !== undefined),
  );
});

test('says whether the file at the top hides anything', () => {
  expect([made({}).hidden.any(), made({ '.belayignore': '# x\n' }).hidden.any()]).toEqual([false, false]);
  expect(made({ '.belayignore': 'x\n' }).hidden.any()).toBe(true);
});
