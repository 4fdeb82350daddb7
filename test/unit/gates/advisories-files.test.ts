import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { PassedCall } from '#gates/context';
import { createWriter } from '#gates/writer';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { PROTECTED_FILES } from '#protocol/settings';
import { coreLab } from '#test/support/core-lab';
import { tempFolder } from '#test/support/temp-folder';
import { BUILTIN_TOOLS } from '#tools/builtin';
import { bench, verdictOf } from './bench';
import { gatesWithFiles, rules } from './settings-files/lab';

// What went wrong in other agents with files, rules and trust, each as a test of this one. Commands, hooks and the sandbox have theirs elsewhere.

const root = path.join(import.meta.dirname, '..', '..', '..');
const create = (name: string) => ['write_file', { path: name, content: '{}' }] as const;

const settings = () => {
  const manifest = z.object({
    contributes: z.object({
      configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string() })) }),
    }),
  });
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  return manifest.parse(JSON.parse(text)).contributes.configuration.properties;
};

test('CVE-2025-53773 CVE-2026-21852 CVE-2025-61260 nothing in a folder can set rules, modes, endpoints or hooks of Belay', () => {
  const guarded = Object.entries(settings()).filter(([key]) =>
    /mode|permissions|endpoints|hooks|sandbox|commands|claude|protected|secret|model/i.test(key),
  );
  expect(guarded.length).toBeGreaterThan(10);
  expect(guarded.filter(([, { scope }]) => scope !== 'machine' && scope !== 'application')).toEqual([]);
});

test.each([
  ['CVE-2025-53773', '.vscode/settings.json'],
  ['CVE-2025-54130', '.vscode/settings.json'],
  ['CVE-2025-54135', '.mcp.json'],
  ['CVE-2025-54135', '.vscode/mcp.json'],
  ['CVE-2025-53098', '.belay/settings.json'],
  ['CVE-2025-53098', '.mcp.json'],
  ['CVE-2025-53536', '.vscode/settings.json'],
  ['CVE-2025-58372', 'deep/down/project.code-workspace'],
  ['CVE-2025-64660', 'x.code-workspace'],
  ['CVE-2025-61590', 'x.code-workspace'],
  ['CVE-2025-64110', '.belay/settings.local.json'],
  ['CVE-2026-30615', '.vscode/mcp.json'],
  ['CVE-2026-25725', '.claude/settings.json'],
  ['CVE-2025-59944', '.VSCode/Settings.json'],
  ['CVE-2025-64107', '.vscode./settings.json'],
  ['CVE-2025-64108', '.vsco\u200bde/settings.json'],
  ['CVE-2025-64108', 'sub/../.vscode/settings.json'],
])('%s making %s asks in every mode but full access, although it was never there', async (_id, name) => {
  for (const mode of ['workspace-write', 'allow'] as const) {
    const gates = bench({ mode, rules: { allow: ['Bash', 'risk:execute'] } });
    expect(await verdictOf(gates.walk(...create(name)), gates)).toBe('ask');
  }
});

test.each([
  ['CVE-2025-54794', (folder: string) => `${folder}-evil/x`],
  ['CVE-2025-62353', () => '../../etc/passwd'],
  ['CVE-2025-62353', () => '/etc/passwd'],
  ['CVE-2025-62353', () => 'a/../../x'],
])('%s what lies beside the workspace is outside, however its path begins', async (_id, make) => {
  const gates = bench({ mode: 'danger-full-access', rules: { allow: ['Read', 'Edit'] } });
  mkdirSync(`${gates.folder.path}-evil`);
  try {
    for (const [tool, input] of [
      ['read_file', { path: make(gates.folder.path) }],
      ['write_file', { path: make(gates.folder.path), content: 'x' }],
    ] as const)
      expect((await gates.walk(tool, input)).kind).toBe('stopped');
  } finally {
    rmSync(`${gates.folder.path}-evil`, { recursive: true });
  }
});

test('CVE-2026-39861 a link that comes between the permission and the write is not followed', async () => {
  const outside = tempFolder();
  const gates = bench({ mode: 'allow', files: { 'sub/keep.txt': 'k' } });
  const passed = (await gates.walk('write_file', { path: 'sub/new.txt', content: 'x' })) as PassedCall;
  expect(passed.kind).toBe('passed');
  rmSync(gates.folder.at('sub'), { recursive: true });
  symlinkSync(outside.path, gates.folder.at('sub'));
  const journal = { write: gates.host.files.land };
  const writer = createWriter({
    journal,
    passed,
    ports: gates.context.ports,
    mayWrite: () => false,
    signal: gates.stop.signal,
  });
  const done = await writer.create('sub/new.txt' as RelativePath, new TextEncoder().encode('x'));
  expect([done.ok, await gates.host.files.list(outside.path)]).toEqual([false, []]);
});

test('CVE-2025-58373 CVE-2026-12958 a denied file is denied through every link to it', async () => {
  const gates = bench({ files: { 'secret/k': 'k' }, rules: { deny: ['Read(secret/**)'] }, mode: 'allow' });
  symlinkSync('secret', gates.folder.at('one'));
  symlinkSync('one/k', gates.folder.at('two'));
  expect(await verdictOf(gates.walk('read_file', { path: 'two' }), gates)).toBe('deny');
});

test('CVE-2025-64110 CVE-2025-53098 an agent’s own write to the rules asks even where the project’s rules allow it', async () => {
  const gates = await gatesWithFiles(
    { '.belay/settings.json': rules({ allow: ['Edit', 'write_file', 'Edit(.belay/**)'] }) },
    { mode: 'allow' },
  );
  expect(await verdictOf(gates.walk(...create('.belay/settings.local.json')), gates)).toBe('ask');
});

test('CVE-2026-12957 CVE-2025-61260 CVE-2026-12537 a .env of the folder sets nothing of Belay’s', async () => {
  const lab = await coreLab({
    workspace: {
      '.env': 'BELAY_API_KEY=x\nHOME=/evil\nCLAUDE_CONFIG_DIR=/evil\nXDG_CONFIG_HOME=/evil\n',
      '.belay/.env': 'HOME=/evil\n',
      '.claude/.env': 'HOME=/evil\n',
    },
  });
  await lab.turn('x', { text: 'hello' });
  expect([
    process.env['BELAY_API_KEY'],
    process.env['HOME'] === '/evil',
    process.env['CLAUDE_CONFIG_DIR'],
  ]).toEqual([undefined, false, undefined]);
});

test('CVE-2025-59532 a folder that the model names as its start does not become a place to write', async () => {
  const outside = tempFolder();
  const gates = bench({ mode: 'danger-full-access', rules: { allow: ['Bash', 'Edit'] } });
  await gates.run('touch x', { cwd: outside.path });
  const { ports } = gates.context;
  expect(ports.workspace.root).toBe(gates.folder.path);
  expect((await gates.walk('write_file', { path: outside.at('x'), content: 'x' })).kind).toBe('stopped');
});

test('CVE-2026-52025 CVE-2026-42074 no tool takes a word of the model’s that widens what it may', () => {
  const words = /sandbox|approv|permission|danger|trust|unsafe|bypass|elevat|allow/i;
  const inputs = BUILTIN_TOOLS.map(({ name, inputSchema }) => {
    const schema = z.toJSONSchema(inputSchema, { io: 'input' }) as { properties?: object };
    return [name, Object.keys(schema.properties ?? {}).filter((key) => words.test(key))] as const;
  });
  expect(inputs.filter(([, found]) => found.length > 0)).toEqual([]);
});

test('CVE-2025-59536 GHSA-2jjv-qf24-vfm4 in a folder that is not trusted nothing runs, whoever allows it', async () => {
  const gates = await gatesWithFiles(
    { '.belay/settings.json': rules({ allow: ['Bash'] }), 'yarn.config.cjs': '' },
    {
      trusted: false,
      mode: 'danger-full-access',
      policy: rules({ allow: ['Bash'] }),
      rules: { allow: ['Bash'] },
    },
  );
  expect(await verdictOf(gates.run('yarn --version'), gates)).toBe('deny');
});

test('GHSA-wpqr-6v78-jr5g a run without an editor accepts no project’s settings', async () => {
  const lab = await coreLab({
    workspace: { '.belay/settings.json': rules({ allow: ['Bash(touch made)'] }) },
    trusted: true,
  });
  await lab.turn('x', {
    calls: [{ id: 'c', name: 'run_command', input: { command: 'touch made', description: 'x' } }],
  });
  expect(lab.results().map(({ status }) => status)).toEqual(['denied']);
});

test('the list of protected files holds what the advisories taught', () => {
  const taught = [
    '.vscode/',
    '*.code-workspace',
    '.belay/',
    '.claude/',
    '.mcp.json',
    '.git',
    '.github/workflows/',
  ];
  expect(taught.filter((each) => !PROTECTED_FILES.some((known) => known === each))).toEqual([]);
});

test('an absolute path of the workspace is its own file', async () => {
  const gates = bench({ mode: 'allow' });
  const name = gates.folder.at('.vscode/settings.json') as AbsolutePath;
  expect(await verdictOf(gates.walk(...create(name)), gates)).toBe('ask');
});

test('CVE-2026-46406 what is made in the temporary folder has a name that nobody guesses, or refuses to be there already', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const making = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return /tmpdir\(\), [`'"]/.test(text) ? [{ file, text }] : [];
  });
  expect(making.length).toBeGreaterThan(0);
  const careless = making.filter(({ text }) => !/mkdtemp|randomBytes|O_EXCL|'wx\+?'/.test(text));
  expect(careless.map(({ file }) => file)).toEqual([]);
});
