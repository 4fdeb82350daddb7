import { expect, test } from 'vitest';
import { deniedReads } from '#gates/denied-reads';
import { parseRule } from '#gates/rules/rule';
import { readRules } from '#gates/rules/sources';
import type { AbsolutePath } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import { bench, verdictOf } from './bench';

const files = { '.belayignore': 'logs/\n*.pem\n', 'logs/a': 'x', 'a.pem': 'x', 'b.txt': 'b' };
const EVERYTHING = ['Read', 'Edit', 'Bash', 'read_file', 'run_command', 'Bash(cat a.pem)', 'Read(a.pem)'];

test.each<Mode>(['read-only', 'prompt', 'workspace-write', 'allow', 'danger-full-access'])(
  'PA-11: in the mode %s no rule opens a hidden path to a command that names it',
  async (mode) => {
    const gates = bench({ files, mode, rules: { allow: EVERYTHING }, reading: true });
    for (const line of [
      'head -10 logs/a',
      'cat<logs/a',
      'cat a.pem',
      'cat *.pem',
      'cd logs && cat a',
      'echo x > new.pem',
    ])
      expect([line, await verdictOf(gates.run(line), gates)]).toEqual([line, 'deny']);
  },
);

test('PA-11: the answer says what hides the path and that nothing ran', async () => {
  const gates = bench({ files, mode: 'allow' });
  const outcome = await gates.run('head -10 logs/a');
  expect(outcome.kind === 'stopped' && outcome.result).toMatchObject({
    status: 'denied',
    code: 'permission_denied',
    content:
      "run_command: logs/a is hidden by .belayignore. It did not run. Don't try to reach the same by other means; go on without it or tell the user what you would need.",
  });
});

test('a command over the folder that holds hidden files is judged as ever: the sandbox masks them', async () => {
  const gates = bench({ files, mode: 'allow' });
  expect(await verdictOf(gates.run('grep -r x .'), gates)).toBe('allow');
});

test('reading a whole folder goes unasked where its only secrets are hidden', async () => {
  const list = '.env\n';
  const gates = bench({ files: { '.belayignore': list, '.env': 'x', 'a.txt': 'x' }, reading: true });
  const other = bench({ files: { '.belayignore': list, '.env': 'x', 'sub/.env.prod': 'x' }, reading: true });
  const line = 'grep -rn x .';
  expect([await verdictOf(gates.run(line), gates), await verdictOf(other.run(line), other)]).toEqual([
    'allow',
    'ask',
  ]);
});

test('a file tool’s hidden path is rejected in an untrusted folder too', async () => {
  const gates = bench({ files, trusted: false });
  const outcome = await gates.walk('read_file', { path: 'logs/a' });
  expect(outcome.kind === 'stopped' && outcome.result.code).toBe('rejected_arguments');
});

test('a card says that without a sandbox nothing is masked, where something would be', async () => {
  const cards = [];
  for (const [sandbox, list] of [
    [false, '*.pem'],
    [true, '*.pem'],
    [false, '# nothing'],
  ] as const) {
    const gates = bench({ files: { '.belayignore': list }, sandbox, answers: ['deny-once'] });
    await gates.run('npm test');
    cards.push(gates.asked.flatMap(({ concerns }) => concerns));
  }
  const none = 'runs without a sandbox: no sandbox on this machine';
  expect(cards).toEqual([
    [none, 'without a sandbox it can read what .belayignore or rules that deny reading hide'],
    [],
    [none],
  ]);
});

test('writing .belayignore asks, at any depth', async () => {
  const gates = bench({ files, mode: 'allow' });
  for (const path of ['other/.belayignore', '.belayignore'])
    expect(await verdictOf(gates.walk('write_file', { path, content: 'x' }), gates)).toBe(
      path === '.belayignore' ? 'deny' : 'ask',
    );
});

const place = { root: '/ws' as AbsolutePath, home: '/home/me' as AbsolutePath };
const denied = (...deny: string[]) =>
  deniedReads()({ place, sources: [readRules('user settings', { deny, allow: [], ask: [] })] });

test('what a deny of reading names is masked, and nothing else is', () => {
  const paths = ['/ws/.env', '/ws/a/.env', '/ws/keys/k', '/ws/b.txt'];
  const by = (rule: string) => paths.filter((path) => denied(rule)?.(path, false));
  expect({
    name: by('Read(.env)'),
    anchored: by('Read(./.env)'),
    folder: by('Read(keys/**)'),
    tool: by('read_file(keys/**)'),
    capability: by('@filesystem.read(b.txt)'),
    all: by('Read(**)').length,
    bare: by('Read').length,
    disk: by('Read(//**)').length,
    home: by('Read(~/**)'),
  }).toEqual({
    name: ['/ws/.env', '/ws/a/.env'],
    anchored: ['/ws/.env'],
    folder: ['/ws/keys/k'],
    tool: ['/ws/keys/k'],
    capability: ['/ws/b.txt'],
    all: 4,
    bare: 4,
    disk: 4,
    home: [],
  });
});

test('rules that speak of other things cost nothing', () => {
  expect(
    denied('Bash(npm:*)', 'Edit(src/**)', '@network', 'WebFetch', 'read_file', 'risk:execute'),
  ).toBeUndefined();
});

test('a folder is masked whole where a rule takes in all that may lie in it', () => {
  const denies = denied('Read(keys/**)', 'Read(src/*.pem)');
  expect([denies?.('/ws/keys', true), denies?.('/ws/src', true), denies?.('/ws/keys', false)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('the same rules give the same function, others another', () => {
  const source = readRules('user settings', { deny: ['Read(a)'], allow: [], ask: [] });
  const ask = deniedReads();
  const first = ask({ place, sources: [source] });
  expect(ask({ place, sources: [{ ...source, deny: [...source.deny] }] })).toBe(first);
  const more = parseRule('Read(b)', 'deny');
  const deny = [...source.deny, ...(more.ok ? [more.value] : [])];
  expect(ask({ place, sources: [{ ...source, deny }] })).not.toBe(first);
});
