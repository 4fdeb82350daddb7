import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bench, verdictOf } from '../bench';

const FILES = {
  'src/a.ts': 'a\n',
  '.env': 'KEY=x\n',
  'secret/.env': 'KEY=x\n',
  'other/e': 'e\n',
  'names/@args': '.env\n',
  '.git/config': '[core]\n\tbare = false\n',
};

/** What is decided in a workspace with these links (name → where it leads). */
async function verdict(command: string, links: Readonly<Record<string, string>> = {}, more = {}) {
  const gates = bench({ files: { ...FILES, ...more }, reading: true });
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(join(gates.folder.path, name, '..'), { recursive: true });
    symlinkSync(target, join(gates.folder.path, name));
  }
  return verdictOf(gates.run(command), gates);
}

test.each([
  ['cat link/../hostname', { link: '/etc/ssh' }],
  ['ls link/..', { link: '/etc/ssh' }],
  ['cat deep/link/../x', { 'deep/link': '..' }],
  ['cd deep/link && cat ../x', { 'deep/link': '..' }],
  ['git -C link/.. status', { link: '/etc/ssh' }],
] as const)('up from where a link leads is not up from its name: %j', async (command, links) => {
  expect(await verdict(command, links)).toBe('ask');
});

test('up from a real folder is where its name says', async () => {
  expect(await verdict('cat src/../other/e')).toBe('allow');
});

test.each(['grep -r KEY link', 'grep -rn KEY link/', 'rg KEY link'])(
  'a folder behind a link is looked through like any other: %j',
  async (command) => {
    expect(await verdict(command, { link: 'secret' })).toBe('ask');
    expect(await verdict(command, { link: 'other' })).toBe('allow');
  },
);

test('diff reads what links in a folder lead to', async () => {
  const links = { 'lib/e': '/etc/hostname' };
  expect(await verdict('diff -r lib other', links)).toBe('ask');
  expect(await verdict('diff lib other', links)).toBe('ask');
  expect(await verdict('diff -r --no-dereference lib other', links)).toBe('allow');
  expect(await verdict('diff -r src other')).toBe('allow');
});

test('ls names what lies in the workspace, not what links lead to', async () => {
  expect(await verdict('ls -LR .')).toBe('ask');
  expect(await verdict('ls -R src')).toBe('allow');
});

test('a glob with more matches than are looked at may name a secret', async () => {
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`many/f${at}`, '']));
  expect(await verdict('cat many/*', {}, many)).toBe('ask');
  expect(await verdict('cat src/*', {}, many)).toBe('allow');
});

test.each(['rg foo */x', 'sort */x'])(
  'a folder’s name that begins like a flag is read as one: %j',
  async (command) => {
    expect(await verdict(command, {}, { '--pre=d/x': '', 'd/x': '' })).toBe('ask');
    expect(await verdict(command, {}, { 'd/x': '' })).toBe('allow');
  },
);

test.each(['strings @args', 'strings names/../@args', 'strings *'])(
  'strings takes arguments from a file that is named by @: %j',
  async (command) => {
    expect(await verdict(command)).toBe(command.includes('/') ? 'allow' : 'ask');
  },
);

test.each(['git show :.env', 'git show :0:.env', 'git show @:.env', 'git cat-file -p @:secret/.env'])(
  'a secret in a commit or the index is one however it is named: %j',
  async (command) => {
    expect(await verdict(command)).toBe('ask');
  },
);

test.each(['LANGUAGE=../../x ls', 'TZ=/etc/passwd date', 'LC_ALL=../x ls'])(
  'no language or time zone from anywhere on disk: %j',
  async (command) => {
    expect(await verdict(command)).toBe('ask');
    expect(await verdict('TZ=Europe/Berlin LC_ALL=C date')).toBe('allow');
  },
);

test('a name that is nothing but invisible characters is judged, not thrown at', async () => {
  expect(await verdict('ls \u202e')).toBe('ask');
  expect(await verdict("cat '\u200b'")).toBe('ask');
});
