import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bench, type BenchOptions, bench, verdictOf } from '#test/unit/gates/bench';

const FILES = {
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  'sub/package.json': '{}',
  '.env': 'KEY=x\n',
  '.vscode/settings.json': '{}',
  'secret/k': 'k\n',
  'keys/one.pem': 'x\n',
  '.git/config': '[core]\n\tbare = false\n',
};

async function verdict(command: string, options: BenchOptions = {}, prepare?: (gates: Bench) => void) {
  const gates = bench({ files: FILES, reading: true, ...options });
  prepare?.(gates);
  return verdictOf(gates.run(command), gates);
}

test.each([
  'cat src/a.ts',
  'ls -la',
  'grep -rn a src',
  'git status --short',
  'cd src && ls | wc -l',
  'wc -l src/*.ts',
  // Only to change them is dangerous, and read_file shows them too.
  'cat .vscode/settings.json',
])('what surely only reads goes unasked, held to reading: %j', async (command) => {
  for (const mode of ['prompt', 'workspace-write'] as const) {
    const outcome = await bench({ files: FILES, reading: true, mode }).run(command);
    expect(outcome).toMatchObject({
      kind: 'passed',
      confinement: { sandboxed: true, network: false, workspace: 'read-only' },
    });
  }
});

test.each([
  'cat /etc/passwd',
  'cat ../other',
  'cd .. && ls',
  'cd /tmp && ls',
  'cat .env',
  'cat .git/config',
  'grep -rn x .',
  'diff -r keys src',
  'cat out',
  'wc -l < ../x',
  '{ cat; } < /etc/passwd',
  'git show HEAD:.env',
  'git -C ../other status',
  'PATH=.; ls',
  'ls > list',
  'ls &',
])('nothing outside, secret or of git’s own is read unasked: %j', async (command) => {
  const outward = ({ folder }: Bench) => symlinkSync('/etc/passwd', join(folder.path, 'out'));
  expect(await verdict(command, {}, outward)).toBe('ask');
});

test.each([
  ['cd src && cat ../sub/package.json', 'allow'],
  ['cd src && ls && cd ..', 'allow'],
  ['cd src && cd ../sub && cat package.json | head -3', 'allow'],
  ['cd src && cat ../../x', 'ask'],
  ['cd src && cd ../.. && ls', 'ask'],
  ['cd src && cat ../.env', 'ask'],
  // Where one may have failed, nobody knows where the next one runs.
  ['cd src || cat ../sub/package.json', 'ask'],
  ['ls none && cd src; cat ../sub/package.json', 'ask'],
  ['cd src && ls || cat ../sub/package.json', 'ask'],
  ['cd src | cat ../sub/package.json', 'ask'],
  ['(cd src) && cat ../sub/package.json', 'ask'],
  ['! cd src && cat ../sub/package.json', 'ask'],
  ['echo $(cd src) && cat ../sub/package.json', 'ask'],
  ['cd src & cat ../sub/package.json', 'ask'],
] as const)('a path is looked at from where the line surely is: %j: %s', async (command, expected) => {
  expect(await verdict(command)).toBe(expected);
});

test('a cd into a link is not taken for its letters', async () => {
  const inward = ({ folder }: Bench) => symlinkSync('../sub', join(folder.path, 'src/link'));
  expect(await verdict('cd src/link && cat ../a.ts', {}, inward)).toBe('ask');
});

test.each([
  ['cat src/{a,b}.ts', 'allow'],
  ['cat {src/a.ts,sub/package.json}', 'allow'],
  ['cat {src/a.ts,.env}', 'ask'],
  ['cat {src/a.ts,../x}', 'ask'],
  ['cat {src/a.ts,secret/k}', 'deny'],
] as const)('braces are each of the words that they stand for: %j: %s', async (command, expected) => {
  expect(await verdict(command, { rules: { deny: ['Read(secret/**)'] } })).toBe(expected);
});

test('rules come first: what they ask about or deny is asked about or denied', async () => {
  expect(await verdict('cat src/a.ts', { rules: { ask: ['Bash(cat:*)'] } })).toBe('ask');
  expect(await verdict('cat src/a.ts', { rules: { deny: ['Read(src/**)'] } })).toBe('deny');
  expect(await verdict('grep -rn x src', { rules: { ask: ['Read(src/b.ts)'] } })).toBe('ask');
  expect(await verdict('grep -rn x src', { rules: { deny: ['Read(src/b.ts)'] } })).not.toBe('allow');
});

test('without a sandbox, with the network, with the setting off or in read-only mode nothing is free', async () => {
  expect(await verdict('ls', { sandbox: false })).toBe('ask');
  expect(await verdict('ls', { reading: false })).toBe('ask');
  expect(await verdict('ls', { mode: 'read-only' })).toBe('deny');
  const gates = bench({ files: FILES, reading: true });
  expect(await verdictOf(gates.run('ls', { network: true }), gates)).toBe('ask');
});

test('what a rule or a person allowed is not held to reading', async () => {
  const ruled = await bench({ files: FILES, reading: true, rules: { allow: ['Bash(npm test)'] } }).run(
    'npm test',
  );
  const asked = await bench({ files: FILES, reading: true, answers: ['allow-once'] }).run('cat .env');
  expect([ruled, asked].map((each) => each.kind === 'passed' && each.confinement.workspace)).toEqual([
    undefined,
    undefined,
  ]);
});

test('a file whose name begins like a flag is not read as one', async () => {
  const flag = ({ folder }: Bench) => writeFileSync(join(folder.path, '-o.txt'), '');
  expect(await verdict('sort *.txt')).toBe('allow');
  expect(await verdict('sort *.txt', {}, flag)).toBe('ask');
  expect(await verdict('sort ./*.txt', {}, flag)).toBe('allow');
});

test.each([
  '[diff "x"]\n\ttextconv = ./e\n',
  '[diff "x"]\n\tcommand = ./e\n',
  '[diff]\n\texternal = ./e\n',
  '[core] [filter "x"] clean = ./e\n',
  '[include]\n\tpath = ../evil\n',
  '[diff "a]b"]\n\tTextConv=./e\n',
  '[extensions]\n\tworktreeConfig = true\n',
  '[core]\n\tworktree = /\n',
  '[remote "o"]\n\tpromisor = true\n\turl = ext::./e\n',
  '[remote "o"]\n\tuploadpack = ./e\n',
  '[protocol "ext"]\n\tallow = always\n',
])('PE-09 in a repository whose configuration names programs git asks: %j', async (config) => {
  const evil = ({ folder }: Bench) => writeFileSync(join(folder.path, '.git/config'), config);
  expect(await verdict('git status', {}, evil)).toBe('ask');
  expect(await verdict('cd src && git diff', {}, evil)).toBe('ask');
});

test('a remote as every clone has it is no program', async () => {
  const config =
    '[remote "origin"]\n\turl = https://x.example/y.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
  const cloned = ({ folder }: Bench) => writeFileSync(join(folder.path, '.git/config'), config);
  expect(await verdict('git status', {}, cloned)).toBe('allow');
});

test('PE-09 the same holds for a nested repository and for submodules', async () => {
  const nested = ({ folder }: Bench) => {
    mkdirSync(join(folder.path, 'sub/.git'));
    writeFileSync(join(folder.path, 'sub/.git/config'), '[filter "x"]\n\tclean = ./e\n');
  };
  const module = ({ folder }: Bench) => {
    mkdirSync(join(folder.path, '.git/modules/m'), { recursive: true });
    writeFileSync(join(folder.path, '.git/modules/m/config'), '[diff "x"]\n\tcommand = ./e\n');
  };
  expect(await verdict('git -C sub status', {}, nested)).toBe('ask');
  expect(await verdict('cd sub; git status', {}, nested)).toBe('ask');
  expect(await verdict('git status', {}, nested)).toBe('allow');
  expect(await verdict('git status', {}, module)).toBe('ask');
});
