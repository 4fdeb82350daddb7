import { expect, test } from 'vitest';
import { type BenchOptions, bench, verdictOf } from './bench';

const FILES = {
  'src/a.ts': 'a\n',
  'sub/package.json': '{}',
  '.git/config': '[core]\n\tbare = false\n',
};

async function verdict(command: string, options: BenchOptions = {}) {
  const gates = bench({ files: FILES, reading: true, ...options });
  return verdictOf(gates.run(command), gates);
}

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
