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
  'cat .vscode/settings.json',
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
])('nothing outside, secret or protected is read unasked: %j', async (command) => {
  const outward = ({ folder }: Bench) => symlinkSync('/etc/passwd', join(folder.path, 'out'));
  expect(await verdict(command, {}, outward)).toBe('ask');
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
])('PE-09 in a repository whose configuration names programs git asks: %j', async (config) => {
  const evil = ({ folder }: Bench) => writeFileSync(join(folder.path, '.git/config'), config);
  expect(await verdict('git status', {}, evil)).toBe('ask');
  expect(await verdict('cd src && git diff', {}, evil)).toBe('ask');
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

test.each([
  ['cd sub && npm test', 'allow'],
  ['cd sub; npm test', 'allow'],
  ['(cd sub && npm test)', 'allow'],
  ['npm test 2>&1 | tail -20', 'allow'],
  ['npm test > /dev/null', 'allow'],
  ['npm test; echo "exit $?"', 'allow'],
  ['npm test && git status', 'ask'],
  ['cd .. && npm test', 'ask'],
  ['cd $X && npm test', 'ask'],
  ['npm test > log', 'ask'],
  ['npm test > ../log', 'ask'],
  ['npm test > $X', 'ask'],
  ['npm test && npm publish', 'ask'],
  ['npm test $(npm publish)', 'ask'],
  ['npm() { x; }; npm test', 'ask'],
  ['if true; then npm test; fi', 'ask'],
] as const)('a rule for npm test and %j: %s', async (command, expected) => {
  expect(await verdict(command, { rules: { allow: ['Bash(npm test)'] } })).toBe(expected);
});

test.each([
  ['FOO=1 npm test', 'allow'],
  ['CI=1 npm test', 'allow'],
  ['LD_PRELOAD=./x npm test', 'ask'],
  ['NODE_OPTIONS=--require=./x npm test', 'ask'],
  ['PATH=. npm test', 'ask'],
  ['FOO=$X npm test', 'ask'],
  ['FOO=1 git log', 'ask'],
  ['CI=1 git log', 'allow'],
] as const)('variables before an allowed command: %j: %s', async (command, expected) => {
  const rules = { allow: ['Bash(npm test)', 'Bash(git log:*)'] };
  expect(await verdict(command, { rules, reading: false })).toBe(expected);
});

test.each([
  "git commit -F - <<'EOF'\nwords $(touch x)\nEOF",
  'git commit -F - <<EOF\nwords\nEOF',
  'git commit -m "$(cat <<\'EOF\'\nwords\nEOF\n)"',
  'git add -A && git commit -m words',
])('a commit with its message on the line is opened by a rule for git commit: %j', async (command) => {
  expect(await verdict(command, { rules: { allow: ['Bash(git commit:*)', 'Bash(git add:*)'] } })).toBe(
    'allow',
  );
});

test('a commit message that runs something asks about that', async () => {
  const rules = { allow: ['Bash(git commit:*)'] };
  expect(await verdict('git commit -F - <<EOF\n$(touch x)\nEOF', { rules })).toBe('ask');
  expect(await verdict('git commit -m "$(touch x)"', { rules })).toBe('ask');
});

test('PE-11 a redirect is judged as an edit: an Edit rule opens it, in the workspace', async () => {
  const rules = { allow: ['Bash(git status:*)', 'Edit(src/**)', 'Edit(//opt/**)'] };
  const judge = (command: string) => verdict(command, { rules, reading: false });
  expect(await judge('git status > src/a.ts')).toBe('allow');
  expect(await judge('cd src && git status > a.ts')).toBe('ask');
  expect(await judge('git status > other.ts')).toBe('ask');
  expect(await judge('git status > /opt/x')).toBe('ask');
  expect(await verdict('git status > src/a.ts', { rules: { ...rules, deny: ['Edit(src/**)'] } })).toBe(
    'deny',
  );
});

test.each([
  ['find:*', 'find . -delete'],
  ['git log:*', 'git log --output=notes'],
  ['sed:*', 'sed -i s/a/b/ src/a.ts'],
  ['timeout:*', 'timeout 5 touch m'],
  ['env:*', 'env touch m'],
  ['xargs:*', 'xargs touch'],
  ['rm:*', 'rm -rf build'],
  ['git:*', 'git push --force'],
  ['git:*', 'git -c core.pager=./e log'],
  ['tar:*', 'tar xf a.tar --to-command=./x'],
])('a rule for %s does not open what it could not have meant: %j', async (rule, command) => {
  expect(await verdict(command, { rules: { allow: [`Bash(${rule})`] } })).toBe('ask');
  expect(await verdict(command, { rules: { allow: [`Bash(${command})`] } })).toBe('allow');
});
