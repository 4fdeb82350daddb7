import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loaderOf, rules, settingsLab } from './lab';

const FILE = '.belay/settings.json';
const LOCAL = '.belay/settings.local.json';
const ALLOW = rules({ allow: ['Bash(npm test)'], deny: ['Bash(curl:*)'] });

const lists = (lab: Awaited<ReturnType<typeof settingsLab>>) =>
  lab.loader
    .current()
    .flatMap(({ name, counts, rules: { allow, deny, ask } }) =>
      name === 'policy.json'
        ? []
        : [{ name, counts, allow: allow.length, deny: deny.length, ask: ask.length }],
    );

test('a deny counts as soon as the folder is trusted, an allow once this content is accepted', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  const before = { name: FILE, counts: false, allow: 0, deny: 1, ask: 0 };
  expect(lists(lab)).toEqual([before]);
  await lab.accept();
  expect(lists(lab)).toEqual([{ ...before, counts: true, allow: 1 }]);
});

test('what only guards needs nobody’s word', async () => {
  const lab = await settingsLab({ files: { [FILE]: rules({ deny: ['Bash(curl:*)'], ask: ['Edit(a)'] }) } });
  expect([lists(lab), lab.loader.project()]).toEqual([
    [{ name: FILE, counts: true, allow: 0, deny: 1, ask: 1 }],
    [],
  ]);
});

test('hooks wait for the acceptance as allows do', async () => {
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] };
  const lab = await settingsLab({ files: { [FILE]: JSON.stringify({ hooks }) } });
  const now = () => lab.loader.current().flatMap((file) => (file.hooks ? [[file.counts, file.hooks]] : []));
  expect(now()).toEqual([[false, hooks]]);
  await lab.accept();
  expect(now()).toEqual([[true, hooks]]);
});

test('CVE-2025-54136 any change of either file takes the acceptance away, and what was accepted once comes back with its content', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  await lab.accept();
  const counts = async (files: Record<string, string>) => {
    lab.folder.write(files);
    await lab.loader.refresh();
    return lists(lab).every((file) => file.counts);
  };
  expect(await counts({ [FILE]: ALLOW.replace('npm test', 'npm run x') })).toBe(false);
  expect(await counts({ [FILE]: ALLOW })).toBe(true);
  expect(await counts({ [LOCAL]: '{}' })).toBe(false);
  rmSync(lab.folder.at(LOCAL));
  expect(await counts({ [FILE]: `${ALLOW} ` })).toBe(false);
  expect(await counts({ [FILE]: ALLOW })).toBe(true);
});

test('an answer holds for the content that was shown and no other', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  const [shown] = lab.loader.project();
  if (!shown) throw new Error('nothing waits');
  lab.folder.write({ [FILE]: rules({ allow: ['Bash'] }) });
  expect([await lab.loader.answer(shown, 'accepted'), lists(lab)]).toEqual([
    false,
    [{ name: FILE, counts: false, allow: 0, deny: 0, ask: 0 }],
  ]);
});

test('a change is shown against what was accepted last, file by file', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  const shown = () =>
    lab.loader.project().map(({ set, verdict, files }) => ({
      set,
      verdict,
      files: files.map(({ name, before, after }) => ({ name, before, after })),
    }));
  expect(shown()).toEqual([
    { set: 'belay', verdict: undefined, files: [{ name: FILE, before: undefined, after: ALLOW }] },
  ]);
  await lab.accept();
  const other = rules({ allow: ['Bash'] });
  rmSync(lab.folder.at(FILE));
  lab.folder.write({ [LOCAL]: other });
  await lab.loader.refresh();
  expect(shown()).toEqual([
    {
      set: 'belay',
      verdict: undefined,
      files: [
        { name: LOCAL, before: undefined, after: other },
        { name: FILE, before: ALLOW, after: undefined },
      ],
    },
  ]);
});

test('a rejected content does not count and is not new again', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  for (const shown of lab.loader.project()) await lab.loader.answer(shown, 'rejected');
  expect([lists(lab)[0]?.counts, lab.loader.project().map(({ verdict }) => verdict)]).toEqual([
    false,
    ['rejected'],
  ]);
});

test('Belay’s files and Claude Code’s are accepted each by themselves', async () => {
  const lab = await settingsLab({
    files: { [FILE]: ALLOW, '.claude/settings.json': ALLOW },
    settings: { claudeSettings: true },
  });
  const [belay] = lab.loader.project();
  if (belay) await lab.loader.answer(belay, 'accepted');
  expect(lists(lab).map(({ name, counts }) => [name, counts])).toEqual([
    [FILE, true],
    ['.claude/settings.json', false],
  ]);
});

test('CVE-2025-59536 CVE-2025-68433 CVE-2026-40068 of a folder that is not trusted nothing is read, whatever its git says', async () => {
  let trusted = false;
  const lab = await settingsLab({
    files: { [FILE]: ALLOW, '.claude/settings.json': ALLOW, '.git': 'gitdir: /trusted/.git/worktrees/x\n' },
    settings: { claudeSettings: true },
    trusted: () => trusted,
  });
  const read: string[] = [];
  const { files } = lab.host;
  const disk: typeof files = {
    ...files,
    read(path, options) {
      read.push(path);
      return files.read(path, options);
    },
  };
  const spying = loaderOf(lab.host, {
    root: lab.folder.path,
    home: lab.home.path,
    trusted: () => trusted,
    disk,
  });
  await spying.refresh();
  expect([lists(lab), read]).toEqual([[], []]);
  trusted = true;
  await lab.loader.refresh();
  expect(lists(lab).map(({ name }) => name)).toEqual([FILE, '.claude/settings.json']);
  trusted = false;
  await lab.loader.refresh();
  expect(lists(lab)).toEqual([]);
});

test('PA-16 above the opened folder nothing is read, whatever lies there', async () => {
  const lab = await settingsLab({
    files: { [FILE]: ALLOW, '.claude/settings.json': ALLOW, '.git/HEAD': '', 'child/README.md': '' },
    settings: { claudeSettings: true },
  });
  const child = join(lab.folder.path, 'child') as typeof lab.folder.path;
  const loader = loaderOf(lab.host, {
    root: child,
    home: lab.home.path,
    trusted: () => true,
    disk: lab.host.files,
  });
  await loader.refresh();
  expect(loader.current().map(({ name }) => name)).not.toContain(FILE);
  expect(lists(lab).map(({ name }) => name)).toEqual([FILE, '.claude/settings.json']);
});

test('CVE-2026-40068 an acceptance belongs to one folder: the same files elsewhere are asked about', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW, [`copy/${FILE}`]: ALLOW } });
  await lab.accept();
  const copy = loaderOf(lab.host, { root: lab.folder.at('copy'), home: lab.home.path });
  await copy.refresh();
  expect(copy.project().map(({ verdict }) => verdict)).toEqual([undefined]);
});

test('GHSA-wpqr-6v78-jr5g nothing is accepted by itself, however often it is read', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  for (let times = 0; times < 3; times++) await lab.loader.refresh();
  for (const shown of lab.loader.project()) await lab.loader.answer(shown, 'asked');
  expect(lists(lab)[0]?.counts).toBe(false);
});

test('CVE-2026-12958 what lies behind a link is what is accepted: a change there takes it away', async () => {
  const lab = await settingsLab({ files: { 'elsewhere.json': ALLOW, '.belay/': '' } });
  symlinkSync('../elsewhere.json', lab.folder.at(FILE));
  await lab.loader.refresh();
  await lab.accept();
  expect(lists(lab)[0]?.counts).toBe(true);
  lab.folder.write({ 'elsewhere.json': rules({ allow: ['Bash'] }) });
  await lab.loader.refresh();
  expect(lists(lab)[0]?.counts).toBe(false);
});

test('says once that something changed, and only then', async () => {
  const lab = await settingsLab({ files: { [FILE]: ALLOW } });
  let changes = 0;
  lab.loader.onDidChange(() => changes++);
  await lab.loader.refresh();
  expect(changes).toBe(0);
  await lab.accept();
  expect(changes).toBe(1);
  await Promise.all([lab.loader.refresh(), lab.loader.refresh()]);
  expect(changes).toBe(1);
});

test('what is no readable text is told once and never waited for', async () => {
  const lab = await settingsLab({
    files: {
      [LOCAL]: new Uint8Array([0x7b, 0xff, 0xfe]),
      '.claude/settings.json': ' '.repeat(1024 * 1024 + 1),
    },
    settings: { claudeSettings: true },
  });
  execFileSync('mkfifo', [lab.folder.at(FILE)]);
  mkdirSync(lab.folder.at('.claude/settings.local.json'));
  const told: string[] = lab.loader.problems().map(({ title }) => title);
  lab.loader.onProblem(({ title }) => told.push(title));
  await lab.loader.refresh();
  await lab.loader.refresh();
  expect(told.sort()).toEqual([
    'Not all of .belay/settings.json can be used',
    'Not all of .belay/settings.local.json can be used',
    'Not all of .claude/settings.json can be used',
    'Not all of .claude/settings.local.json can be used',
  ]);
});
