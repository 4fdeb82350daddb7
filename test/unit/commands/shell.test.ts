import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findShell } from '#commands/shell';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-shell-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const workspaceRoot = join(root, 'workspace');
mkdirSync(join(workspaceRoot, 'bin'), { recursive: true });
const inside = join(workspaceRoot, 'bin', 'bash');
writeFileSync(inside, '#!/bin/sh\n');
chmodSync(inside, 0o755);
symlinkSync(inside, join(root, 'bash'));

const search = { platform: 'linux' as const, variables: { PATH: '/usr/bin:/bin' }, workspaceRoot };

test('bash is taken, by an absolute path, without profile and rc', () => {
  expect(findShell(search)).toEqual({
    ok: true,
    value: { file: '/bin/bash', args: ['--noprofile', '--norc', '-c'], kind: 'bash' },
  });
});

test('a bash inside the workspace is never taken, not through a link either', () => {
  const found = findShell({
    ...search,
    variables: { PATH: `${join(workspaceRoot, 'bin')}:${root}` },
    userShell: inside,
  });
  expect(found.ok && found.value.file).toBe('/bin/bash');
  expect(findShell({ ...search, setting: join(root, 'bash') })).toMatchObject({
    ok: false,
    error: expect.stringContaining('outside the workspace'),
  });
});

test('the setting chooses any shell; in one without a grammar nothing counts as understood', () => {
  const fish = join(root, 'fish');
  writeFileSync(fish, '#!/bin/sh\n');
  chmodSync(fish, 0o755);
  expect(findShell({ ...search, setting: fish })).toEqual({
    ok: true,
    value: { file: fish, args: ['--no-config', '-c'], kind: 'other' },
  });
});

test.each([
  ['bash', /absolute/],
  ['/nonexistent/bash', /isn't a program/],
])('a setting that cannot be used says why: %s', (setting, why) => {
  expect(findShell({ ...search, setting })).toEqual({ ok: false, error: expect.stringMatching(why) });
});
