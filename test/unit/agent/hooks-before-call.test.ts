import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CoreLabOptions, call, coreLab } from '#test/support/core-lab';
import { decides, hooksOf, keeps, kept, says } from '#test/support/hook-scripts';
import { tempFolder } from '#test/support/temp-folder';

/** One call in a turn, with these hooks before it. */
async function oneCall(
  hooks: unknown,
  [name, input]: readonly [string, object],
  options: CoreLabOptions & { readonly mode?: 'allow' | 'prompt' } = {},
) {
  const lab = await coreLab({ ...options, settings: { hooks, ...options.settings } });
  if (options.mode) lab.session.setMode(options.mode);
  const status = await lab.turn('x', { calls: [call('c', name, input)] }, { text: 'ok' });
  const [result] = lab.results();
  const completed = lab.session.events().find(({ type }) => type === 'tool.completed');
  const line = completed?.type === 'tool.completed' ? completed.trace.filter((l) => l.stage === 'hooks') : [];
  return { lab, status, result, line, asked: lab.host.asked };
}

const TOUCH = ['run_command', { command: 'touch made', description: 'makes it' }] as const;

test('exit code 2 denies the call with the hook’s words, names the hook, and the turn goes on', async () => {
  const hooks = hooksOf('PreToolUse', { matcher: 'Bash', command: 'echo "not today" >&2; exit 2' });
  const { lab, status, result, line, asked } = await oneCall(hooks, TOUCH);
  const name = '"echo "not today" >&2; exit 2" (user settings)';
  expect({ status, asked: asked.length, made: existsSync(lab.folder.at('made')) }).toEqual({
    status: 'done',
    asked: 0,
    made: false,
  });
  expect(result).toMatchObject({
    status: 'denied',
    code: 'hook_denied',
    retryable: false,
    content: expect.stringContaining(`${name}: not today`),
  });
  expect(line).toMatchObject([{ verdict: 'stop', why: `denied by the hook ${name}: not today` }]);
});

test('an allow answers where the mode would ask', async () => {
  const hooks = hooksOf('PreToolUse', decides('allow', { permissionDecisionReason: 'known good' }));
  const { lab, result, line, asked } = await oneCall(hooks, TOUCH);
  expect([result?.status, asked.length, existsSync(lab.folder.at('made'))]).toEqual(['success', 0, true]);
  expect(line[0]?.why).toContain('known good');
});

test.each<[string, readonly [string, object], CoreLabOptions, string | undefined]>([
  [
    'a deny rule',
    TOUCH,
    { settings: { permissions: { deny: ['Bash(touch:*)'], allow: [], ask: [] } } },
    'permission_denied',
  ],
  [
    'an ask rule',
    TOUCH,
    { settings: { permissions: { deny: [], allow: [], ask: ['Bash(touch:*)'] } } },
    undefined,
  ],
  ['a protected file', ['write_file', { path: '.vscode/tasks.json', content: '{}' }], {}, undefined],
  ['a likely secret', ['read_file', { path: '.env' }], { workspace: { '.env': 'A=1' } }, undefined],
  ['what is forbidden', ['run_command', { command: 'sudo id', description: 'x' }], {}, 'forbidden'],
  ['the network', ['run_command', { command: 'true', description: 'x', network: true }], {}, undefined],
  ['a line nobody understands', ['run_command', { command: 'a=$(', description: 'x' }], {}, undefined],
  ['a missing sandbox', TOUCH, { settings: { sandbox: 'off' }, core: { assumeSandbox: false } }, undefined],
  ['a path outside', ['write_file', { path: '../x', content: '' }], {}, 'rejected_arguments'],
])('an allow does not lift %s', async (_what, made, options, code) => {
  const { result, asked } = await oneCall(hooksOf('PreToolUse', decides('allow')), made, options);
  // Where nothing denies at once a person is asked, and here nobody allows.
  expect([result?.status === 'success', result?.code, asked.length]).toEqual([
    false,
    code ?? 'permission_denied',
    code === undefined ? 1 : 0,
  ]);
});

test('an allow in a folder that is not trusted is not even heard', async () => {
  const marks = tempFolder();
  const hooks = hooksOf('PreToolUse', `touch ${marks.at('ran')}; ${decides('allow')}`);
  const { result } = await oneCall(hooks, TOUCH, { trusted: false });
  expect([result?.code, existsSync(marks.at('ran'))]).toEqual(['permission_denied', false]);
});

test.each<[string, string, string]>([
  ['an ask', decides('ask', { permissionDecisionReason: 'look at it' }), 'look at it'],
  ['a failure', 'echo oops >&2; exit 1', 'it failed with 1: oops'],
  ['a time-out', 'sleep 50', 'it was not done after 0.3 s'],
  ['broken JSON', 'echo "{"', 'it printed broken JSON'],
  ['an answer that makes no sense', says({ decision: 'maybe' }), 'its answer makes no sense'],
  ['a command that is not there', '/no/such/hook', 'it failed with 127'],
  ['a flood of JSON', 'printf "{"; head -c 3000000 /dev/zero', 'it printed more than 1 MB'],
])('%s asks, in the mode that allows all and of a read too', async (_what, command, words) => {
  // Only the one that is to be late is hurried: a busy machine takes its time.
  const hooks = hooksOf('PreToolUse', command.startsWith('sleep') ? { command, timeout: 0.3 } : command);
  const { asked, result } = await oneCall(hooks, ['read_file', { path: 'a.txt' }], {
    workspace: { 'a.txt': 'a' },
    mode: 'allow',
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.concerns.join()).toContain(words);
  expect(result?.code).toBe('permission_denied');
});

test('a person may allow what a broken hook made ask; the failure is told as a notice', async () => {
  const { lab, result } = await oneCall(hooksOf('PreToolUse', 'exit 9'), TOUCH, { answers: ['allow-once'] });
  expect(result?.status).toBe('success');
  expect(lab.session.transcript().turns[0]?.items).toContainEqual(
    expect.objectContaining({ kind: 'hook', report: 'problem', text: 'it failed with 9' }),
  );
});

test('of several the strictest wins, whatever their order', async () => {
  const no = decides('deny', { permissionDecisionReason: 'no' });
  for (const commands of [
    [decides('allow'), no, decides('ask')],
    [no, decides('ask'), decides('allow')],
  ]) {
    const { result } = await oneCall(hooksOf('PreToolUse', ...commands), TOUCH);
    expect(result?.code).toBe('hook_denied');
  }
  const { asked } = await oneCall(hooksOf('PreToolUse', decides('allow'), decides('ask')), TOUCH);
  expect(asked).toHaveLength(1);
});

test('they run side by side, and the same command once', async () => {
  const marks = tempFolder();
  const wait = (n: number) =>
    `touch ${marks.at(String(n))}; for i in $(seq 100); do [ -e ${marks.at(String(1 - n))} ] && exit 0; sleep 0.1; done; exit 2`;
  const counted = `echo x >> ${marks.at('count')}`;
  const { result } = await oneCall(
    hooksOf('PreToolUse', wait(0), wait(1), counted, { matcher: 'Bash', command: counted }),
    TOUCH,
    { answers: ['allow-once'] },
  );
  expect([result?.status, marks.text('count')]).toEqual(['success', 'x\n']);
});

test('what a hook is told', async () => {
  const marks = tempFolder();
  const { lab } = await oneCall(
    hooksOf('PreToolUse', keeps(marks.at('in'))),
    ['edit_file', { path: 'src/a.ts', oldText: 'a', newText: 'b' }],
    { workspace: { 'src/a.ts': 'a' } },
  );
  // The file was never read, so the edit is refused before any hook hears of it.
  expect(existsSync(marks.at('in'))).toBe(false);
  await lab.turn(
    'y',
    { calls: [call('r', 'read_file', { path: 'src/a.ts' })] },
    { calls: [call('e', 'edit_file', { path: 'src/a.ts', oldText: 'a', newText: 'b' })] },
  );
  const [, told] = kept(marks, 'in');
  expect(told).toEqual({
    session_id: lab.session.id,
    transcript_path: expect.stringMatching(/\.jsonl$/),
    cwd: lab.folder.path,
    permission_mode: 'acceptEdits',
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: lab.folder.at('src/a.ts'), old_string: 'a', new_string: 'b' },
    tool_use_id: expect.any(String),
    belay: {
      tool: 'edit_file',
      risk: 'workspace-write',
      capabilities: ['filesystem.read', 'filesystem.write'],
      touches: [{ kind: 'write', path: 'src/a.ts', operation: 'modify' }],
    },
  });
});

test('CM-15: a hook’s environment has no keys and no injected code, and knows the project', async () => {
  const marks = tempFolder();
  const variables = {
    PATH: process.env['PATH'],
    ANTHROPIC_API_KEY: 'sk-secret',
    NODE_OPTIONS: '--require /x',
    LD_PRELOAD: '/x.so',
    VSCODE_PID: '1',
    HTTPS_PROXY: 'http://proxy',
  };
  const { lab } = await oneCall(hooksOf('PreToolUse', `env > ${marks.at('env')}`), TOUCH, { variables });
  const names = marks.text('env').split('\n');
  expect(names).toContain(`CLAUDE_PROJECT_DIR=${lab.folder.path}`);
  expect(names).toContain('HTTPS_PROXY=http://proxy');
  expect(names.filter((line) => /^(ANTHROPIC|NODE_OPTIONS|LD_|VSCODE_)/.test(line))).toEqual([]);
});

test('HK-03: a guard of files sees what a command line names', async () => {
  const guard = `${join(import.meta.dirname, '../fixtures/hooks/guard-src.mjs')}`;
  const hooks = hooksOf('PreToolUse', `node '${guard}'`);
  for (const command of ['sed -i s/a/b/ src/a.ts', 'echo x | tee src/a.ts', 'echo x > src/a.ts']) {
    const { result } = await oneCall(hooks, ['run_command', { command, description: 'x' }], {
      workspace: { 'src/a.ts': 'a' },
    });
    expect([command, result?.code]).toEqual([command, 'hook_denied']);
  }
});

test.each([
  ['Bash(touch *)', 'touch made', true],
  ['Bash(git *)', 'touch made', false],
  ['Bash(git push:*)', 'true && git push', true],
  ['Bash(git *)', 'env A=1 git status', true],
  ['Bash(rm *)', '$UNKNOWN x', true],
  ['Read', 'touch made', false],
])('if %s, %s: the hook runs: %s', async (condition, command, runs) => {
  const marks = tempFolder();
  const hooks = hooksOf('PreToolUse', { command: `touch ${marks.at('ran')}`, if: condition });
  await oneCall(hooks, ['run_command', { command, description: 'x' }]);
  expect(existsSync(marks.at('ran'))).toBe(runs);
});

test('several edits are seen by a guard of Edit', async () => {
  const hooks = hooksOf('PreToolUse', { matcher: 'Edit|Write', command: 'exit 2' });
  const lab = await coreLab({ workspace: { 'a.txt': 'a b' }, settings: { hooks } });
  const edits = [
    { oldText: 'a', newText: 'x' },
    { oldText: 'b', newText: 'y' },
  ];
  await lab.turn(
    'x',
    { calls: [call('r', 'read_file', { path: 'a.txt' })] },
    { calls: [call('e', 'edit_file', { path: 'a.txt', edits })] },
  );
  expect(lab.results().map(({ code }) => code)).toEqual([undefined, 'hook_denied']);
});

test('a configuration that can’t be read makes what changes something ask', async () => {
  const hooks = { PreToolUse: [{ matcher: '(', hooks: [{ command: 'exit 2' }] }] };
  const { asked } = await oneCall(hooks, TOUCH, { mode: 'allow' });
  expect(asked[0]?.concerns.join()).toContain('a hook can’t be read');
  const read = await oneCall(hooks, ['read_file', { path: 'a' }], { workspace: { a: 'a' } });
  expect([read.result?.status, read.asked.length]).toEqual(['success', 0]);
});

test('a stop while a hook runs cancels the call, and the hook is gone', async () => {
  const marks = tempFolder();
  const hooks = hooksOf('PreToolUse', `echo $$ > ${marks.at('pid')}; sleep 70`);
  const lab = await coreLab({ settings: { hooks } });
  const running = lab.turn('x', { calls: [call('c', ...TOUCH)] });
  await expect.poll(() => existsSync(marks.at('pid')) && marks.text('pid').endsWith('\n')).toBe(true);
  lab.session.stop();
  expect([await running, lab.results()[0]?.status]).toEqual(['cancelled', 'cancelled']);
  const pid = Number(marks.text('pid'));
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});

test('continue: false denies the call and ends the turn with the reason', async () => {
  const hooks = hooksOf('PreToolUse', says({ continue: false, stopReason: 'budget is spent' }));
  const { lab, status, result } = await oneCall(hooks, TOUCH);
  expect([status, result?.code]).toEqual(['denied', 'hook_denied']);
  expect(lab.session.transcript().turns[0]?.problem).toMatchObject({
    kind: 'hook',
    detail: expect.stringContaining('budget is spent'),
  });
});

test('messages and context go to the person at once and to the model with the next request', async () => {
  const output = {
    systemMessage: 'mind the linter',
    hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'the API is frozen' },
  };
  const { lab } = await oneCall(hooksOf('PreToolUse', says(output)), ['read_file', { path: 'a' }], {
    workspace: { a: 'a' },
  });
  const last = lab.requests.at(-1)?.messages.at(-1);
  expect(last?.kind === 'note' && last.text).toMatch(/mind the linter[\s\S]*the API is frozen/);
  expect(lab.session.transcript().turns[0]?.items).toContainEqual(
    expect.objectContaining({ kind: 'hook', report: 'message', text: 'mind the linter' }),
  );
});

test('what a hook says is shown without the values of secrets', async () => {
  const hooks = hooksOf('PreToolUse', 'echo "key is sk-very-secret-value" >&2; exit 2');
  const lab = await coreLab({ settings: { hooks } });
  lab.host.keys.set('k', 'sk-very-secret-value');
  await lab.turn('x', { calls: [call('c', ...TOUCH)] });
  expect(JSON.stringify([lab.results(), lab.session.events()])).not.toContain('sk-very-secret-value');
});

test('the script that a hook runs is protected: a tool asks before it changes it, a command can’t', async () => {
  const hooks = hooksOf('PreToolUse', { matcher: 'WebFetch', command: './tools/guard.sh' });
  const workspace = { 'tools/guard.sh': '#!/bin/sh\n', 'tools/other.sh': '#!/bin/sh\n' };
  const options = { workspace, answers: ['deny-once' as const] };
  const write = async (name: string) => {
    const edit = { path: `tools/${name}`, oldText: '#!/bin/sh\n', newText: '#!/bin/sh\necho x\n' };
    const lab = await coreLab({ settings: { hooks }, ...options });
    const reads = call('r', 'read_file', { path: edit.path });
    await lab.turn('x', { calls: [reads] }, { calls: [call('c', 'edit_file', edit)] }, { text: 'ok' });
    return lab.host.asked.length;
  };
  expect([await write('guard.sh'), await write('other.sh')]).toEqual([1, 0]);
  const command = 'echo evil >> tools/guard.sh; mv tools t2; echo fine >> tools/other.sh';
  const { lab } = await oneCall(hooks, ['run_command', { command, description: 'd' }], {
    workspace,
    settings: { mode: 'allow' },
    answers: ['allow-once'],
    core: { assumeSandbox: false },
  });
  expect([lab.folder.text('tools/guard.sh'), lab.folder.text('tools/other.sh')]).toEqual([
    '#!/bin/sh\n',
    '#!/bin/sh\nfine\n',
  ]);
});
