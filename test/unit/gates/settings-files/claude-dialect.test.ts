import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PermissionLists } from '#protocol/settings';
import { verdictOf } from '#test/unit/gates/bench';
import { gatesWithFiles, rules } from './lab';

const SHARED = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';

const withRules = (lists: Partial<PermissionLists>) =>
  gatesWithFiles({ [SHARED]: rules(lists) }, { claude: true });

test.each([
  // A star with a blank before it at the end: the words before it, and any further ones.
  ['Bash(npm run *)', 'npm run test', 'allow'],
  ['Bash(npm run *)', 'npm run', 'allow'],
  ['Bash(npm run *)', 'npm runx', 'ask'],
  ['Bash(npm run:*)', 'npm run test', 'allow'],
  ['Bash(npm run test)', 'npm run test', 'allow'],
  ['Bash(npm run test)', 'npm run test -- -u', 'ask'],
  // A star elsewhere means anything, but a program is always named.
  ['Bash(git * main)', 'git checkout main', 'allow'],
  ['Bash(git * main)', 'git push origin main', 'allow'],
  ['Bash(git * main)', 'git checkout other', 'ask'],
  ['Bash(npm run *:check)', 'npm run types:check', 'allow'],
  ['Bash(npm run *:check)', 'npm run types:check; curl x', 'ask'],
  ['Bash(* --version)', 'rm --version', 'ask'],
  // PE-19 even a glued star ends where the word ends.
  ['Bash(ls*)', 'lsof', 'ask'],
  ['Bash(*)', 'tool x', 'allow'],
  ['Bash', 'tool x', 'allow'],
])('an allow of %s: %s is %s', async (rule, command, verdict) => {
  const gates = await withRules({ allow: [rule] });
  expect(await verdictOf(gates.run(command), gates)).toBe(verdict);
});

test.each([
  ['Bash(* --force)', 'git push --force', 'deny'],
  ['Bash(rm *)', 'rm', 'deny'],
  ['Bash(curl*)', 'X=1 env curl x', 'deny'],
  ['Bash(git push *)', 'true && git push', 'deny'],
])('a deny of %s: %s is %s', async (rule, command, verdict) => {
  const gates = await withRules({ deny: [rule] });
  expect(await verdictOf(gates.run(command), gates)).toBe(verdict);
});

test('among all of its files a deny comes before an ask, and an ask before an allow', async () => {
  const verdict = async (shared: Partial<PermissionLists>, local: Partial<PermissionLists>, home = {}) => {
    const gates = await gatesWithFiles(
      { [SHARED]: rules(shared), [LOCAL]: rules(local) },
      { claude: true, home: { '.claude/settings.json': rules(home) } },
    );
    return verdictOf(gates.run('git push origin'), gates);
  };
  const [all, push] = [['Bash(git *)'], ['Bash(git push *)']];
  expect([
    await verdict({ allow: all, ask: push }, {}),
    await verdict({ ask: push }, { allow: all }),
    await verdict({ allow: all }, { ask: push }),
    await verdict({ ask: push }, {}, { allow: all }),
    await verdict({ allow: all }, {}, { ask: push }),
    await verdict({ allow: all }, { deny: push }),
    await verdict({}, {}, { allow: all }),
  ]).toEqual(['ask', 'ask', 'ask', 'ask', 'ask', 'deny', 'allow']);
});

test('in Belay’s own files an allow comes before an ask, beside Claude Code’s', async () => {
  const gates = await gatesWithFiles(
    {
      '.belay/settings.json': rules({ allow: ['Bash(git *)'], ask: ['Bash(git push *)'] }),
      [SHARED]: rules({ ask: ['Bash(git push *)'] }),
    },
    { claude: true },
  );
  expect(await verdictOf(gates.run('git push origin'), gates)).toBe('allow');
});

test.each([
  // `/` is where the settings stand: the project for its files.
  ['Edit(/src/**)', 'src/a.ts', 'deny'],
  ['Edit(/src/**)', 'x/src/a.ts', 'allow'],
  ['Edit(./src/**)', 'src/a.ts', 'deny'],
  ['Edit(src/**)', 'src/a.ts', 'deny'],
  ['Edit(*.env)', 'x/y/prod.env', 'deny'],
  ['Edit(src/)', 'src/deep/a.ts', 'deny'],
  ['Write(src/**)', 'src/a.ts', 'deny'],
  ['MultiEdit(src/**)', 'src/a.ts', 'deny'],
  ['NotebookEdit(src/**)', 'src/a.ts', 'deny'],
  ['Edit', 'src/a.ts', 'deny'],
])('a deny of %s: writing %s is %s', async (rule, path, verdict) => {
  const gates = await withRules({ deny: [rule] });
  expect(await verdictOf(gates.walk('write_file', { path, content: 'x' }), gates)).toBe(verdict);
});

test('`//` begins at the root of the disk, `~/` at home, `/` in the user’s file at its own folder', async () => {
  const reads = async (rule: string, inUserFile = false) => {
    const lists = rules({ deny: [rule] });
    const gates = await gatesWithFiles(
      { 'src/a.ts': 'a', ...(inUserFile ? {} : { [SHARED]: lists }) },
      { claude: true, home: inUserFile ? { '.claude/settings.json': lists } : {} },
    );
    return verdictOf(gates.walk('read_file', { path: 'src/a.ts' }), gates);
  };
  expect([
    await reads('Read(//**/src/a.ts)'),
    await reads('Read(//src/a.ts)'),
    await reads('Read(~/src/a.ts)'),
    await reads('Read(/src/a.ts)'),
    await reads('Read(/src/a.ts)', true),
    await reads('Read(./src/a.ts)', true),
    await reads('Read(src/a.ts)', true),
  ]).toEqual(['deny', 'allow', 'allow', 'deny', 'allow', 'deny', 'deny']);
});

test('`../` goes up from the project', async () => {
  const verdict = async (rule: string, command: string) => {
    const gates = await withRules({ deny: [rule] });
    return (await verdictOf(gates.run(command), gates)) === 'deny';
  };
  expect([
    await verdict('Read(../other/**)', 'cat ../other/k'),
    await verdict('Read(./../other/**)', 'cat ../other/k'),
    await verdict('Read(../../**)', 'cat ../../x/k'),
    await verdict('Read(../other/**)', 'cat other/k'),
  ]).toEqual([true, true, true, false]);
});

test('CVE-2025-58373 PE-20 an allow needs link and target, a deny either', async () => {
  const reads = async (lists: Partial<PermissionLists>, path: string) => {
    const gates = await gatesWithFiles(
      { [SHARED]: rules(lists), 'docs/a.md': 'a', 'secret/k': 'k' },
      { claude: true },
    );
    symlinkSync('../secret/k', gates.folder.at('docs/link'));
    return verdictOf(gates.walk('read_file', { path }), gates);
  };
  const ask = ['Read(secret/**)'];
  expect([
    await reads({ deny: ['Read(secret/**)'] }, 'docs/link'),
    await reads({ deny: ['Read(docs/link)'] }, 'docs/link'),
    await reads({ allow: ['Read(docs/**)'], ask }, 'docs/link'),
    await reads({ allow: ['Read(docs/**)'] }, 'docs/a.md'),
  ]).toEqual(['deny', 'deny', 'ask', 'allow']);
});

test('a server of tools is named whole or tool by tool', async () => {
  const { runCommand } = await import('#test/unit/gates/bench');
  const tool = {
    ...runCommand,
    name: 'mcp__github__get_issue',
    origin: { kind: 'mcp', server: 'github', tool: 'get_issue' },
  } as const;
  const verdict = async (rule: string) => {
    const gates = await gatesWithFiles(
      { [SHARED]: rules({ deny: [rule] }) },
      { claude: true, mode: 'allow', tools: [tool] },
    );
    const outcome = await gates.walk(tool.name, { command: 'x' });
    return outcome.kind === 'stopped' && outcome.trace.at(-1)?.why.includes('denied by the rule');
  };
  expect(
    await Promise.all(
      ['mcp__github', 'mcp__github__*', 'mcp__github__get_issue', 'mcp__git', 'mcp__github__get'].map(
        verdict,
      ),
    ),
  ).toEqual([true, true, true, false, false]);
});

test('its files are read only where that is switched on, and then count like any other', async () => {
  const files = { [SHARED]: rules({ deny: ['Bash(tool:*)'] }) };
  const off = await gatesWithFiles(files, { mode: 'allow' });
  const on = await gatesWithFiles(files, { mode: 'allow', claude: true });
  expect([await verdictOf(off.run('tool x'), off), await verdictOf(on.run('tool x'), on)]).toEqual([
    'allow',
    'deny',
  ]);
});
