import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hiddenFiles } from '#disk/hidden-files';
import type { PermissionLists } from '#protocol/settings';
import { type BenchOptions, bench, verdictOf } from './bench';

const FILES = {
  'a.txt': 'a\n',
  'src/b.ts': 'b\n',
  'secret/k': 'k\n',
  '.env': 'KEY=1\n',
  'sub/.env.local': 'x\n',
};

function gatesWith(rules: Partial<PermissionLists>, more: BenchOptions = {}) {
  return bench({ files: FILES, rules, ...more });
}

const create = (path: string) => ['write_file', { path, content: 'x' }] as const;

test.each([
  ['Edit(src/**)', 'src/new.ts', 'allow'],
  ['Edit(src/**)', 'src/deep/er/new.ts', 'allow'],
  ['Edit(src/**)', 'other/src/new.ts', 'ask'],
  ['Edit(./src/**)', 'src/new.ts', 'allow'],
  ['Edit(/src/**)', 'src/new.ts', 'allow'],
  ['Edit(src)', 'src/new.ts', 'allow'],
  ['Edit(*.ts)', 'deep/down/new.ts', 'allow'],
  ['Edit(/*.ts)', 'deep/down/new.ts', 'ask'],
  ['Edit(src/**)', 'SRC/new.ts', 'ask'],
  ['write_file(src/**)', 'src/new.ts', 'allow'],
  ['edit_file(src/**)', 'src/new.ts', 'ask'],
  ['write_file(new.ts)', 'new.ts', 'allow'],
  ['write_file(new.ts)', 'src/new.ts', 'ask'],
  ['Edit(new.ts)', 'src/new.ts', 'allow'],
  ['Write', 'anything.ts', 'allow'],
  ['@filesystem.write', 'anything.ts', 'allow'],
  ['risk:workspace-write', 'anything.ts', 'allow'],
  ['Read(src/**)', 'src/new.ts', 'ask'],
])('in mode prompt the allow rule %s and the file %s: %s', async (rule, path, expected) => {
  const gates = gatesWith({ allow: [rule] }, { mode: 'prompt' });
  expect(await verdictOf(gates.walk(...create(path)), gates)).toBe(expected);
});

test('double slash and tilde begin at the disk and at home', async () => {
  const probe = gatesWith({}, { mode: 'allow' });
  const home = probe.host.environment.home;
  const rules = { deny: ['Read(//etc/hostname)', 'Read(~/.belay-test/**)'] };
  for (const command of [
    'cat /etc/hostname',
    `cat ${home}/.belay-test/x`,
    'cat ~/.belay-test/x',
    'cat $HOME/.belay-test/x',
  ]) {
    const gates = gatesWith(rules, { mode: 'allow' });
    expect([command, await verdictOf(gates.run(command), gates)]).toEqual([command, 'deny']);
  }
});

test('a path is judged by where it leads, not by how it is written', async () => {
  const gates = gatesWith({ deny: ['Edit(src/**)'] });
  expect(await verdictOf(gates.walk(...create('./a/../src/new.ts')), gates)).toBe('deny');
  expect(await verdictOf(gates.walk(...create(gates.folder.at('src/new.ts'))), gates)).toBe('deny');
});

test('a guarding path rule that cannot be read makes changes ask instead of being ignored', async () => {
  for (const rule of ['Edit(../x)', 'edit_file(../x)', 'Edit(!src)', 'Edit()']) {
    const gates = gatesWith({ deny: [rule] });
    expect([rule, await verdictOf(gates.walk(...create('src/new.ts')), gates)]).toEqual([rule, 'ask']);
  }
});

test('a guard does not fall for letter case or invisible characters', async () => {
  const gates = gatesWith({ deny: ['Edit(src/**)'] });
  expect(await verdictOf(gates.walk(...create('SRC/new.ts')), gates)).toBe('deny');
  expect(await verdictOf(gates.walk(...create('s\u200brc/new.ts')), gates)).toBe('deny');
});

test.each([
  ['read_file', { path: 'link' }],
  ['read_file', { path: 'folder-link/k' }],
])('PE-20 a denied file is denied through a symlink too: %s %j', async (tool, input) => {
  const gates = gatesWith({ deny: ['Read(secret/**)'] });
  symlinkSync('secret/k', gates.folder.at('link'));
  symlinkSync('secret', gates.folder.at('folder-link'));
  expect(await verdictOf(gates.walk(tool, input), gates)).toBe('deny');
});

test('PE-20 a name that is denied stays denied when the link leads elsewhere', async () => {
  const gates = gatesWith({ deny: ['Read(/hidden)'] });
  symlinkSync('a.txt', gates.folder.at('hidden'));
  expect(await verdictOf(gates.walk('read_file', { path: 'hidden' }), gates)).toBe('deny');
});

test.each([
  'cat link',
  'cat < link',
  'head -n 1 secret/k',
  'tool --input=secret/k',
  'git show HEAD:secret/k',
  'dd if=secret/k',
  'curl -d @secret/k x',
])('PE-20 a denied file is denied to commands that name it: %s', async (command) => {
  const gates = gatesWith({ deny: ['Read(secret/**)'] }, { mode: 'allow' });
  symlinkSync('secret/k', gates.folder.at('link'));
  expect(await verdictOf(gates.run(command), gates)).toBe('deny');
});

test('a file that may not be edited is not removed by a command; an unknown command is asked about', async () => {
  const gates = gatesWith({ deny: ['Edit(src/**)'] }, { mode: 'allow' });
  expect(await verdictOf(gates.run('rm src/b.ts'), gates)).toBe('deny');
  expect(await verdictOf(gates.run('cp a.txt src/b.ts'), gates)).toBe('ask');
  expect(await verdictOf(gates.run('cat src/b.ts'), gates)).toBe('allow');
});

test.each([
  '.vscode/settings.json',
  '.VSCODE/settings.json',
  '.vscode/tasks.json',
  'deep/nested/.vscode/launch.json',
  'x.code-workspace',
  '.git/hooks/pre-commit',
  'vendor/lib/.git/config',
  '.github/workflows/ci.yml',
  'nested/.github/workflows/ci.yml',
  '.envrc',
  '.mcp.json',
  '.husky/pre-commit',
  '.bashrc',
  '.bash_logout',
  'dotfiles/.kshrc',
  '.zlogin',
  '.config/fish/config.fish',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.gitlab-ci.yml',
  '.travis.yml',
  'bitbucket-pipelines.yml',
  '.woodpecker/build.yml',
  '.forgejo/workflows/ci.yml',
  '.belay/settings.json',
])('PE-22 PE-23 writing %s asks in every mode but full access', async (path) => {
  for (const mode of ['prompt', 'workspace-write', 'allow'] as const) {
    const gates = gatesWith({}, { mode });
    expect(await verdictOf(gates.walk(...create(path)), gates)).toBe('ask');
    expect(gates.asked[0]?.concerns.join()).toContain('can make the editor, git or a shell run code');
  }
  const danger = gatesWith({}, { mode: 'danger-full-access' });
  expect(await verdictOf(danger.walk(...create(path)), danger)).toBe('allow');
});

test('PE-22 a rename into a protected place asks, also through a symlinked folder', async () => {
  const gates = gatesWith({}, { mode: 'allow' });
  mkdirSync(gates.folder.at('.vscode'));
  symlinkSync('.vscode', gates.folder.at('harmless'));
  for (const to of ['.vscode/settings.json', 'harmless/settings.json'])
    expect(await verdictOf(gates.walk('rename_file', { from: 'a.txt', to }), gates)).toBe('ask');
});

test.each([
  ['cat .e*', 'ask'],
  ['cat .[e]nv', 'ask'],
  ['cat s*b/.env.*', 'ask'],
  ['cat {.env,a.txt}', 'ask'],
  ['cp ?nv* .en? copy', 'ask'],
  ['cat l*', 'ask'],
  ['cat *', 'ask'],
  ['cat a.*', 'allow'],
  ["grep 'x.*' a.txt", 'allow'],
  ['cat s*t/k', 'deny'],
  ["cat 's*t/k' s*t/k", 'deny'],
  ['grep -r k s*t', 'deny'],
] as const)('%s is judged as the files that the shell makes of it: %s', async (command, verdict) => {
  const gates = gatesWith({ deny: ['Read(secret/**)'] }, { mode: 'allow' });
  symlinkSync('.env', gates.folder.at('link'));
  expect(await verdictOf(gates.run(command), gates)).toBe(verdict);
});

test('a secret asks, and what may not be read is denied, also on its way to another name', async () => {
  for (const [deny, verdict] of [
    [[], 'ask'],
    [['Read(.env)'], 'deny'],
  ] as const) {
    const gates = gatesWith({ deny: [...deny] }, { mode: 'allow' });
    expect(await verdictOf(gates.walk('rename_file', { from: '.env', to: 'plain.txt' }), gates)).toBe(
      verdict,
    );
    expect(await verdictOf(gates.run('mv .env plain.txt'), gates)).toBe(verdict);
  }
});

test.each([
  'echo {} > .vscode/settings.json',
  'tee .vscode/tasks.json',
  'cp a.txt .vscode/x',
  'sed -i s/a/b/ .envrc',
  'cd .vscode && touch x',
])('PE-22 a command that names a protected file asks where commands are allowed: %s', async (command) => {
  const gates = gatesWith({}, { mode: 'allow' });
  expect(await verdictOf(gates.run(command), gates)).toBe('ask');
});

test('an explicit allow lifts what is protected, a rule for something else does not', async () => {
  const lifted = gatesWith({ allow: ['Edit(.vscode/**)'] });
  expect(await verdictOf(lifted.walk(...create('.vscode/settings.json')), lifted)).toBe('allow');
  const other = gatesWith({ allow: ['Edit(src/**)', 'Bash'] });
  expect(await verdictOf(other.walk(...create('.vscode/settings.json')), other)).toBe('ask');
});

test.each(['.env', 'sub/.env.local'])('reading %s asks, however harmless reads are', async (path) => {
  for (const mode of ['read-only', 'prompt', 'workspace-write', 'allow'] as const) {
    const gates = gatesWith({}, { mode });
    expect(await verdictOf(gates.walk('read_file', { path }), gates)).toBe('ask');
  }
  const lifted = gatesWith({ allow: [`Read(./${path})`] });
  expect(await verdictOf(lifted.walk('read_file', { path }), lifted)).toBe('allow');
});

test('a command that names a secret asks', async () => {
  const gates = gatesWith({ allow: ['Bash(cat:*)'] });
  expect(await verdictOf(gates.run('cat .env'), gates)).toBe('ask');
  expect(await verdictOf(gates.run('cat a.txt'), gates)).toBe('allow');
});

test('a workspace that itself lies in a protected folder is not protected as a whole', async () => {
  const gates = bench({ files: { '.claude/worktree/a.txt': 'a' } });
  const root = gates.folder.at('.claude/worktree');
  const ports = { ...gates.context.ports, workspace: { root, name: 'w', hidden: hiddenFiles(root) } };
  const { walk } = await import('#gates/pipeline');
  const { callOf } = await import('./bench');
  const outcome = await walk(callOf('write_file', '{"path":"n.txt","content":"x"}', '1'), {
    ...gates.context,
    ports,
  });
  expect(outcome.kind).toBe('passed');
});

test('an ask rule for a path asks although the mode allows', async () => {
  const gates = gatesWith({ ask: ['Edit(src/**)'] });
  expect(await verdictOf(gates.walk(...create('src/new.ts')), gates)).toBe('ask');
});

test('a rule with a line break in its path is none: it would be two', async () => {
  const gates = gatesWith({ allow: ['Edit(./a\n.git)'] }, { mode: 'prompt' });
  expect(await verdictOf(gates.walk(...create('.git/hooks/x')), gates)).toBe('ask');
  const guarding = gatesWith({ deny: ['Edit(./a\nsrc)'] }, { mode: 'allow' });
  expect(await verdictOf(guarding.walk(...create('other')), guarding)).toBe('ask');
});
