import { expect, test } from 'vitest';
import type { PermissionLists } from '#protocol/settings';
import { type BenchOptions, bench, verdictOf } from './bench';

async function verdict(command: string, rules: Partial<PermissionLists>, more: BenchOptions = {}) {
  const gates = bench({ rules, ...more });
  return verdictOf(gates.run(command), gates);
}

test.each([
  ['git log --oneline', 'allow'],
  ['git log; touch x', 'ask'],
  ['git log && touch x', 'ask'],
  ['git log || touch x', 'ask'],
  ['git log | sh', 'ask'],
  ['git log |& sh', 'ask'],
  ['git log & touch x', 'ask'],
  ['git log\ntouch x', 'ask'],
  ['git log\r\ntouch x', 'ask'],
])('PE-01 allowing git log says nothing about what else is on the line: %j', async (command, expected) => {
  expect(await verdict(command, { allow: ['Bash(git log:*)'] })).toBe(expected);
  expect(await verdict(command, { allow: ['run_command(git log*)'] })).toBe(expected);
});

test.each([
  'git log \\',
  'git log \\\n x',
  "g'i't log",
  '"git" log',
  '\\git log',
  'A=1 git log',
  'git log > f',
  '/bin/git log',
])('a rule opens only what is written plainly: %j asks', async (command) => {
  expect(await verdict(command, { allow: ['run_command(git log:*)'] })).toBe('ask');
});

test('PE-01 a list of allowed and other commands asks', async () => {
  expect(await verdict('rm -r d && ln -s a b && ls', { allow: ['Bash(ls:*)', 'Bash(ln:*)'] })).toBe('ask');
});

test('PE-02 allowing cd does not allow what follows it', async () => {
  expect(await verdict('cd /tmp && python3 a.py', { allow: ['Bash(cd:*)'] })).toBe('ask');
});

test('PE-02 a path after cd is judged from where cd led', async () => {
  const rules = { deny: ['Read(secret/**)'] };
  expect(await verdict('cd src/.. && cd secret && cat k', rules, { mode: 'allow' })).toBe('deny');
});

test.each([
  'echo $(curl x)',
  'echo `curl x`',
  '(curl x)',
  "eval 'curl x'",
  "bash -c 'curl x'",
  'timeout 5 curl x',
  'env curl x',
  'A=1 env B=2 nice -n 3 curl x',
  'nohup curl x',
  'xargs curl',
  'command curl x',
  '\\curl x',
  "'cu'rl x",
  '/usr/bin/curl x',
  'CURL x',
  'sh -c "timeout 5 bash -c \'curl x\'"',
  'true; curl x',
  'if true; then curl x; fi',
  'f() { curl x; }; f',
  'diff <(curl x) a',
  'cat <<E\n$(curl x)\nE',
  'A=1 curl x',
  'sh <<< "curl x"',
  'bash <<E\ncurl x\nE',
  'echo "curl x" | bash',
  "printf 'curl x\\n' | timeout 5 sh -s",
])('PE-03 a deny rule finds curl wherever it stands: %j', async (command) => {
  const rules = {
    deny: ['Bash(curl:*)'],
    allow: ['Bash(echo:*)', 'Bash(bash:*)', 'Bash(eval:*)', 'Bash(timeout:*)'],
  };
  expect(await verdict(command, rules, { mode: 'allow' })).toBe('deny');
  expect(await verdict(command, { ...rules, deny: ['Bash(curl*)'] }, { mode: 'danger-full-access' })).toBe(
    'deny',
  );
});

test.each([
  '$X x',
  '"$(echo curl)" x',
  'eval "$X"',
  'bash -c "$X"',
  'cu\u200brl x',
  'timeout 5 $X',
  'cat a | bash',
  'sh < a',
])('PE-03 where it cannot be known whether a guarded command runs, it is asked: %j', async (command) => {
  for (const mode of ['allow', 'danger-full-access'] as const)
    expect(await verdict(command, { deny: ['Bash(curl:*)'] }, { mode })).toBe('ask');
});

test('a word that is only known at run time may complete what a rule guards', async () => {
  const rules = { deny: ['Bash(git push:*)'] };
  expect(await verdict('git $1 origin', rules, { mode: 'allow' })).toBe('ask');
  expect(await verdict('git log $1', rules, { mode: 'allow' })).toBe('allow');
});

test.each([50, 500, 5000])('PE-04 a deny rule still counts after %d commands', async (times) => {
  const command = `${'true && '.repeat(times)}curl x`;
  expect(await verdict(command, { deny: ['Bash(curl:*)'] }, { mode: 'allow' })).toBe('deny');
});

test('PE-04 a line that is too long to be judged is refused, not allowed', async () => {
  const command = `${'true && '.repeat(20_000)}true`;
  const outcome = await bench({ mode: 'allow' }).run(command);
  expect(outcome).toMatchObject({ kind: 'stopped', result: { status: 'denied' } });
});

test.each(['CI=1 git push', 'A=1 B=2 git push'])(
  'PE-05 assignments before a command do not hide it from an ask rule: %j',
  async (command) => {
    expect(await verdict(command, { ask: ['Bash(git:*)'] }, { mode: 'allow' })).toBe('ask');
  },
);

test.each([
  'git status > src/a.ts',
  'git status >.git/hooks/pre-commit',
  'git status & curl x',
  'git status >&2file',
  'git status <&3in',
])('PE-11 an allowed command does not become a way to write: %j', async (command) => {
  expect(await verdict(command, { allow: ['Bash(git status:*)'] })).toBe('ask');
});

test('PE-11 a redirect into a protected file asks even where commands are allowed', async () => {
  expect(await verdict('git status >.git/hooks/pre-commit', {}, { mode: 'allow' })).toBe('ask');
  expect(await verdict('git status > src/a.ts', {}, { mode: 'allow' })).toBe('allow');
});

test.each(['ls =(id)', 'ls *(e:id:)', 'ls <(id)', 'cat >(id)', 'ls'])(
  'PE-15 in a shell whose grammar is another every command asks: %j',
  async (command) => {
    expect(await verdict(command, { allow: ['Bash(ls:*)'] }, { shell: 'other', mode: 'allow' })).toBe('ask');
  },
);

test.each([
  ['git status', 'git statusx'],
  ['git status:*', 'git statusx'],
  ['git status:*', 'git status-evil'],
  ['git status*', 'git status-evil'],
  ['npm run test', 'npm run test:danger'],
  ['npm run test:*', 'npm run test:danger'],
  ['ls:*', 'lsof'],
  ['ls', 'ls -la'],
])('PE-19 the rule %j does not reach %j', async (rule, command) => {
  expect(await verdict(command, { allow: [`Bash(${rule})`] })).toBe('ask');
});

test.each([
  ['git status', 'git status'],
  ['git status:*', 'git status'],
  ['git status:*', 'git status -s src'],
  ['git status *', 'git status -s'],
  ['npm run test:*', 'npm run test -- --watch'],
  ["grep 'a b':*", 'grep "a b" src'],
  ["find . -name '*.ts'", "find . -name '*.ts'"],
])('the rule %j allows %j', async (rule, command) => {
  expect(await verdict(command, { allow: [`run_command(${rule})`] })).toBe('allow');
});

test.each([
  'git status $X',
  'git status *.ts',
  'git status ~',
  'git status {a,b}',
  'A=1 git status',
  '/tmp/git status',
])('an allow rule takes only what stands literally on the line: %j', async (command) => {
  expect(await verdict(command, { allow: ['Bash(git:*)'] })).toBe('ask');
});

test('a bare tool name means any command, as long as the line is one literal command', async () => {
  expect(await verdict('npm test', { allow: ['Bash'] })).toBe('allow');
  expect(await verdict('npm test && npm publish', { allow: ['Bash'] })).toBe('ask');
});

test.each([
  'git diff --output=/tmp/p',
  'git log -p --output p',
  'javac -version -processorpath p -processor E T.java',
  'sort --compress-program sh f',
  'sort -o out f',
  'rg --pre ./e x',
  'man -Psh ls',
  'git grep -O./e x',
  'less +!sh f',
  'find . -delete',
  'awk \'BEGIN{system("id")}\'',
  'sed -n 1e f',
  'sed -i s/a/b/ f',
  'git -c core.pager=./e log',
  'git --exec-path=. status',
  "git config alias.z '!id'",
])('PE-07 PE-08 PE-09 nothing that could write or execute runs unasked: %j', async (command) => {
  expect(await verdict(command, {})).toBe('ask');
});

test('a line that names more paths than can be looked at asks where rules guard', async () => {
  const files = Array.from({ length: 600 }, (_, index) => `f${index}`).join(' ');
  const command = `cd a; cd b; tool ${files} link`;
  expect(await verdict(command, {}, { mode: 'allow' })).toBe('ask');
  expect(await verdict(command, { deny: ['Read(secret)'] }, { mode: 'danger-full-access' })).toBe('ask');
});

test('a command that repeats wrappers without end is judged in good time', async () => {
  const command = `find . ${'-exec find . '.repeat(250)}-exec curl x`;
  expect(await verdict(command, { deny: ['Bash(curl:*)'] }, { mode: 'allow' })).toBe('deny');
});

test('deny beats allow, allow beats ask, ask beats the mode', async () => {
  const all = ['Bash(npm test)'];
  expect(await verdict('npm test', { deny: all, allow: all, ask: all }, { mode: 'allow' })).toBe('deny');
  expect(await verdict('npm test', { allow: all, ask: all })).toBe('allow');
  expect(await verdict('npm test', { ask: all }, { mode: 'danger-full-access' })).toBe('ask');
});

test('what is not understood is asked, never allowed', async () => {
  expect(await verdict('echo "unterminated', { allow: ['Bash'] }, { mode: 'allow' })).toBe('ask');
  expect(await verdict('A=1', {}, { mode: 'allow' })).toBe('ask');
});

test('a guarding rule that cannot be read makes what changes or executes ask, and says so', async () => {
  const gates = bench({ mode: 'allow', rules: { deny: ['Bash(curl'] } });
  expect(await verdictOf(gates.run('npm test'), gates)).toBe('ask');
  expect(gates.asked[0]?.concerns.join()).toContain(
    '"Bash(curl" can\'t be read: the closing bracket is missing',
  );
});

test('an allow rule that cannot be read allows nothing', async () => {
  expect(await verdict('git x', { allow: ['Bash(git * x)', 'Bash()', '@nothing', 'Bash(git'] })).toBe('ask');
});
