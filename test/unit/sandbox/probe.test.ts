import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { offerHosts } from '#sandbox/allowed-hosts/offer-hosts';
import { findProgram } from '#sandbox/find-program';
import { namespaces } from '#sandbox/namespaces/namespaces';
import { noSandbox } from '#sandbox/none';
import { chooseSandbox, type SandboxChoice } from '#sandbox/probe';
import { noFallback, whyNot } from '#sandbox/remedies';
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
    readonly allowedHosts?: readonly string[];
  } = {},
): SandboxChoice {
  return {
    mode: more.mode ?? 'workspace-only',
    workspaceRoot: join(root, 'workspace'),
    protectedNames: ['.vscode/'],
    allowedHosts: more.allowedHosts ?? [],
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

test('nor inside one of another tool', async () => {
  expect((await wordsOf(choice({ variables: { CODEX_SANDBOX: 'seatbelt' } }))).words).toContain(
    '(CODEX_SANDBOX)',
  );
});

test.each([
  ['darwin', '/usr/bin/sandbox-exec'],
  ['win32', 'WSL 2'],
] as const)('on %s without its launcher there is none', async (platform, words) => {
  expect(await wordsOf(choice({ platform }))).toEqual({
    kind: 'none',
    active: false,
    words: expect.stringContaining(words),
  });
});

test('a launcher that fails is not used, and what it said stays with the one that is used instead', async () => {
  program('broken/bwrap', '#!/bin/sh\necho "bwrap: out of luck" >&2\nexit 1\n');
  expect(await wordsOf(choice({ variables: { PATH: join(root, 'broken') } }))).toEqual({
    kind: 'namespaces',
    active: true,
    words:
      'namespaces: the workspace is writable, the rest of this machine read-only, credentials hidden; system calls are not filtered (bubblewrap does not work here (out of luck))',
  });
});

test('a launcher that runs but confines nothing is not used', async () => {
  mkdirSync(join(root, 'loose'), { recursive: true });
  program('loose/bwrap', '#!/bin/sh\necho hello\n');
  const { kind, words } = await wordsOf(choice({ variables: { PATH: join(root, 'loose') } }));
  expect([kind, words]).toEqual(['namespaces', expect.stringContaining('confined nothing')]);
});

test('another version of the launcher is tried anew, without a reload', async () => {
  mkdirSync(join(root, 'mended'), { recursive: true });
  const given = choice({ variables: { PATH: join(root, 'mended') } });
  program('mended/bwrap', '#!/bin/sh\nexit 1\n');
  const before = await wordsOf(given);
  rmSync(join(root, 'mended', 'bwrap'));
  symlinkSync(requireBubblewrap(), join(root, 'mended', 'bwrap'));
  expect([before.kind, (await wordsOf(given)).kind]).toEqual(['namespaces', 'bubblewrap']);
});

test('where neither works, both reasons are told', () => {
  expect(noFallback('unshare: failed', { appArmorRestricts: true })).toMatch(/not installed.*; and AppArmor/);
});

test('CVE-2026-10591 the launcher is never taken from the workspace, not through a link either', () => {
  program('workspace/bin/bwrap', '#!/bin/sh\n');
  mkdirSync(join(root, 'linked'), { recursive: true });
  symlinkSync(join(root, 'workspace', 'bin', 'bwrap'), join(root, 'linked', 'bwrap'));
  const path = [join(root, 'workspace', 'bin'), join(root, 'linked'), 'relative', '.', '/usr/bin'].join(':');
  expect(findProgram('bwrap', path, join(root, 'workspace'))).toBe(requireBubblewrap());
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

const HELD = 'the workspace is writable, the rest of this machine read-only, credentials hidden';

test('the mode read-only is said, and probed apart', async () => {
  const given = choice();
  const [writable, held] = [await wordsOf(given), await wordsOf({ ...given, mode: 'read-only' })];
  expect([writable.words, held.words]).toEqual([
    `bubblewrap: ${HELD}`,
    'bubblewrap: commands can write neither to the workspace nor to the rest of this machine, credentials are hidden',
  ]);
});

test('allowed hosts count with the allow-list alone, and are named in short', async () => {
  const allowedHosts = ['a.example', '*.b.example', 'c.example', 'd.example', 'e.example', 'f.example', '*'];
  const given = choice({ allowedHosts });
  const chosen = await chooseSandbox({ ...given, mode: 'allow-list' });
  expect([(await chooseSandbox(given)).hosts, chosen.hosts?.names.length, chosen.words]).toEqual([
    undefined,
    6,
    `bubblewrap: ${HELD}; without the network commands still reach, through a proxy: a.example, *.b.example, c.example, d.example, e.example and 1 more; not understood in belay.sandbox.allowedHosts: *`,
  ]);
  expect(await chooseSandbox({ ...given, mode: 'allow-list' })).toBe(chosen);
});

test('where the bridge can’t run inside it is said, and nothing opened instead', async () => {
  const node = program('broken/node', '#!/bin/sh\necho "no such luck" >&2\nexit 1\n');
  const missing = join(root, 'broken', 'nothing');
  const sandbox = await chooseSandbox(choice());
  const offered = (program: string) =>
    offerHosts(sandbox, { entries: ['a.example'], node: program, place: choice() });
  expect(await offered(node)).toEqual({
    ...sandbox,
    words: expect.stringMatching(
      /; the hosts of belay\.sandbox\.allowedHosts cannot be reached: .*broken\/node does not run inside \(.+\)$/,
    ),
  });
  expect((await offered(missing)).words).toContain('cannot be reached');
});

test('with seatbelt allowed hosts are not possible, and without a sandbox they mean nothing', async () => {
  const given = { entries: ['a.example'], node: process.execPath, place: choice() };
  const sandbox = await chooseSandbox(choice());
  const none = noSandbox('none here');
  expect([
    (await offerHosts({ ...sandbox, kind: 'seatbelt' }, given)).words,
    await offerHosts(none, given),
  ]).toEqual([expect.stringMatching(/cannot be reached: not possible with seatbelt yet$/), none]);
});

test('where loopback stays down the bridge says so', async () => {
  const [setpriv = '', unshare = '', setsid = '', mount = ''] = ['setpriv', 'unshare', 'setsid', 'mount'].map(
    (name) => findProgram(name, '', '/nowhere'),
  );
  const sandbox = namespaces({ setpriv, unshare, setsid, mount }, 'namespaces');
  const given = { entries: ['a.example'], node: process.execPath, place: choice() };
  expect(await offerHosts(sandbox, given)).toEqual({
    ...sandbox,
    words: `namespaces; the hosts of belay.sandbox.allowedHosts cannot be reached: ${process.execPath} does not run inside (connect ENETUNREACH 127.0.0.1:17128 - Local (0.0.0.0:0))`,
  });
});
