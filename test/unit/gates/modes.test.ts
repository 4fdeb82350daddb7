import { expect, test } from 'vitest';
import { z } from 'zod';
import { MODES, type Mode } from '#protocol/settings';
import type { ToolDefinition } from '#tools/tool';
import { type BenchOptions, bench, verdictOf } from './bench';

const FILES = { 'a.txt': 'a\n', 'src/b.ts': 'b\n' };

/** With a working sandbox: read, write, execute. */
const TABLE: Readonly<Record<Mode, readonly [string, string, string]>> = {
  'read-only': ['allow', 'deny', 'deny'],
  prompt: ['allow', 'ask', 'ask'],
  'workspace-write': ['allow', 'allow', 'ask'],
  allow: ['allow', 'allow', 'allow'],
  'danger-full-access': ['allow', 'allow', 'allow'],
};

async function verdicts(options: BenchOptions): Promise<readonly string[]> {
  const gates = bench({ files: FILES, ...options });
  return [
    await verdictOf(gates.walk('read_file', { path: 'a.txt' }), gates),
    await verdictOf(gates.walk('write_file', { path: 'new.txt', content: 'x' }), gates),
    await verdictOf(gates.run('npm test'), gates),
  ];
}

test.each(MODES)('mode %s decides by risk as the table says', async (mode) => {
  expect(await verdicts({ mode })).toEqual(TABLE[mode]);
});

test.each(MODES)('an untrusted workspace is read-only in mode %s', async (mode) => {
  expect(await verdicts({ mode, trusted: false, rules: { allow: ['Bash', 'Edit'] } })).toEqual(
    TABLE['read-only'],
  );
});

test('a denial says which it was: the mode or the missing trust', async () => {
  const create = ['write_file', { path: 'new.txt', content: 'x' }] as const;
  const outcomes = [
    await bench({ mode: 'read-only' }).walk(...create),
    await bench({ mode: 'allow', trusted: false }).walk(...create),
  ];
  expect(outcomes.map((outcome) => outcome.trace.at(-1)?.why)).toEqual([
    'the mode read-only allows neither changes nor commands',
    'this folder is not trusted (Restricted Mode), so nothing in it is changed or run',
  ]);
});

test('without a sandbox what executes asks in every mode but full access, and no rule lifts that', async () => {
  const rules = { allow: ['Bash(npm test)', 'risk:execute'] };
  const seen: Record<string, unknown> = {};
  for (const mode of MODES) seen[mode] = (await verdicts({ mode, sandbox: false, rules }))[2];
  expect(seen).toEqual({
    'read-only': 'deny',
    prompt: 'ask',
    'workspace-write': 'ask',
    allow: 'ask',
    'danger-full-access': 'allow',
  });
});

test('the network needs an answer or a rule in every mode but full access', async () => {
  const seen: Record<string, unknown> = {};
  for (const mode of MODES) {
    const gates = bench({ mode, rules: { allow: ['Bash(npm install:*)'] } });
    seen[mode] = await verdictOf(gates.run('npm install left-pad', { network: true }), gates);
  }
  expect(seen).toEqual({
    'read-only': 'deny',
    prompt: 'ask',
    'workspace-write': 'ask',
    allow: 'ask',
    'danger-full-access': 'allow',
  });
});

test('a network rule grants the network to that command and nothing else', async () => {
  const rules = { allow: ['Bash(npm:*)', '@network(npm install:*)'] };
  const gates = bench({ rules });
  const outcome = await gates.run('npm install left-pad', { network: true });
  expect(outcome).toMatchObject({ kind: 'passed', confinement: { sandboxed: true, network: true } });
  expect(await verdictOf(gates.run('npm publish', { network: true }), gates)).toBe('ask');
  expect(await gates.run('npm test')).toMatchObject({ kind: 'passed', confinement: { network: false } });
});

test('a network rule alone does not allow the command itself', async () => {
  const gates = bench({ rules: { allow: ['@network(npm install:*)'] } });
  expect(await verdictOf(gates.run('npm install x', { network: true }), gates)).toBe('ask');
});

test('a denied network denies only calls that ask for it', async () => {
  const gates = bench({ mode: 'allow', rules: { deny: ['@network'] } });
  expect(await verdictOf(gates.run('npm test'), gates)).toBe('allow');
  expect(await verdictOf(gates.run('npm test', { network: true }), gates)).toBe('deny');
});

test('full access runs without a sandbox and with the network', async () => {
  const outcome = await bench({ mode: 'danger-full-access' }).run('npm test');
  expect(outcome).toMatchObject({ confinement: { sandboxed: false, network: true } });
});

test('a tool whose capabilities are unknown is judged as one that executes, whatever it declares', async () => {
  const sly: ToolDefinition = {
    name: 'sly',
    description: 'Says that it only reads.',
    risk: 'read',
    capabilities: ['mind.reading'] as unknown as ToolDefinition['capabilities'],
    concurrencySafe: true,
    inputSchema: z.strictObject({}),
    origin: { kind: 'extension', id: 'pub.ext' },
    touches: async () => [{ kind: 'read', path: 'a.txt' }],
    summarize: () => 'sly',
    execute: async () => 'done',
  };
  const gates = bench({ files: FILES, tools: [sly] });
  expect(await verdictOf(gates.walk('sly', {}), gates)).toBe('ask');
  const allowed = bench({ files: FILES, tools: [sly], rules: { allow: ['sly'] } });
  expect(await verdictOf(allowed.walk('sly', {}), allowed)).toBe('allow');
});

test('what a tool itself finds unusual asks although the mode allows', async () => {
  const gates = bench({ tools: [odd()], rules: { allow: ['odd', 'Edit'] }, files: FILES });
  expect(await verdictOf(gates.walk('odd', {}), gates)).toBe('ask');
  expect(gates.asked[0]?.concerns).toEqual(['200 lines become 3']);
});

test('a mode that changed while the question was open counts', async () => {
  const gates = bench({ mode: 'prompt', files: FILES });
  const call = { path: 'new.txt', content: 'x' };
  const context = {
    ...gates.context,
    ask: async () => {
      gates.setMode('read-only');
      return { answer: { answer: 'allow-once' as const }, by: 'panel' as const };
    },
  };
  const { walk } = await import('#gates/pipeline');
  const { callOf } = await import('./bench');
  const outcome = await walk(callOf('write_file', JSON.stringify(call), '1'), context);
  expect(outcome).toMatchObject({ kind: 'stopped', result: { code: 'permission_denied' } });
});

function odd(): ToolDefinition {
  return {
    name: 'odd',
    description: 'Overwrites much.',
    risk: 'workspace-write',
    capabilities: ['filesystem.write'],
    concurrencySafe: false,
    inputSchema: z.strictObject({}),
    origin: { kind: 'built-in' },
    touches: async () => [{ kind: 'write', path: 'a.txt', operation: 'modify' }],
    concerns: async () => ['200 lines become 3'],
    summarize: () => 'Overwrite a.txt',
    execute: async () => 'done',
  };
}
