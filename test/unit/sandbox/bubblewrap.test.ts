import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { resolverMounts, runtimeMounts } from '#sandbox/plan';
import { SandboxRefusal } from '#sandbox/sandbox';
import { type SandboxLab, sandboxLab } from '#test/support/sandbox-lab';
import { PLACES } from '#test/support/sandboxes';

vi.setConfig({ testTimeout: 60_000 });

const labs: SandboxLab[] = [];
afterEach(() => {
  for (const lab of labs.splice(0)) lab.dispose();
});

function made(options: Parameters<typeof sandboxLab>[0] = {}): SandboxLab {
  const lab = sandboxLab(options);
  labs.push(lab);
  return lab;
}

let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((socket) => socket.end('greeting\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => server.close());

test.each(PLACES)('the workspace is writable, what lies outside is not: %s', async (_name, place) => {
  const lab = made(place);
  const victim = lab.write('outside/victim', 'whole', 0o666);
  symlinkSync(lab.outside, join(lab.workspace, 'link'));
  const { output } = await lab.run(`
    echo in > inside.txt && echo inside works
    echo x > ${lab.outside}/new; echo x >> ${victim}; echo x > link/new2; ln -s ${lab.outside} made; echo x > made/new3
    ln ${victim} hard && echo x >> hard; mv -n ${victim} stolen; chmod 000 ${victim}; rm -f ${victim}; echo x > ../outside/new4
    true`);
  expect(output).toContain('inside works');
  expect(readFileSync(join(lab.workspace, 'inside.txt'), 'utf8')).toBe('in\n');
  expect({
    victim: readFileSync(victim, 'utf8'),
    outside: execFileSync('ls', [lab.outside]).toString(),
  }).toEqual({ victim: 'whole', outside: 'victim\n' });
});

test.each(PLACES)(
  'system folders, kernel settings and devices cannot be opened for writing: %s',
  async (_name, place) => {
    const lab = made(place);
    const { output } = await lab.run(`
    for f in /etc/hostname /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/mm/transparent_hugepage/enabled \\
      /proc/irq/*/smp_affinity /proc/irq/default_smp_affinity /proc/bus/*/* /proc/bus/*/*/*; do
      if [ -e $f ] && ( : >> $f ) 2>/dev/null; then echo "OPENED $f"; fi
    done
    for d in /dev/vda /dev/sda /dev/mem /dev/kmsg; do [ -e $d ] && echo "DEVICE $d"; done
    grep -E 'CapEff|NoNewPrivs' /proc/self/status | tr -d '\\t'
    mount -t tmpfs none /mnt 2>/dev/null && echo MOUNTED; hostname; true`);
    expect(output).toBe('CapEff:0000000000000000\nNoNewPrivs:1\nsandbox\n');
  },
);

test.each(PLACES)(
  'GHSA-8pcm-8jpx-hv8r hooks, configuration and protected names stay as they are, and .git cannot be moved away: %s',
  async (_name, place) => {
    const lab = made(place);
    const names = [
      '.vscode/settings.json',
      'packages/a/.vscode/tasks.json',
      '.idea/a.xml',
      '.husky/pre-commit',
      '.belay/settings.json',
      '.claude/settings.json',
      '.agents/a.md',
      '.mcp.json',
      '.envrc',
      'x.code-workspace',
      '.github/workflows/ci.yml',
      'nested/.github/workflows/ci.yml',
    ];
    for (const name of names) lab.write(`workspace/${name}`, 'kept', 0o666);
    lab.write('workspace/.git/hooks/keep', 'kept');
    const before = readFileSync(join(lab.workspace, '.git', 'config'), 'utf8');
    const { output } = await lab.run(`
    for f in ${names.map((name) => `'${name}'`).join(' ')}; do echo changed > "$f"; rm -rf "$f"; echo changed > moved && mv -f moved "$f"; mv -f "$f" "$f.away"; done
    mv .vscode vscode-away; rm -rf .vscode; mv .git git-away; rm -rf .git/hooks; mkdir -p .git/hooks
    echo evil > .git/hooks/pre-commit; echo evil >> .git/config; cp .git/config c && echo evil >> c && mv -f c .git/config; git config core.hooksPath evil
    echo fine > .git/allowed && echo the rest of .git is writable`);
    expect(output).toContain('the rest of .git is writable');
    expect(names.map((name) => readFileSync(join(lab.workspace, name), 'utf8'))).toEqual(
      names.map(() => 'kept'),
    );
    expect(readFileSync(join(lab.workspace, '.git', 'config'), 'utf8')).toBe(before);
    expect([
      existsSync(join(lab.workspace, '.git', 'hooks', 'pre-commit')),
      existsSync(join(lab.workspace, 'git-away')),
      existsSync(join(lab.workspace, 'vscode-away')),
    ]).toEqual([false, false, false]);
  },
);

test.each(PLACES)(
  'hooks of submodules and of core.hooksPath, and nested repositories, are held too: %s',
  async (_name, place) => {
    const lab = made(place);
    for (const name of [
      '.git/modules/libs/x/HEAD',
      '.git/modules/libs/x/config',
      '.git/modules/libs/x/hooks/keep',
      'tools/hooks/pre-push',
      'vendor/r/.git/hooks/keep',
      'vendor/r/.git/config',
    ])
      lab.write(`workspace/${name}`, 'kept', 0o666);
    execFileSync('git', ['-C', lab.workspace, 'config', 'core.hooksPath', 'tools/hooks']);
    await lab.run(`for f in .git/modules/libs/x/config .git/modules/libs/x/hooks/keep tools/hooks/pre-push vendor/r/.git/hooks/keep vendor/r/.git/config; do echo evil > $f; done
    echo evil > tools/hooks/new; echo evil > .git/modules/libs/x/hooks/new; echo evil > vendor/r/.git/hooks/new; mv vendor/r/.git vendor/r/away`);
    const state = execFileSync(
      'sh',
      [
        '-c',
        'cat .git/modules/libs/x/config .git/modules/libs/x/hooks/* tools/hooks/* vendor/r/.git/hooks/* vendor/r/.git/config',
      ],
      { cwd: lab.workspace },
    ).toString();
    expect(state).toBe('kept'.repeat(5));
  },
);

test.each(PLACES)('git commits inside: %s', async (_name, place) => {
  const lab = made(place);
  const { code, output } = await lab.run(
    'echo a > a && git add a && git -c user.name=n -c user.email=e commit -qm one && git status --short && git log --format=%s',
  );
  expect({ code, output }).toEqual({ code: 0, output: 'one\n' });
});

test('git commits in a linked worktree, whose main repository keeps its hooks and configuration', async () => {
  const lab = made();
  execFileSync(
    'sh',
    [
      '-c',
      `git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git worktree add -q ${lab.root}/tree`,
    ],
    { cwd: lab.workspace },
  );
  const tree = join(lab.root, 'tree');
  const { output } = await lab.run(
    `echo a > a && git add a && git -c user.name=n -c user.email=e commit -qm two && git log --format=%s
     echo evil > ${lab.workspace}/.git/hooks/pre-commit; echo evil >> ${lab.workspace}/.git/config; echo evil > ${lab.workspace}/file; echo gitdir: /nowhere > .git; true`,
    { workspaceRoot: tree, cwd: tree },
  );
  expect(output).toMatch(/^two\nfirst\n/);
  expect(
    [join(lab.workspace, '.git/hooks/pre-commit'), join(lab.workspace, 'file')].map((path) =>
      existsSync(path),
    ),
  ).toEqual([false, false]);
  expect(
    readFileSync(join(lab.workspace, '.git/config'), 'utf8') + readFileSync(join(tree, '.git'), 'utf8'),
  ).not.toMatch(/evil|nowhere/);
});

test('a .git file opens no folder that does not point back to it', async () => {
  const lab = made();
  const loose = join(lab.root, 'loose');
  mkdirSync(loose);
  lab.write('outside/main/worktrees/x/HEAD', 'x');
  lab.write('outside/main/worktrees/x/gitdir', `${lab.workspace}/.git\n`);
  lab.write('outside/main/objects/keep', '');
  writeFileSync(join(loose, '.git'), `gitdir: ${lab.outside}/main/worktrees/x\n`);
  await lab.run(
    `echo evil > ${lab.outside}/main/worktrees/x/evil; echo evil > ${lab.outside}/main/objects/evil`,
    { workspaceRoot: loose, cwd: loose },
  );
  expect([
    existsSync(`${lab.outside}/main/worktrees/x/evil`),
    existsSync(`${lab.outside}/main/objects/evil`),
  ]).toEqual([false, false]);
});

test.each(PLACES)(
  'credentials, added paths and the storage are hidden, the caches in it are writable: %s',
  async (_name, place) => {
    const lab = made(place);
    const secrets = [
      '.ssh/id_test',
      '.aws/credentials',
      '.config/gh/hosts.yml',
      '.netrc',
      '.npmrc',
      '.git-credentials',
      '.kube/config',
      'private/notes',
    ].map((name) => lab.write(`home/${name}`, 'MARKER', 0o600));
    secrets.push(
      lab.write('storage/belay.db', 'MARKER', 0o600),
      lab.write('storage/blobs/ab', 'MARKER', 0o600),
      lab.write('storage/caches/two/x', 'MARKER'),
    );
    lab.write('home/.profile-of-tools', 'seen');
    const { output } = await lab.run(
      `cat ${secrets.map((path) => `'${path}'`).join(' ')}; ls -A ${lab.home}/.ssh; cat ${lab.home}/.profile-of-tools; umount ${lab.home}/.ssh; unshare -Urm sh -c 'umount -l ${lab.home}/.ssh; cat ${secrets[0]}'
     echo evil > ${lab.storage}/belay.db; echo evil > ${lab.storage}/new; echo kept > ${lab.caches}/kept && echo caches work; ls ${lab.storage} ${lab.storage}/caches`,
      { hidden: ['~/private'] },
    );
    expect(output).not.toContain('MARKER');
    expect(output).toContain('seen');
    expect(output).toMatch(/caches work\n.*:\ncaches\n\n.*:\none\n$/);
    expect([
      readFileSync(join(lab.storage, 'belay.db'), 'utf8'),
      existsSync(join(lab.storage, 'new')),
      existsSync(join(lab.caches, 'kept')),
    ]).toEqual(['MARKER', false, true]);
  },
);

test('a home folder that is the workspace keeps its secrets hidden', async () => {
  const lab = made();
  lab.write('home/.ssh/id', 'MARKER');
  lab.write('home/.npmrc', 'MARKER');
  const { output } = await lab.run('cat .ssh/id .npmrc; echo evil > .npmrc; echo ok > file && cat file', {
    workspaceRoot: lab.home,
    cwd: lab.home,
  });
  expect(output).not.toContain('MARKER');
  expect(output).toMatch(/ok\n$/);
  expect(readFileSync(join(lab.home, '.npmrc'), 'utf8')).toBe('MARKER');
});

test.each(PLACES)(
  'no process shows more than the given environment, and none of the host is seen: %s',
  async (_name, place) => {
    const lab = made(place);
    const host = spawn('/bin/sleep', ['68.25'], { env: { SECRET: 'MARKER' } });
    const { output } = await lab.run(
      `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | cut -d= -f1 | sort -u | tr '\\n' ' '; grep -ls 'slee[p].68.25' /proc/[0-9]*/cmdline; kill -0 ${host.pid} 2>/dev/null && echo SEEN; true`,
    );
    host.kill('SIGKILL');
    expect(output.replace(/sh: .*\n/g, '')).toMatch(
      /^(BELAY_SANDBOX|GIT_CONFIG_NOSYSTEM|HOME|PATH|PWD|OLDPWD|SHLVL|_| )+$/,
    );
  },
);

test.each(PLACES)(
  'without the network not even this machine is reachable; with it, it is: %s',
  async (_name, place) => {
    const lab = made(place);
    const script = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'; true`;
    const [off, on] = [await lab.run(script), await lab.run(script, { network: true })];
    expect([off.output.includes('greeting'), on.output]).toEqual([false, 'greeting\n']);
  },
);

test('with the network, names can be resolved by the file that says how', async () => {
  const { output } = await made().run('cat /etc/resolv.conf >/dev/null && echo readable', { network: true });
  expect(output).toBe('readable\n');
});

test('what Belay runs on stays where commands find it, also under a folder that is empty for them', () => {
  const folder = mkdtempSync('/tmp/belay-runtime-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'node');
  writeFileSync(program, '');
  expect([runtimeMounts(program), runtimeMounts('/usr/bin/env')]).toEqual([
    [{ kind: 'read-only', path: realpathSync(folder) }],
    [],
  ]);
});

test('a file of resolvers that is a link into a hidden folder is brought along', () => {
  const lab = made({ base: tmpdir() });
  const real = lab.write('outside/stub-resolv.conf', 'nameserver 127.0.0.53');
  symlinkSync(real, join(lab.root, 'resolv.conf'));
  expect([resolverMounts(join(lab.root, 'resolv.conf')), resolverMounts('/etc/hosts')]).toEqual([
    [{ kind: 'read-only', path: real }],
    [],
  ]);
});

test('/tmp, /var/tmp and /run are private and empty', async () => {
  const lab = made();
  const mine = join(tmpdir(), `belay-host-${process.pid}`);
  writeFileSync(mine, 'MARKER');
  const { output } = await lab.run(
    `cat ${mine}; ls -A /tmp /var/tmp /run; echo x > /tmp/belay-inside && echo writable`,
  );
  execFileSync('rm', [mine]);
  expect(output).not.toContain('MARKER');
  // But for the way to what these tests run on, should it lie there.
  const kept = (folder: string) =>
    runtimeMounts()
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path }) => `${path.slice(folder.length + 1).split('/')[0]}\n`)
      .join('');
  const empty = `/run:\n${kept('/run')}\n/tmp:\n${kept('/tmp')}\n/var/tmp:\n${kept('/var/tmp')}`;
  expect(output.slice(output.indexOf('/run:'))).toBe(`${empty}writable\n`);
  expect(existsSync('/tmp/belay-inside')).toBe(false);
});

test('a workspace under /tmp works', async () => {
  const lab = made({ base: tmpdir() });
  lab.write('workspace/.vscode/settings.json', 'kept');
  const { output } = await lab.run(
    'echo ok > file && cat file; echo evil > .vscode/settings.json; ls ../outside',
  );
  expect(output).toMatch(/^ok\n/);
  expect(readFileSync(join(lab.workspace, '.vscode/settings.json'), 'utf8')).toBe('kept');
});

test('more writable paths are writable, but for the secrets in them', async () => {
  const lab = made();
  lab.write('home/.ssh/id', 'MARKER');
  const { output } = await lab.run(
    `echo ok > ${lab.outside}/new; cat ${lab.home}/.ssh/id; echo ok > ${lab.home}/new`,
    { writable: [lab.outside, '~/', 'relative'] },
  );
  expect(output).not.toContain('MARKER');
  expect([existsSync(join(lab.outside, 'new')), existsSync(join(lab.home, 'new'))]).toEqual([true, true]);
});

test('a terminal cannot be typed into: the command has a session of its own', async () => {
  const { output } = await made().run(
    'ps -o sid= -p $$ 2>/dev/null || cut -d" " -f6 /proc/$$/stat; ( : > /dev/tty ) 2>/dev/null && echo TERMINAL; true',
  );
  expect(output.trim()).toMatch(/^\d+$/);
});

test('a protected file that has a second name in the workspace stops the command before it runs', async () => {
  const lab = made();
  const settings = lab.write('workspace/.vscode/settings.json', 'kept');
  linkSync(settings, join(lab.workspace, 'link.json'));
  const running = lab.run('echo changed > link.json; touch ran');
  await expect(running).rejects.toThrow(SandboxRefusal);
  await expect(running).rejects.toThrow(
    '.vscode/settings.json is protected, but link.json is the same file under a second name (a hard link), through which a command could change it; make link.json a copy of its own, then run the command again',
  );
  expect([readFileSync(settings, 'utf8'), existsSync(join(lab.workspace, 'ran'))]).toEqual(['kept', false]);
  rmSync(join(lab.workspace, 'link.json'));
  expect((await lab.run('echo runs')).output).toBe('runs\n');
});

test('a second name outside the workspace, or as protected as the first, stops nothing', async () => {
  const lab = made();
  linkSync(lab.write('workspace/.vscode/settings.json', 'kept'), join(lab.outside, 'backup.json'));
  linkSync(lab.write('workspace/.envrc', 'kept'), join(lab.workspace, '.mcp.json'));
  const { output } = await lab.run('echo changed > .envrc; echo changed > .mcp.json; cat .envrc .mcp.json');
  expect(output).toMatch(/keptkept$/);
});
