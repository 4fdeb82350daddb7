import { expect, test } from 'vitest';
import { type CoreLabOptions, coreLab } from '#test/support/core-lab';

const FILES = {
  'a.txt': 'alpha beta\n',
  '.env': 'TOKEN=alpha\n',
  '.belayignore': 'hidden/\n',
  'hidden/b.txt': 'alpha\n',
};

async function lab(options: CoreLabOptions = {}) {
  const { app, host, session, folder } = await coreLab({ workspace: FILES, ...options });
  const { signal } = new AbortController();
  return {
    ...{ app, host, session, folder },
    async read(tool: string, input: unknown): Promise<string> {
      const answer = await app.readForOthers({ tool, input }, signal);
      return answer.ok ? `ok: ${answer.value}` : `refused: ${answer.error}`;
    },
  };
}

test('a file is read, and found by its content and its name', async () => {
  const { read } = await lab();
  expect([
    await read('read_file', { path: 'a.txt' }),
    await read('search_files', { pattern: 'alpha', mode: 'content' }),
    await read('glob_files', { pattern: '**/*.txt' }),
  ]).toEqual([
    expect.stringMatching(/^ok: .*1→alpha beta/s),
    expect.stringMatching(/^ok: (?!.*(hidden|env)).*a\.txt.*alpha beta/s),
    expect.stringMatching(/^ok: (?!.*hidden).*a\.txt/s),
  ]);
});

test.each<[string, unknown, RegExp]>([
  ['outside the folder', { path: '../x' }, /outside the workspace/],
  ['that .belayignore hides', { path: 'hidden/b.txt' }, /is hidden by "\.belayignore"/],
  ['that likely holds secrets', { path: '.env' }, /needs an approval and nobody can be asked/],
  ['that isn’t there', { path: 'none.txt' }, /none\.txt/],
  ['with arguments that don’t fit', { file: 'a.txt' }, /the arguments don't fit/],
])('a file %s is refused in words', async (_what, input, words) => {
  const { read } = await lab();
  expect(await read('read_file', input)).toMatch(new RegExp(`^refused: read_file: .*${words.source}`));
});

test('a rule that allows Belay’s model a secret file doesn’t allow it to others’', async () => {
  const permissions = { deny: [], allow: ['Read(.env)', 'read_file'], ask: [] };
  const { read, host } = await lab({ settings: { mode: 'allow', permissions } });
  expect([
    await read('read_file', { path: '.env' }),
    await read('search_files', { pattern: 'TOKEN', includeIgnored: true }),
    await read('search_files', { pattern: 'TOKEN', path: '.env' }),
    host.asked,
  ]).toEqual([
    expect.stringMatching(/^refused: .*needs an approval/),
    expect.not.stringContaining('.env'),
    expect.stringMatching(/^refused: .*needs an approval/),
    [],
  ]);
});

test('rules of the person that deny or ask about a file count; the mode danger opens nothing', async () => {
  const permissions = { deny: ['Read(a.txt)'], allow: [], ask: ['Read(c.txt)'] };
  const { read } = await lab({
    workspace: { ...FILES, 'c.txt': 'c' },
    settings: { mode: 'danger-full-access', permissions },
  });
  expect([await read('read_file', { path: 'a.txt' }), await read('read_file', { path: 'c.txt' })]).toEqual([
    expect.stringMatching(/^refused: .*denied by the rule/),
    expect.stringMatching(/^refused: .*needs an approval/),
  ]);
});

test('a hook that guards reading guards this too', async () => {
  const hooks = {
    PreToolUse: [
      { matcher: 'Read', hooks: [{ type: 'command', command: 'echo "not that one" >&2; exit 2' }] },
    ],
  };
  const { read } = await lab({ settings: { hooks } });
  expect(await read('read_file', { path: 'a.txt' })).toMatch(/^refused: .*not that one/s);
});

test('only what reads is there: nothing writes, runs, or finds other tools', async () => {
  const { read } = await lab({ settings: { mode: 'allow' } });
  const calls = ['write_file', 'run_command', 'search_tools', 'todo_write', '__proto__', ''];
  expect(await Promise.all(calls.map((tool) => read(tool, {})))).toEqual(
    calls.map(() => expect.stringMatching(/^refused: .*there is no tool of this name/)),
  );
});

test('known secrets are taken out, and a long answer keeps head and tail', async () => {
  const lines = Array.from({ length: 900 }, (_, line) => `line ${line} ${'word '.repeat(10)}`);
  const { read, host } = await lab({ workspace: { 'long.txt': `sesame-open-1234\n${lines.join('\n')}\n` } });
  host.keys.set('key', 'sesame-open-1234');
  const answer = await read('read_file', { path: 'long.txt', limit: 1000 });
  expect([
    answer.includes('sesame-open'),
    answer.length < 41_000,
    /characters left out[\s\S]*line 899/.test(answer),
  ]).toEqual([false, true, true]);
});

test('in a folder that isn’t trusted it reads as Belay itself does', async () => {
  const { read } = await lab({ trusted: false });
  expect(await read('read_file', { path: 'a.txt' })).toMatch(/^ok: /);
});

test('nothing of it is kept: no session, no event, no question', async () => {
  const { read, app, session, host } = await lab();
  const before = [app.sessions().length, session.events().length];
  await read('read_file', { path: 'a.txt' });
  await read('read_file', { path: '.env' });
  expect([[app.sessions().length, session.events().length], host.asked]).toEqual([before, []]);
});

test('a call that is stopped ends without reading', async () => {
  const { app } = await lab();
  const read = app.readForOthers({ tool: 'read_file', input: { path: 'a.txt' } }, AbortSignal.abort());
  expect(await read).toMatchObject({ ok: false });
});

test('arguments of any shape are refused, never thrown', async () => {
  const { read } = await lab();
  const strange = [undefined, null, 7, [], 'x'.repeat(200_000)];
  const answers = await Promise.all(strange.map((input) => read('read_file', input)));
  expect(answers).toEqual(strange.map(() => expect.stringMatching(/^refused: read_file: /)));
});
