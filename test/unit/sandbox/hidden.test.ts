import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { SandboxRefusal } from '#sandbox/sandbox';
import { type SandboxLab, sandboxLab } from '#test/support/sandbox-lab';
import { PLACES } from '#test/support/sandboxes';

vi.setConfig({ testTimeout: 60_000 });

const labs: SandboxLab[] = [];
afterEach(() => {
  for (const lab of labs.splice(0)) lab.dispose();
});

function made(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof sandboxLab>[0] = {},
): SandboxLab {
  const lab = sandboxLab(options);
  labs.push(lab);
  for (const [path, text] of Object.entries(files)) lab.write(`workspace/${path}`, text);
  return lab;
}

/** Why a command isn't run; undefined when it would be. */
async function refusal(lab: SandboxLab, ...more: readonly Parameters<SandboxLab['launch']>[1][]) {
  try {
    (await lab.launch('true', ...more)).release?.();
    return undefined;
  } catch (error) {
    if (error instanceof SandboxRefusal) return error.message;
    throw error;
  }
}

const SECRETS = {
  '.belayignore': '*.pem\n/config/prod/\n!open.pem\n',
  'a.pem': 'TOPSECRET\n',
  'deep/er/b.pem': 'TOPSECRET\n',
  'deep/er/open.pem': 'plain\n',
  'config/prod/db.json': 'TOPSECRET\n',
  'config/dev.json': 'plain\n',
  'sub/.belayignore': 'notes.txt\n',
  'sub/notes.txt': 'TOPSECRET\n',
  'notes.txt': 'plain\n',
};

const LOOK = `grep -rls plain . --exclude-dir=.git | sort
  grep -rs TOPSECRET . && echo LEAKED; cat a.pem deep/er/b.pem sub/notes.txt config/prod/db.json
  ls config/prod; cp a.pem copy && cat copy; tar cf - . 2>/dev/null | grep -a TOPSECRET && echo LEAKED; true`;

test.each(PLACES)(
  'a command sees nothing of what .belayignore names, at any depth: %s',
  async (_name, place) => {
    const { output } = await made(SECRETS, place).run(LOOK);
    expect(output).not.toMatch(/TOPSECRET|LEAKED/);
    expect(output).toMatch(/^\.\/config\/dev\.json\n\.\/deep\/er\/open\.pem\n\.\/notes\.txt\n/);
  },
);

test.each(PLACES)('nor where it may only read the workspace: %s', async (_name, place) => {
  const { output } = await made(SECRETS, place).run(LOOK, { workspaceReadOnly: true });
  expect(output).not.toMatch(/TOPSECRET|LEAKED/);
  expect(output).toMatch(/^\.\/config\/dev\.json\n\.\/deep\/er\/open\.pem\n\.\/notes\.txt\n/);
});

test.each(PLACES)(
  'nothing hidden can be changed, moved or shown by moving its folders: %s',
  async (_name, place) => {
    const lab = made(SECRETS, place);
    await lab.run(`
    echo x > a.pem; echo x >> deep/er/b.pem; rm -f a.pem deep/er/b.pem; mv a.pem b.txt; rm -rf config deep
    mv config/prod config/shown; mv config c2; mv deep d2; mv sub s2; echo x > config/prod/new
    echo '!*.pem' > .belayignore; rm -f .belayignore sub/.belayignore; mv .belayignore x; ln a.pem hard; true`);
    const { output } = await lab.run(`grep -rs TOPSECRET . && echo LEAKED; true`);
    expect(output).toBe('');
    const kept = [
      '.belayignore',
      'a.pem',
      'deep/er/b.pem',
      'config/prod/db.json',
      'sub/.belayignore',
      'sub/notes.txt',
    ];
    expect(kept.map((name) => readFileSync(join(lab.workspace, name), 'utf8'))).toEqual(
      kept.map((name) => SECRETS[name as keyof typeof SECRETS]),
    );
  },
);

test.each(PLACES)(
  'a link to a hidden file shows nothing, one that is hidden hides what it leads to: %s',
  async (_name, place) => {
    const lab = made({ ...SECRETS, 'plain/target.txt': 'TOPSECRET\n' }, place);
    symlinkSync('a.pem', join(lab.workspace, 'innocent'));
    symlinkSync('config', join(lab.workspace, 'settings'));
    symlinkSync('plain/target.txt', join(lab.workspace, 'key.pem'));
    symlinkSync('.', join(lab.workspace, 'here.pem'));
    symlinkSync('/usr', join(lab.workspace, 'out.pem'));
    symlinkSync('gone', join(lab.workspace, 'nowhere.pem'));
    const { output } = await lab.run(
      'cat innocent settings/prod/db.json key.pem plain/target.txt; cat config/dev.json',
    );
    expect(output).not.toContain('TOPSECRET');
    expect(output).toMatch(/plain\n$/);
  },
);

test.each(PLACES)('nothing hidden shows where all around it is protected: %s', async (_name, place) => {
  const lab = made(
    {
      '.belayignore': '*.pem\n',
      '.vscode/a.pem': 'TOPSECRET\n',
      '.vscode/open.json': 'plain\n',
      'sub/.claude/deep/b.pem': 'TOPSECRET\n',
      '.claude/.belayignore': 'notes/\n',
      '.claude/notes/c.md': 'TOPSECRET\n',
    },
    place,
  );
  const deniedReads = (path: string) => path === join(lab.workspace, '.vscode/a.pem');
  const look = 'grep -rs TOPSECRET . && echo LEAKED; echo x 2>/dev/null >.vscode/new; cat .vscode/open.json';
  const seen = [await lab.run(look), await lab.run(look, { workspaceReadOnly: true })];
  lab.write('workspace/.belayignore', '');
  seen.push(await lab.run('cat .vscode/a.pem .claude/notes/c.md 2>/dev/null; echo plain', { deniedReads }));
  expect(seen.map(({ output }) => output)).toEqual(['plain\n', 'plain\n', 'plain\n']);
});

test.each(PLACES)(
  'a name for folders hides what a link of that name leads to, if that is one: %s',
  async (_name, place) => {
    const lab = made(
      { '.belayignore': 'private/\n', 'data/x': 'TOPSECRET\n', 'sub/file': 'plain\n', 'keys/k': 'KEY\n' },
      place,
    );
    symlinkSync('data', join(lab.workspace, 'private'));
    symlinkSync('file', join(lab.workspace, 'sub/private'));
    symlinkSync('keys', join(lab.workspace, 'vault'));
    const deniedReads = (path: string, folder: boolean) => folder && path === join(lab.workspace, 'vault');
    const { output } = await lab.run('cat private/x data/x vault/k keys/k 2>/dev/null; cat sub/private', {
      deniedReads,
    });
    expect(output).toBe('plain\n');
  },
);

test.each(PLACES)('what rules keep from being read is masked as well: %s', async (_name, place) => {
  const lab = made({ 'keys/a.txt': 'TOPSECRET\n', '.env': 'TOPSECRET\n', 'b.txt': 'plain\n' }, place);
  const deniedReads = (path: string) =>
    [join(lab.workspace, 'keys'), join(lab.workspace, '.env')].includes(path);
  const look = 'cat keys/a.txt .env; ls keys; grep -rs TOPSECRET . && echo LEAKED; cat b.txt';
  const [writable, readOnly, without] = [
    await lab.run(look, { deniedReads }),
    await lab.run(look, { deniedReads, workspaceReadOnly: true }),
    await lab.run('cat keys/a.txt .env'),
  ];
  expect(writable.output + readOnly.output).not.toMatch(/TOPSECRET|LEAKED/);
  expect([writable.code, readOnly.code]).toEqual([0, 0]);
  expect(without.output).toBe('TOPSECRET\nTOPSECRET\n');
});

test.each(PLACES)(
  'a file that hides everything leaves an empty workspace and a working command: %s',
  async (_name, place) => {
    const lab = made({ '.belayignore': '*\n', 'a.txt': 'TOPSECRET\n', 'sub/b.txt': 'TOPSECRET\n' }, place);
    const { code, output } = await lab.run(
      'cat a.txt sub/b.txt .belayignore; ls sub .git; pwd; echo new > n; echo works',
    );
    expect(output).not.toContain('TOPSECRET');
    expect([code, output.endsWith(`${lab.workspace}\nworks\n`)]).toEqual([0, true]);
  },
);

test.each(PLACES)('what changed counts for the next command: %s', async (_name, place) => {
  const lab = made({ 'a.txt': 'A\n', 'deep/b.txt': 'B\n' }, place);
  const look = 'cat a.txt deep/b.txt deep/c.txt 2>/dev/null; true';
  const seen = [(await lab.run(look)).output];
  lab.write('workspace/.belayignore', 'a.txt\n');
  seen.push((await lab.run(look)).output);
  lab.write('workspace/.belayignore', 'a.txt\nc.txt\n');
  lab.write('workspace/deep/c.txt', 'C\n');
  seen.push((await lab.run(look)).output);
  lab.write('workspace/deep/.belayignore', 'b.txt\n');
  seen.push((await lab.run(look)).output);
  rmSync(join(lab.workspace, '.belayignore'));
  seen.push((await lab.run(look)).output);
  rmSync(join(lab.workspace, 'deep/.belayignore'));
  seen.push((await lab.run(look)).output);
  expect(seen).toEqual(['A\nB\n', 'B\n', 'B\n', '', 'A\nC\n', 'A\nB\nC\n']);
});

test('a broken .belayignore hides all of its folder, and a hidden pipe or socket stops nothing', async () => {
  const lab = made({ 'sub/a.txt': 'TOPSECRET\n', '.belayignore': 'pipe.pem\n', 'b.txt': 'plain\n' });
  execFileSync('mkfifo', [join(lab.workspace, 'sub/.belayignore'), join(lab.workspace, 'pipe.pem')]);
  const { output } = await lab.run('cat sub/a.txt; cat < pipe.pem; cat b.txt');
  expect(output).not.toContain('TOPSECRET');
  expect(output).toMatch(/plain\n$/);
});

test('a folder that commands may write to beside the workspace opens nothing in a hidden one', async () => {
  const lab = made({ '.belayignore': 'secret/\n', 'secret/out/a.txt': 'TOPSECRET\n' });
  const { output } = await lab.run('cat secret/out/a.txt; ls secret', {
    writable: [join(lab.workspace, 'secret/out')],
  });
  expect(output).not.toContain('TOPSECRET');
});

test.each(PLACES)(
  'a command keeps its caches, also where they lie in a hidden folder: %s',
  async (_name, place) => {
    const lab = made({ '.belayignore': 'deep/\n', 'deep/caches/x': '', 'deep/a.txt': 'TOPSECRET\n' }, place);
    const caches = join(lab.workspace, 'deep/caches');
    const look = `cat deep/a.txt; ls deep; echo x > ${caches}/made && echo works`;
    const [writable, readOnly] = [
      await lab.run(look, { caches }),
      await lab.run(look, { caches, workspaceReadOnly: true }),
    ];
    expect([writable, readOnly].map(({ output }) => /^cat: .*\ncaches\nworks\n$/.test(output))).toEqual([
      true,
      true,
    ]);
  },
);

test('a command that would begin in a hidden folder is not run', async () => {
  const lab = made({ '.belayignore': 'secret/\n', 'secret/in/a.txt': '' });
  expect(await refusal(lab, { cwd: join(lab.workspace, 'secret/in') })).toBe(
    'the folder it would run in is hidden from commands, by .belayignore or by a rule that denies reading it; run it in another folder',
  );
});

test('more than can be masked one by one refuses, and the folder as a whole is masked', async () => {
  const lab = made({ '.belayignore': '*.log\n' });
  mkdirSync(join(lab.workspace, 'logs'));
  for (let at = 0; at < 10_000; at++) lab.write(`workspace/logs/${at}.log`, 'TOPSECRET');
  expect(await refusal(lab)).toBe(
    '10000 files and folders of the workspace are hidden from commands, by .belayignore or by rules that deny reading, and only 500 can be masked one by one; ask the user to name the folders that they lie in, with a slash at the end ("logs/" instead of "*.log")',
  );
  lab.write('workspace/.belayignore', 'logs/\n');
  expect(await lab.run('cat logs/1.log 2>/dev/null || echo masked')).toEqual({ code: 0, output: 'masked\n' });
});

test('as many as are masked one by one are masked', async () => {
  const lab = made({ '.belayignore': '*.log\n' });
  for (let at = 0; at < 500; at++) lab.write(`workspace/l${at % 7}/${at}.log`, 'TOPSECRET');
  const { output } = await lab.run('cat l*/*.log 2>/dev/null; ls l*/*.log | wc -l');
  expect(output.trim()).toBe('500');
});

test('a hidden file with a second name in the workspace stops the command before it runs', async () => {
  const lab = made({ '.belayignore': '*.pem\nkeys/\n', 'a.pem': 'x', 'b.txt': 'b' });
  linkSync(join(lab.workspace, 'a.pem'), join(lab.workspace, 'copy.txt'));
  const words =
    'a.pem is hidden from commands, but copy.txt is the same file under a second name (a hard link), by which a command could read it; make copy.txt a copy of its own or hide it too, then run the command again';
  expect([await refusal(lab), await refusal(lab, { workspaceReadOnly: true })]).toEqual([words, words]);
  rmSync(join(lab.workspace, 'copy.txt'));
  expect(await refusal(lab)).toBe(undefined);
});

test('a second name that is only read-only is no hiding place, one that is hidden is', async () => {
  const lab = made({ '.belayignore': '*.pem\nkeys/\n', 'a.pem': 'x', 'keys/k': '', '.vscode/x': '' });
  linkSync(join(lab.workspace, 'a.pem'), join(lab.workspace, 'keys/same'));
  expect(await refusal(lab)).toBe(undefined);
  linkSync(join(lab.workspace, 'a.pem'), join(lab.workspace, '.vscode/same'));
  lab.write('workspace/.belayignore', '*.pem\nkeys/\nnew\n');
  lab.write('workspace/new', '');
  expect(await refusal(lab)).toContain('.vscode/same is the same file under a second name');
});

test.each(PLACES)('git never takes a masked file for a deleted one: %s', async (_name, place) => {
  const lab = made({ 'sec/b.txt': 'TOPSECRET\n', 'a.pem': 'TOPSECRET\n', 'c.txt': 'c\n' }, place);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', lab.workspace, '-c', 'safe.directory=*', ...args]).toString();
  git('add', '-A');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'one');
  lab.write('workspace/.belayignore', 'sec/\n*.pem\n');
  const run = 'git -c user.name=x -c user.email=x@x';
  await lab.run(
    `echo d >> c.txt; git add -A; ${run} commit -qam all; ${run} stash; git add c.txt && ${run} commit -qm own`,
  );
  expect(git('log', '--name-status', '--format=%s')).toBe(
    'own\n\nM\tc.txt\none\n\nA\ta.pem\nA\tc.txt\nA\tsec/b.txt\n',
  );
});

test('what is hidden stays on the host as it was, and nothing is made there', async () => {
  const lab = made(SECRETS);
  await lab.run('true');
  expect(execFileSync('git', ['-C', lab.workspace, 'status', '--porcelain', '-uall']).toString()).toBe(
    ['.belayignore', 'a.pem', 'config/dev.json', 'config/prod/db.json', 'deep/er/b.pem', 'deep/er/open.pem']
      .concat(['notes.txt', 'sub/.belayignore', 'sub/notes.txt'])
      .map((name) => `?? ${name}\n`)
      .join(''),
  );
  expect(existsSync(join(lab.workspace, '.idea'))).toBe(false);
});
