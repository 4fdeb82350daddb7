import { expect, test } from 'vitest';
import type { ApprovalAnswer } from '#protocol/approval';
import { bench, verdictOf } from './bench';

test('the question holds exactly what would run, what rules match on, and what is unusual', async () => {
  const gates = bench({ answers: ['allow-once'], sandbox: false });
  await gates.run('npm test -- parser', { network: true });
  expect(gates.asked).toEqual([
    {
      id: 'approval-1',
      sessionId: 'session',
      callId: 'call-p1',
      inputSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      tool: 'run_command',
      summary: 'npm test -- parser',
      subject: 'npm test -- parser',
      description: 'does it',
      risk: 'execute',
      touches: [
        { kind: 'execute', command: 'npm test -- parser', cwd: '.', network: true, description: 'does it' },
      ],
      concerns: [
        'runs without a sandbox: no sandbox on this machine',
        'with the network, services of this machine can be reached too',
      ],
      ruleChoices: [],
      sandbox: { active: false, words: 'no sandbox on this machine' },
      network: true,
    },
  ]);
});

test('invisible and bidirectional characters are shown as escapes, never removed', async () => {
  const gates = bench({ answers: ['allow-once'] });
  await gates.run('echo \u202etxt.exe\u200b \u001b[31mred');
  expect(gates.asked[0]).toMatchObject({
    summary: 'echo \\u{202e}txt.exe\\u{200b} \\u{1b}[31mred',
    subject: 'echo \\u{202e}txt.exe\\u{200b} \\u{1b}[31mred',
    concerns: [
      'it is not fully understood: it has control characters or odd spaces',
      'has invisible characters, shown as \\u{…}',
    ],
  });
});

test('a file change is shown before it happens', async () => {
  const gates = bench({ mode: 'prompt', answers: ['allow-once'] });
  await gates.walk('write_file', { path: 'src/new.ts', content: 'one\ntwo\n' });
  expect(gates.asked[0]).toMatchObject({
    summary: 'Write src/new.ts',
    subject: 'src/new.ts',
    concerns: [],
    suggestedRule: 'write_file(./src/**)',
    ruleChoices: ['write_file(./src/new.ts)', 'write_file(./src/**)', 'write_file'],
    preview: { kind: 'diff', added: 2 },
  });
});

test.each([
  ['npm test -- parser', 'npm test:*', ['npm test -- parser', 'npm test:*', 'npm:*']],
  ['npm run build --silent', 'npm run build:*', ['npm run build --silent', 'npm run build:*', 'npm:*']],
  ['git commit -m "a b"', 'git commit:*', ["git commit -m 'a b'", 'git commit:*', 'git:*']],
  ['ls -la src', 'ls -la src', ['ls -la src', 'ls:*']],
  ['make', 'make', ['make']],
  ['python3 evil.py', 'python3 evil.py', ['python3 evil.py']],
  ['timeout 5 npm test', 'timeout 5 npm test', ['timeout 5 npm test']],
  ['rm -r build', 'rm -r build', ['rm -r build']],
  ['./run.sh x', './run.sh x', ['./run.sh x', './run.sh:*']],
])('for %j it suggests %j', async (command, suggested, choices) => {
  const gates = bench({ answers: ['allow-once'] });
  await gates.run(command);
  expect(gates.asked[0]).toMatchObject({
    suggestedRule: `run_command(${suggested})`,
    ruleChoices: choices.map((choice) => `run_command(${choice})`),
  });
});

test.each([
  'npm ci && npm test',
  'npm test | tee log',
  'LD_PRELOAD=$X npm test',
  'ls *.ts',
  'npm test > log',
  'cat .env',
])('PE-18 no rule is offered that would not answer exactly this question: %j', async (command) => {
  const gates = bench({ answers: ['allow-once'], files: { '.env': 'x' } });
  await gates.run(command);
  expect(gates.asked[0]).not.toHaveProperty('suggestedRule');
  expect(gates.asked[0]?.ruleChoices).toEqual([]);
});

test.each([
  ['cd backend && npm install', ['npm install', 'npm install:*', 'npm:*']],
  ['npm test 2>&1 | tail -20', ['npm test', 'npm test:*', 'npm:*']],
  ['A=1 npm test', ['npm test', 'npm test:*', 'npm:*']],
  ['npm test || npm test', ['npm test', 'npm test:*', 'npm:*']],
  ["git commit -F - <<'EOF'\nwords\nEOF", ['git commit -F -', 'git commit:*', 'git:*']],
  ['git commit -m "$(cat <<\'EOF\'\nwords\nEOF\n)"', ['git commit:*']],
  ['LD_PRELOAD=x npm test', ['LD_PRELOAD=x npm test']],
  ['rm -r build', ['rm -r build']],
])('PE-18 the rule that is offered is for the part that was not allowed: %j', async (command, expected) => {
  const more = { reading: true, files: { 'backend/a': '' } };
  const probe = bench({ answers: ['allow-once'], ...more });
  await probe.run(command);
  const rules = probe.asked[0]?.ruleChoices ?? [];
  expect(rules).toEqual(expected.map((rule) => `run_command(${rule})`));
  for (const rule of rules) {
    const gates = bench({ rules: { allow: [rule] }, ...more });
    expect([rule, await verdictOf(gates.run(command), gates)]).toEqual([rule, 'allow']);
  }
});

test('every suggested rule answers its own question from then on', async () => {
  for (const command of [
    'npm test -- parser',
    'git commit -m "it\'s (done) + @x"',
    "find . -name '*.ts'",
    'ls -la',
    'echo "a  b" "\\*"',
  ]) {
    const probe = bench({ answers: ['allow-once'] });
    await probe.run(command);
    for (const rule of probe.asked[0]?.ruleChoices ?? ['none']) {
      const gates = bench({ answers: [{ answer: 'allow-session', rule }] });
      expect((await gates.run(command)).kind).toBe('passed');
      expect([command, rule, await verdictOf(gates.run(command), gates)]).toEqual([command, rule, 'allow']);
    }
  }
});

test('every suggested rule for a path answers its own question, however odd the name', async () => {
  for (const path of ['a.txt', 'src/a b.txt', 'x/[id].ts', 'x/*y?.ts', '#z.ts', 'x/!a ', 'ä/é.ts']) {
    const probe = bench({ mode: 'prompt', answers: ['allow-once'] });
    await probe.walk('write_file', { path, content: 'x' });
    for (const rule of probe.asked[0]?.ruleChoices ?? ['none']) {
      const gates = bench({ mode: 'prompt', rules: { allow: [rule] } });
      const verdict = await verdictOf(gates.walk('write_file', { path, content: 'x' }), gates);
      expect([path, rule, verdict]).toEqual([path, rule, 'allow']);
    }
  }
});

test('for a protected file only that very file is offered', async () => {
  const gates = bench({ answers: ['allow-session'] });
  await gates.walk('write_file', { path: '.vscode/tasks.json', content: '{}' });
  expect(gates.asked[0]).toMatchObject({
    suggestedRule: 'write_file(./.vscode/tasks.json)',
    ruleChoices: ['write_file(./.vscode/tasks.json)'],
  });
  const verdict = (path: string) => verdictOf(gates.walk('write_file', { path, content: '{ }' }), gates);
  expect(await verdict('.vscode/tasks.json')).toBe('allow');
  expect(await verdict('.vscode/settings.json')).toBe('ask');
});

test('a command with network gets a rule for each, both shown', async () => {
  const gates = bench({ answers: ['allow-session'] });
  await gates.run('npm install left-pad', { network: true });
  expect(gates.asked[0]?.suggestedRule).toBe('run_command(npm install:*) + @network(npm install:*)');
  expect(await gates.run('npm install other', { network: true })).toMatchObject({
    kind: 'passed',
    confinement: { network: true },
  });
  expect(await verdictOf(gates.run('npm publish', { network: true }), gates)).toBe('ask');
});

test('allow once holds once', async () => {
  const gates = bench({ answers: ['allow-once'] });
  const first = await gates.run('npm test');
  expect(first).toMatchObject({ kind: 'passed' });
  expect(first.trace.find((line) => line.stage === 'permission')).toEqual({
    stage: 'permission',
    verdict: 'asked',
    why: 'allowed once (by a script); asked because: the mode workspace-write asks',
    ms: 0,
  });
  expect(await verdictOf(gates.run('npm test'), gates)).toBe('ask');
});

test('allow for the session adds the rule as the person left it', async () => {
  const gates = bench({ answers: [{ answer: 'allow-session', rule: 'Bash(npm test)' }] });
  const outcome = await gates.run('npm test');
  expect(outcome.trace.at(-2)?.why).toContain('allowed for this session by Bash(npm test)');
  expect(await verdictOf(gates.run('npm test'), gates)).toBe('allow');
  expect(await verdictOf(gates.run('npm test -- x'), gates)).toBe('ask');
});

test('deny for the session denies from then on without asking', async () => {
  const gates = bench({ answers: ['deny-session'] });
  expect(await gates.run('npm test')).toMatchObject({ kind: 'stopped', endsTurn: true });
  const again = await gates.run('npm test -- other');
  expect(again).toMatchObject({ kind: 'stopped', endsTurn: false, result: { code: 'permission_denied' } });
  expect(gates.asked).toHaveLength(1);
});

test('deny for the session where no rule fits denies exactly this call', async () => {
  const gates = bench({ answers: ['deny-session'] });
  await gates.run('a | b');
  expect(await verdictOf(gates.run('a | b'), gates)).toBe('deny');
  expect(await verdictOf(gates.run('a | c'), gates)).toBe('ask');
});

test('allow for the session where no rule fits allows once', async () => {
  const gates = bench({ answers: ['allow-session'] });
  expect((await gates.run('a | b')).kind).toBe('passed');
  expect(await verdictOf(gates.run('a | b'), gates)).toBe('ask');
});

test('a rule that cannot be read adds nothing and is asked again', async () => {
  const answers: ApprovalAnswer[] = [{ answer: 'allow-session', rule: 'Bash(npm' }, { answer: 'allow-once' }];
  const gates = bench({ answers });
  expect((await gates.run('npm test')).kind).toBe('passed');
  expect(gates.asked[1]?.concerns).toEqual([
    'the allow rule "Bash(npm" can\'t be read: the closing bracket is missing',
  ]);
  expect(new Set(gates.asked.map((request) => request.id)).size).toBe(2);
  expect(gates.context.sessionRules.source().allow).toEqual([]);
});

test('unreadable rules forever end in a denial', async () => {
  const gates = bench({
    answers: Array.from({ length: 9 }, () => ({ answer: 'allow-session' as const, rule: '(' })),
  });
  expect(await gates.run('npm test')).toMatchObject({
    kind: 'stopped',
    result: { code: 'permission_denied' },
  });
  expect(gates.asked).toHaveLength(3);
});

test('a no without words ends the turn; with words they go to the model and the turn goes on', async () => {
  const silent = await bench({ answers: ['deny-once'] }).run('npm test');
  expect(silent).toMatchObject({ endsTurn: true, result: { status: 'denied', code: 'permission_denied' } });
  const spoken = await bench({ answers: [{ answer: 'deny-once', feedback: 'use pnpm' }] }).run('npm test');
  expect(spoken).toMatchObject({ endsTurn: false });
  expect(spoken.kind === 'stopped' && spoken.result.content).toContain(
    'the user denied this call and said: use pnpm',
  );
});

test('a denial by a rule, by the mode or because nobody can be asked does not end the turn', async () => {
  const ends = [
    await bench({ rules: { deny: ['Bash'] } }).run('npm test'),
    await bench({ mode: 'read-only' }).walk('write_file', { path: 'a', content: '' }),
    await bench().run('npm test'),
  ].map((outcome) => outcome.kind === 'stopped' && [outcome.endsTurn, outcome.result.status]);
  expect(ends).toEqual([
    [false, 'denied'],
    [false, 'denied'],
    [false, 'denied'],
  ]);
});

test('words that came with an allow are kept for the model', async () => {
  const outcome = await bench({ answers: [{ answer: 'allow-once', feedback: ' only this time ' }] }).run(
    'npm test',
  );
  expect(outcome).toMatchObject({ kind: 'passed', grant: { feedback: 'only this time' } });
});

test('a preview that fails does not keep a person from being asked', async () => {
  const gates = bench({ mode: 'prompt', answers: ['allow-once'], files: { 'a.txt': 'a' } });
  const tool = gates.context.table.get('write_file');
  const table = {
    ...gates.context.table,
    get: () => tool && { ...tool, preview: () => Promise.reject(new Error('no')) },
  };
  const { walk } = await import('#gates/pipeline');
  const { callOf } = await import('./bench');
  const call = callOf('write_file', '{"path":"n.txt","content":"x"}', '1');
  expect((await walk(call, { ...gates.context, table })).kind).toBe('passed');
});

test.each(['src/a) + @network(npm install', 'notes\n.git/x', 'a\nsrc'])(
  'a path that would read as another rule beside its own is allowed once, never by a rule: %j',
  async (path) => {
    const gates = bench({ mode: 'prompt', answers: [{ answer: 'allow-session' }, 'deny-once', 'deny-once'] });
    await gates.walk('write_file', { path, content: 'x' });
    expect(gates.asked.map(({ suggestedRule, ruleChoices }) => [suggestedRule, ruleChoices])).toEqual([
      [undefined, []],
    ]);
    await gates.walk('write_file', { path: 'src/other', content: 'x' });
    await gates.run('npm install', { network: true });
    expect(gates.asked).toHaveLength(3);
  },
);
