import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chooseSandbox, findBubblewrap, type SandboxChoice } from '#sandbox/probe';
import { whyNot } from '#sandbox/remedies';
import { requireBubblewrap } from '#test/support/bubblewrap';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-probe-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const name of ['workspace/bin', 'home', 'storage', 'broken'])
  mkdirSync(join(root, name), { recursive: true });

function program(path: string, text: string): string {
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), 0o755);
  return join(root, path);
}

function choice(
  more: {
    readonly mode?: SandboxChoice['mode'];
    readonly platform?: NodeJS.Platform;
    readonly variables?: Record<string, string>;
  } = {},
): SandboxChoice {
  return {
    mode: more.mode ?? 'workspace-only',
    workspaceRoot: join(root, 'workspace'),
    protectedNames: ['.vscode/'],
    environment: {
      platform: more.platform ?? 'linux',
      variables: { PATH: '/usr/bin:/bin', ...more.variables },
      home: join(root, 'home') as SandboxChoice['environment']['home'],
      storage: join(root, 'storage') as SandboxChoice['environment']['storage'],
    },
  };
}

const wordsOf = async (given: SandboxChoice) => {
  const { kind, active, words } = await chooseSandbox(given);
  return { kind, active, words };
};

test('where bubblewrap works it is chosen, after a real trial', async () => {
  requireBubblewrap();
  expect(await wordsOf(choice())).toEqual({
    kind: 'bubblewrap',
    active: true,
    words: 'bubblewrap: the workspace is writable, the rest of this machine read-only, credentials hidden',
  });
});

test('one host and folder are probed once', () => {
  const given = choice();
  expect(chooseSandbox(given)).toBe(chooseSandbox(given));
});

test('switched off is none, and says so', async () => {
  expect(await wordsOf(choice({ mode: 'off' }))).toEqual({
    kind: 'none',
    active: false,
    words: 'switched off by the setting belay.sandbox.mode',
  });
});

test('inside a sandbox of Belay another one is not nested', async () => {
  expect(await wordsOf(choice({ variables: { BELAY_SANDBOX: 'bubblewrap' } }))).toEqual({
    kind: 'none',
    active: false,
    words: expect.stringContaining('not nested'),
  });
});

test.each([
  ['darwin', 'macOS'],
  ['win32', 'WSL 2'],
] as const)('on %s there is none yet', async (platform, words) => {
  expect(await wordsOf(choice({ platform }))).toEqual({
    kind: 'none',
    active: false,
    words: expect.stringContaining(words),
  });
});

test('a launcher that fails is none, with what it said', async () => {
  program('broken/bwrap', '#!/bin/sh\necho "bwrap: out of luck" >&2\nexit 1\n');
  expect(await wordsOf(choice({ variables: { PATH: join(root, 'broken') } }))).toEqual({
    kind: 'none',
    active: false,
    words: 'bubblewrap does not work here (out of luck)',
  });
});

test('a launcher that runs but confines nothing is none', async () => {
  mkdirSync(join(root, 'loose'), { recursive: true });
  program('loose/bwrap', '#!/bin/sh\necho hello\n');
  expect(await wordsOf(choice({ variables: { PATH: join(root, 'loose') } }))).toMatchObject({
    kind: 'none',
    words: expect.stringContaining('confined nothing'),
  });
});

test('the launcher is never taken from the workspace, not through a link either', () => {
  program('workspace/bin/bwrap', '#!/bin/sh\n');
  mkdirSync(join(root, 'linked'), { recursive: true });
  symlinkSync(join(root, 'workspace', 'bin', 'bwrap'), join(root, 'linked', 'bwrap'));
  const path = [join(root, 'workspace', 'bin'), join(root, 'linked'), 'relative', '.', '/usr/bin'].join(':');
  expect(findBubblewrap(path, join(root, 'workspace'))).toBe(requireBubblewrap());
});

test.each([
  [
    'bwrap: setting up uid map: Permission denied',
    { appArmorRestricts: true },
    /AppArmor.*apparmor-profiles/,
  ],
  ['bwrap: No permissions to create new namespace', { cloneForbidden: true }, /unprivileged_userns_clone=1/],
  ['bwrap: Creating new namespace failed: No space left', { noNamespaces: true }, /max_user_namespaces/],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, /systempaths=unconfined/],
  ['bwrap: Creating new namespace failed: Operation not permitted', {}, /seccomp and AppArmor options/],
  ['anything', { wsl1: true }, /WSL 2/],
  ['', {}, /no reason given/],
])('%s: the words end in what to do', (stderr, facts, words) => {
  expect(whyNot(stderr, facts)).toMatch(words);
});
