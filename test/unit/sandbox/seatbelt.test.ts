import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SandboxRequest } from '#sandbox/sandbox';
import { seatbelt } from '#sandbox/seatbelt';
import { seatbeltProfile } from '#sandbox/seatbelt-profile';

// There is no Mac here: this holds the profile's text, not what macOS makes of it.
const base = realpathSync(mkdtempSync(join(tmpdir(), 'belay-seatbelt-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
for (const name of ['work', 'home/.ssh', 'storage/caches']) mkdirSync(join(base, name), { recursive: true });
const root = join(base, 'work');

const request = (more: Partial<SandboxRequest> = {}): SandboxRequest => ({
  argv: ['/bin/sh', '-c', 'true'],
  cwd: root,
  env: { PATH: '/bin' },
  network: false,
  workspaceRoot: root,
  writable: [],
  hidden: [],
  protectedNames: ['.vscode/', '*.code-workspace', '.github/workflows/', '.git'],
  home: join(base, 'home'),
  storage: join(base, 'storage'),
  caches: join(base, 'storage/caches'),
  ...more,
});

/** The rules about files, with paths in place of parameters. */
function rules(
  given: SandboxRequest,
  mounts: Parameters<typeof seatbeltProfile>[1] = [],
  unseen: Parameters<typeof seatbeltProfile>[2] = [],
): readonly string[] {
  const { profile, parameters } = seatbeltProfile(given, mounts, unseen);
  return profile
    .split('\n')
    .filter((line) => line.includes('(param '))
    .map((line) =>
      line.replace(/\(param "(P\d+)"\)/g, (_, name: string) => parameters[name]?.replace(base, '') ?? '?'),
    );
}

test('what is held follows what is allowed: the last rule decides', () => {
  expect(
    rules(request(), [
      { kind: 'writable', path: `${root}/.git` },
      { kind: 'read-only', path: `${root}/packages/a/.husky` },
    ]),
  ).toEqual([
    '(allow file-write* (subpath /work))',
    '(allow file-write* (subpath /work/.git))',
    '(deny file-write* (subpath /work/packages/a/.husky))',
    '(deny file-write-create file-write-unlink (literal /work/.git))',
    '(deny file-write-create file-write-unlink (literal /work/packages))',
    '(deny file-write-create file-write-unlink (literal /work/packages/a))',
    '(deny file-read* file-write* (subpath /storage))',
    '(deny file-read* file-write* (subpath /home/.ssh))',
    '(allow file-read* file-write* (subpath /storage/caches))',
  ]);
});

test('what is hidden in the workspace is denied last, and its folders stay where they are', () => {
  const unseen = [{ kind: 'hidden-file', path: `${root}/config/prod.json` }] as const;
  const last = (given: SandboxRequest) => rules(given, [], unseen).slice(-1);
  expect([last(request()), last(request({ workspaceReadOnly: true }))]).toEqual([
    ['(deny file-read* file-write* (subpath /work/config/prod.json))'],
    ['(deny file-read* file-write* (subpath /work/config/prod.json))'],
  ]);
  expect(rules(request(), [], unseen)).toContain(
    '(deny file-write-create file-write-unlink (literal /work/config))',
  );
});

test('everything not named is denied, and a path is never part of the text but escaped in a pattern', () => {
  const { profile } = seatbeltProfile(request(), []);
  expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  expect(profile).not.toContain('network');
});

test('protected names are held at any depth and in any case, also where they are not', () => {
  const { profile } = seatbeltProfile(request({ workspaceRoot: '/w.x' }), []);
  const patterns = [...profile.matchAll(/\(deny file-write\* \(regex #"(.*)"\)\)/g)].map(
    (match) => new RegExp(match[1] ?? ''),
  );
  const held = (path: string) => patterns.some((pattern) => pattern.test(path));
  expect(
    [
      '/w.x/.vscode',
      '/w.x/a/.VSCode/tasks.json',
      '/w.x/b.code-workspace',
      '/w.x/n/.github/workflows/ci.yml',
      '/w.x/.git/hooks/pre-commit',
      '/w.x/.git/modules/libs/x/config',
      '/w.x/sub/.git/commondir',
    ].map(held),
  ).toEqual(Array(7).fill(true));
  expect(
    [
      '/w.x/src/a.ts',
      '/w.x/.vscodeignore',
      '/wyx/.vscode',
      '/w.x/.github/a',
      '/w.x/.git/index',
      '/w.x/hooks/a',
    ].map(held),
  ).toEqual(Array(6).fill(false));
});

test('read-only means that nothing of the workspace is written', () => {
  expect(rules(request({ workspaceReadOnly: true })).filter((line) => line.includes('allow'))).toEqual([
    '(allow file-read* file-write* (subpath /storage/caches))',
  ]);
});

test('with the network names are resolved, but Unix sockets of others stay closed', () => {
  const { profile } = seatbeltProfile(request({ network: true }), []);
  expect(profile.split('\n').filter((line) => line.includes('network'))).toEqual([
    '(allow network* system-socket)',
    '(deny network-outbound (remote unix-socket))',
    '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  ]);
});

test('the launch names every path as a parameter and keeps temporary files with the caches', async () => {
  const { file, args, env } = await seatbelt('/usr/bin/sandbox-exec', 'test').wrap(request());
  expect([file, args[0], args.slice(-4)]).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    ['--', '/bin/sh', '-c', 'true'],
  ]);
  expect(args).toContain(`P0=${root}`);
  expect(env).toEqual({
    PATH: '/bin',
    TMPDIR: join(base, 'storage/caches/tmp'),
    BELAY_SANDBOX: 'seatbelt',
  });
});
