import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diskFiles } from '#disk/files';
import { policyPath } from '#gates/settings-files/places';
import { strangerThanRoot } from '#gates/settings-files/read-text';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { loaderOf, rules, settingsLab } from './lab';

/** The disk as it would be if whoever runs the tests were root, and `foreign` someone else's. */
function asRoot(foreign?: string): Files {
  const disk = diskFiles();
  return {
    ...disk,
    async stat(path) {
      const stat = await disk.stat(path);
      return stat && { ...stat, owner: path === foreign ? 12345 : 0 };
    },
  };
}

/** As /etc/belay would be: made by root, written by root. Above it everything is root's, or sticky as /tmp is. */
function policyFolder(): TempFolder {
  const folder = tempFolder({ 'belay/policy.json': '{}' });
  chmodSync(folder.at('belay'), 0o755);
  chmodSync(folder.at('belay/policy.json'), 0o644);
  return folder;
}

/** Folders above the test's own belong to root already, whoever runs it. */
const whose = async (folder: TempFolder, name = 'belay/policy.json', foreign?: string) => {
  const files = asRoot(foreign);
  const disk = diskFiles();
  const above: Files = {
    ...files,
    stat: (path) => (path.startsWith(folder.path) ? files.stat(path) : disk.stat(path)),
  };
  return strangerThanRoot(folder.at(name), above, 'linux');
};

test('CVE-2026-35603 a policy counts where it, its folder and all above can be written by root alone', async () => {
  expect(await whose(policyFolder())).toBeUndefined();
});

test.each([
  ['belay/policy.json', 0o664],
  ['belay/policy.json', 0o646],
  ['belay', 0o775],
  ['belay', 0o757],
  ['belay', 0o1777],
  ['.', 0o777],
])('CVE-2026-35603 it does not where others may write %s (%i)', async (name, mode) => {
  const folder = policyFolder();
  chmodSync(folder.at(name), mode);
  expect(await whose(folder)).toBe(`others than root may write ${folder.at(name)}`);
});

test('CVE-2026-35603 a sticky folder farther up, as /tmp is, takes nothing away', async () => {
  const folder = policyFolder();
  chmodSync(folder.path, 0o1777);
  expect(await whose(folder)).toBeUndefined();
});

test('CVE-2026-35603 it does not where it or its folder belongs to someone else', async () => {
  for (const name of ['belay/policy.json', 'belay']) {
    const folder = policyFolder();
    expect(await whose(folder, 'belay/policy.json', folder.at(name))).toBe(
      `${folder.at(name)} does not belong to root`,
    );
  }
});

test('CVE-2026-35603 a link is followed, and where it leads is looked at as well', async () => {
  const folder = policyFolder();
  mkdirSync(folder.at('etc'), { mode: 0o755 });
  symlinkSync('../belay/policy.json', folder.at('etc/policy.json'));
  expect(await whose(folder, 'etc/policy.json')).toBeUndefined();
  chmodSync(folder.at('belay'), 0o777);
  expect(await whose(folder, 'etc/policy.json')).toBe(`others than root may write ${folder.at('belay')}`);
});

test('CVE-2026-35603 of a policy that others may have written the denies count, what it allows does not', async () => {
  const policy = rules({ deny: ['Bash(curl:*)'], allow: ['Bash(ls)'] });
  const lab = await settingsLab({ files: { 'policy.json': policy } });
  const disk = diskFiles();
  const here: Files = {
    ...disk,
    realPath: (path) => disk.realPath(path === policyPath('linux') ? lab.folder.at('policy.json') : path),
    stat: async (path) => {
      const stat = await disk.stat(path === policyPath('linux') ? lab.folder.at('policy.json') : path);
      return stat && { ...stat, owner: 1000 };
    },
  };
  const host = { ...lab.host, environment: { ...lab.host.environment, platform: 'linux' as const } };
  const loader = loaderOf(host, {
    root: lab.folder.path,
    home: '/nowhere' as AbsolutePath,
    policy: null,
    disk: here,
  });
  await loader.refresh();
  const [file] = loader.current();
  expect([file?.counts, file?.rules.deny.length, file?.rules.allow.length, file?.problems[0]?.words]).toEqual(
    [
      false,
      1,
      0,
      `what it allows and its hooks do not count: ${policyPath('linux')} does not belong to root`,
    ],
  );
});

test('on Windows nobody can tell who may write it, so it only guards', async () => {
  expect(await strangerThanRoot('C:\\x' as AbsolutePath, diskFiles(), 'win32')).toContain('Windows');
});

test('a policy that can’t be read makes everything ask that could change something', async () => {
  const { loader } = await settingsLab({ policy: '{"permissions": {"deny": [' });
  expect(loader.current()[0]?.rules.problems.length).toBeGreaterThan(0);
});

test('a misspelt word of a policy is told, and everything asks until it is mended', async () => {
  const { loader } = await settingsLab({ policy: '{"forbid": {"modes": ["alow"], "tools": ["no name"]}}' });
  expect(loader.current()[0]?.rules.problems.map(({ words }) => words)).toEqual([
    'it forbids a mode that does not exist: alow',
    'it forbids what is not the name of a tool: no name',
  ]);
});

test('only a policy can forbid', async () => {
  const { loader } = await settingsLab({
    files: { '.belay/settings.json': '{"forbid": {"modes": ["allow"]}}' },
  });
  expect([loader.permittedModes().includes('allow'), loader.current().map(({ forbids }) => forbids)]).toEqual(
    [true, [undefined, undefined]],
  );
});
