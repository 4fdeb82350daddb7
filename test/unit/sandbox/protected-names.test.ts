import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ProtectedNames } from '#sandbox/protected-names';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-protected-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '');
}

const found = async (names: ProtectedNames, patterns: readonly string[]) =>
  (await names.look({ workspaceRoot: root, protectedNames: patterns })).guarded
    .map(({ kind, path }) => `${kind} ${path.slice(root.length + 1)}`)
    .sort();

test('names are found at any depth, in any case, and not looked into; installed code is left out', async () => {
  for (const path of [
    '.vscode/a.json',
    'packages/a/.VSCode/b.json',
    'x.code-workspace',
    'node_modules/p/.vscode/c.json',
    'nested/.github/workflows/ci.yml',
    'src/a.ts',
  ])
    write(path);
  expect(
    await found(new ProtectedNames(), ['.vscode/', '*.code-workspace', '.github/workflows/', '.git']),
  ).toEqual([
    'read-only .vscode',
    'read-only nested/.github/workflows',
    'read-only packages/a/.VSCode',
    'read-only x.code-workspace',
  ]);
});

test('the top of the workspace is looked at anew, and what is gone is dropped', async () => {
  const names = new ProtectedNames();
  write('.envrc');
  await found(names, ['.envrc', '.mcp.json']);
  rmSync(join(root, '.envrc'));
  write('.mcp.json');
  expect(await found(names, ['.envrc', '.mcp.json'])).toEqual(['read-only .mcp.json']);
});

test('a link is followed inside the workspace, and left alone when it leads out', async () => {
  write('config/husky/pre-commit');
  symlinkSync('config/husky', join(root, '.husky'));
  symlinkSync('/etc', join(root, '.idea'));
  expect(await found(new ProtectedNames(), ['.husky/', '.husky', '.idea'])).toEqual([
    'read-only config/husky',
  ]);
});
