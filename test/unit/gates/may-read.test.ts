import { expect, test } from 'vitest';
import type { PassedCall } from '#gates/context';
import { mayRead, mayWrite } from '#gates/may-read';
import type { RelativePath } from '#protocol/ids';
import type { Mode, PermissionLists } from '#protocol/settings';
import { bench } from './bench';

const PATHS = ['a.txt', 'secret/k', '.env', 'deep/id_rsa', 'docs/x.md'] as RelativePath[];

function readable(
  rules: Partial<PermissionLists>,
  mode: Mode = 'workspace-write',
  touched: readonly string[] = ['.'],
) {
  const { context } = bench({ rules });
  const passed: Pick<PassedCall, 'tool' | 'risk' | 'capabilities' | 'touches'> = {
    tool: { ...(context.table.tools[0] as PassedCall['tool']), name: 'search_files' },
    risk: 'read',
    capabilities: ['filesystem.read'],
    touches: touched.map((path) => ({ kind: 'read', path })),
  };
  return PATHS.filter(mayRead(passed, context.ports, { rules: context.sessionRules, files: [], mode }));
}

test('a search leaves out likely secrets, what is denied and what would be asked', () => {
  const rules = { deny: ['Read(secret/**)'], ask: ['Read(docs/**)'] };
  expect(readable(rules)).toEqual(['a.txt']);
});

test('an explicit allow lets a search read a secret; full access lets it read all but what is denied', () => {
  expect(readable({ allow: ['Read(.env)'] })).toEqual(['a.txt', 'secret/k', '.env', 'docs/x.md']);
  expect(readable({ deny: ['Read(secret/**)'] }, 'danger-full-access')).toEqual([
    'a.txt',
    '.env',
    'deep/id_rsa',
    'docs/x.md',
  ]);
});

test('what the call named and was allowed it may read', () => {
  expect(readable({}, 'prompt', ['.env'])).toEqual(['a.txt', 'secret/k', '.env', 'docs/x.md']);
});

function writable(rules: Partial<PermissionLists>, mode: Mode) {
  const { context } = bench({ rules });
  const passed: Pick<PassedCall, 'tool' | 'risk' | 'capabilities' | 'touches'> = {
    tool: { ...(context.table.tools[0] as PassedCall['tool']), name: 'rename_file' },
    risk: 'workspace-write',
    capabilities: ['filesystem.read', 'filesystem.write'],
    touches: [],
  };
  const paths = ['a.ts', 'kept/b.ts', 'asked/c.ts', '.vscode/settings.json'] as RelativePath[];
  return paths.filter(mayWrite(passed, context.ports, { rules: context.sessionRules, files: [], mode }));
}

test('what a call comes upon it may change where nothing but the mode would ask', () => {
  const rules = { deny: ['Edit(kept/**)'], ask: ['Edit(asked/**)'] };
  expect([
    writable(rules, 'workspace-write'),
    writable(rules, 'prompt'),
    writable(rules, 'read-only'),
    writable(rules, 'danger-full-access'),
  ]).toEqual([['a.ts'], ['a.ts'], [], ['a.ts', '.vscode/settings.json']]);
});
