import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bubblewrap } from '#sandbox/bubblewrap';
import { noSandbox } from '#sandbox/none';
import { requireBubblewrap } from '#test/support/bubblewrap';
import { type CommandLab, commandLab } from '#test/support/command-lab';

// Real processes on a busy machine: the limit is against hanging, not for speed.
vi.setConfig({ testTimeout: 60_000 });

/** Every case holds with and without the sandbox. */
const KINDS = ['none', 'bubblewrap'] as const;
const labs = new Map<string, CommandLab>();

beforeAll(() => {
  labs.set('none', commandLab({ sandbox: noSandbox(), variables: SECRETS }));
  labs.set(
    'bubblewrap',
    commandLab({ sandbox: bubblewrap(requireBubblewrap(), 'test'), variables: SECRETS }),
  );
});

afterAll(() => {
  for (const lab of labs.values()) lab.dispose();
});

const SECRETS = {
  ANTHROPIC_API_KEY: 'sk-ant-marker',
  OPENAI_API_KEY: 'sk-marker',
  GH_TOKEN: 'ghp_marker',
  NODE_OPTIONS: '--require=/marker.js',
  LD_PRELOAD: '/marker.so',
  VSCODE_IPC_HOOK: '/marker.sock',
  SSH_AUTH_SOCK: '/marker.sock',
  GIT_DIR: '/marker.git',
  BASH_ENV: '/marker.sh',
  MY_SETTING: 'passed on request',
};

function lab(kind: string): CommandLab {
  const found = labs.get(kind);
  if (!found) throw new Error(`no lab for ${kind}`);
  return found;
}

function alive(text: string): boolean {
  const out = execFileSync('/bin/sh', [
    '-c',
    'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "; true',
  ]).toString();
  return out.includes(text);
}

test.each(KINDS)(
  'CM-01 a background child does not keep the call open, and is killed and named (%s)',
  async (kind) => {
    const outcome = await lab(kind).run('sleep 61.25 & echo done');
    expect({
      ...outcome,
      durationMs: 0,
      killed: outcome.killed.map((name) => name.replace(/\d+\)$/, 'N)')),
    }).toEqual({
      exitCode: 0,
      timedOut: false,
      cancelled: false,
      durationMs: 0,
      output: 'done\n',
      omitted: 0,
      killed: ['sleep 61.25 (pid N)'],
      sandbox: kind,
      notes: [],
    });
    expect(alive('sleep 61.25')).toBe(false);
  },
);

test.each(KINDS)('CM-01 nohup with its output elsewhere is found as well (%s)', async (kind) => {
  const outcome = await lab(kind).run('nohup sleep 62.25 >/dev/null 2>&1 & echo ok');
  expect(outcome.output).toBe('ok\n');
  expect(outcome.killed.map((name) => name.replace(/ \(pid \d+\)/, ''))).toEqual(['sleep 62.25']);
  expect(alive('sleep 62.25')).toBe(false);
});

test.each(KINDS)(
  'CM-02 a child that keeps writing to the pipe does not hold the collector (%s)',
  async (kind) => {
    const outcome = await lab(kind).run('(while :; do echo x; sleep 0.05; done) & sleep 0.3; echo fg');
    expect(outcome.exitCode).toBe(0);
    expect(outcome.output).toMatch(/^(x\n)*fg\n(x\n)*$/);
    expect(outcome.killed.length).toBeGreaterThan(0);
  },
);

test.each(KINDS)('CM-03 a child in a session of its own is found and killed (%s)', async (kind) => {
  const outcome = await lab(kind).run('setsid sleep 63.25 & setsid -f sleep 63.5; sleep 0.2; echo spawned');
  expect(outcome.output).toBe('spawned\n');
  expect(outcome.killed.map((name) => name.replace(/ \(pid \d+\)/, '')).sort()).toEqual([
    'sleep 63.25',
    'sleep 63.5',
  ]);
  expect(alive('sleep 63.')).toBe(false);
});

test.each(KINDS)('CM-06 git does not open a pager (%s)', async (kind) => {
  const { workspace, run } = lab(kind);
  execFileSync(
    '/bin/sh',
    [
      '-c',
      `rm -rf repo && git init -q repo && cd repo && git config core.pager less && git config user.name n && git config user.email e && for i in 1 2 3 4 5 6 7 8 9; do git commit -q --allow-empty -m "commit $i" -m "$(seq 100)"; done`,
    ],
    { cwd: workspace },
  );
  const outcome = await run('cd repo && git log && echo "$PAGER $GIT_PAGER"', { timeoutMs: 20_000 });
  expect({ code: outcome.exitCode, timedOut: outcome.timedOut, end: outcome.output.slice(-8) }).toEqual({
    code: 0,
    timedOut: false,
    end: 'cat cat\n',
  });
});

test.each(KINDS)('CM-07 git fails fast where it would open an editor (%s)', async (kind) => {
  const { workspace, run } = lab(kind);
  execFileSync(
    '/bin/sh',
    [
      '-c',
      'rm -rf edit && git init -q edit && cd edit && git config core.editor vim && git config user.name n && git config user.email e && for i in 1 2 3; do git commit -q --allow-empty -m $i; done; echo a > a; git add a',
    ],
    { cwd: workspace },
  );
  const before = execFileSync('git', ['-C', join(workspace, 'edit'), 'rev-parse', 'HEAD']).toString();
  const commit = await run('cd edit && git commit', { timeoutMs: 20_000 });
  const rebase = await run('cd edit && git stash -q; git rebase -i HEAD~2', { timeoutMs: 20_000 });
  expect([commit.timedOut, rebase.timedOut]).toEqual([false, false]);
  expect([commit.exitCode === 0, rebase.exitCode === 0]).toEqual([false, false]);
  expect(commit.output).toMatch(/editor/);
  expect(rebase.output).toMatch(/editor/);
  expect(execFileSync('git', ['-C', join(workspace, 'edit'), 'rev-parse', 'HEAD']).toString()).toBe(before);
});

test.each(KINDS)('CM-09 stdin is empty, also by its device (%s)', async (kind) => {
  const outcome = await lab(kind).run(
    "cat; cat /dev/stdin; seq 2 | cat < /dev/stdin; cat <<EOF | sh -c 'cat; exit 0'\nx\nEOF",
    { timeoutMs: 20_000 },
  );
  expect({ code: outcome.exitCode, output: outcome.output, timedOut: outcome.timedOut }).toEqual({
    code: 0,
    output: '1\n2\nx\n',
    timedOut: false,
  });
});

test.each(KINDS)(
  'CM-09 a command that waits is cancelled, and says what it had printed (%s)',
  async (kind) => {
    const stop = new AbortController();
    const outcome = await lab(kind).run('echo begun; sleep 64.25', {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect({
      cancelled: outcome.cancelled,
      output: outcome.output.replace('Terminated\n', ''),
      exitCode: outcome.exitCode === 0,
    }).toEqual({ cancelled: true, output: 'begun\n', exitCode: false });
    expect(alive('sleep 64.25')).toBe(false);
  },
);

test.each(KINDS)('CM-10 a flood is cut, the time limit holds and memory stays bounded (%s)', async (kind) => {
  const before = process.memoryUsage().rss;
  const outcome = await lab(kind).run('yes', { timeoutMs: 2000 });
  expect(outcome.timedOut).toBe(true);
  expect(outcome.output.length).toBeLessThan(30_200);
  expect(outcome.output).toMatch(/^y\ny\n[\s\S]*characters left out[\s\S]*y\ny\n(Terminated\n)?$/);
  expect(outcome.omitted).toBeGreaterThan(1_000_000);
  expect(outcome.whole?.length).toBeLessThan(10_500_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000);
});

test('CM-10 two gigabytes of zeros pass through', async () => {
  const outcome = await lab('none').run('head -c 2000000000 /dev/zero; echo; echo end', {
    timeoutMs: 60_000,
  });
  expect(outcome.exitCode).toBe(0);
  expect(outcome.output.startsWith('␀␀␀')).toBe(true);
  expect(outcome.output.endsWith('␀\nend\n')).toBe(true);
  expect(outcome.omitted).toBeGreaterThan(1_999_900_000);
  expect(outcome.notes.join()).toMatch(/only the first and last megabytes were kept; \d+ bytes are gone/);
});

test.each(KINDS)('many survivors are counted, not all named (%s)', async (kind) => {
  const outcome = await lab(kind).run('for i in $(seq 30); do sleep 60 & done');
  expect([outcome.killed.length, outcome.killed.at(-1)]).toEqual([11, '20 others']);
});

test('CM-10 many short lines keep their head and tail, and the whole is there', async () => {
  const outcome = await lab('none').run('seq 200000');
  expect(outcome.output).toMatch(/^1\n2\n3\n[\s\S]*199999\n200000\n$/);
  expect(outcome.whole).toBe(Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join(''));
});

test('CM-10 a hundred commands that print five megabytes each leave next to nothing behind', async () => {
  const print = () => lab('none').run("head -c 5000000 /dev/zero | tr '\\0' y");
  await print();
  const before = heldNow();
  for (let nth = 0; nth < 100; nth++) expect((await print()).output.length).toBeLessThan(30_200);
  // What is collected is given back by a thread of its own, some time later.
  await expect.poll(() => heldNow() - before).toBeLessThan(16_000_000);
});

/** Bytes in use once all that nobody needs is collected. */
function heldNow(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test.each(KINDS)('SE-03 the grep of a command is the person’s own and skips nothing (%s)', async (kind) => {
  const { workspace, run } = lab(kind);
  const files = { '.gitignore': '*.log\n.env\n', '.env': 'MARKER\n', 'app.log': 'MARKER\n' };
  mkdirSync(join(workspace, 'own'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, 'own', name), text);
  const outcome = await run('cd own && type -t grep && grep -r MARKER . | sort');
  expect(outcome.output).toBe('file\n./.env:MARKER\n./app.log:MARKER\n');
});

test.each(KINDS)('both streams are merged in the order in which they were written (%s)', async (kind) => {
  const outcome = await lab(kind).run('for i in 1 2 3; do echo o$i; echo e$i >&2; done');
  expect(outcome.output).toBe('o1\ne1\no2\ne2\no3\ne3\n');
});

test.each(KINDS)('CM-11 a character split over chunks is whole, in both streams (%s)', async (kind) => {
  const outcome = await lab(kind).run(
    "for byte in '\\342' '\\211' '\\244'; do printf $byte; printf $byte >&2; sleep 0.06; done",
  );
  expect(outcome.output).toBe('≤≤');
});

test.each(KINDS)('CM-13 silence is silence, and what drives a terminal is gone (%s)', async (kind) => {
  const silent = await lab(kind).run('true');
  const loud = await lab(kind).run("printf '\\033]633;A\\007hi\\033[31mred\\033[0m\\r\\n50%%\\r100%%\\n'");
  expect([silent.exitCode, silent.output, loud.exitCode, loud.output]).toEqual([0, '', 0, 'hired\n100%\n']);
});

test.each(KINDS)("CM-15 keys, tokens and what injects code aren't in the environment (%s)", async (kind) => {
  const outcome = await lab(kind).run('env; cat /proc/1/environ 2>/dev/null | tr "\\0" "\\n"');
  expect(outcome.output).not.toContain('marker');
  expect(outcome.output).not.toContain('MY_SETTING');
  const extraVariables = ['MY_SETTING', 'OPENAI_API_KEY', 'LD_PRELOAD'];
  const asked = await lab(kind).run('env', {}, { extraVariables });
  expect(asked.output).toContain('MY_SETTING=passed on request\n');
  expect(asked.output).not.toContain('marker');
});

test.each(KINDS)(
  'a time limit ends the whole tree: children in other sessions, and those that ignore SIGTERM (%s)',
  async (kind) => {
    const outcome = await lab(kind).run(
      "setsid -f sleep 65.25; (trap '' TERM; sleep 65.5; sleep 65.75) & sleep 65.9",
      { timeoutMs: 500 },
    );
    expect({ timedOut: outcome.timedOut, cancelled: outcome.cancelled }).toEqual({
      timedOut: true,
      cancelled: false,
    });
    expect(alive('sleep 65.')).toBe(false);
  },
);

test.each(KINDS)('a command may tidy up when it is told to stop (%s)', async (kind) => {
  const outcome = await lab(kind).run("trap 'echo tidy; exit 9' TERM; echo begun; sleep 66.25 & wait", {
    timeoutMs: 4000,
  });
  expect({ timedOut: outcome.timedOut, output: outcome.output }).toEqual({
    timedOut: true,
    output: 'begun\ntidy\n',
  });
});

test.each(KINDS)('the exit code is that of the command (%s)', async (kind) => {
  expect((await lab(kind).run('exit 7')).exitCode).toBe(7);
});

test.each(KINDS)('stdout and stderr can be opened by name, as scripts do (%s)', async (kind) => {
  const outcome = await lab(kind).run(
    'echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr >/dev/null; echo d > /proc/self/fd/1; echo e >> /dev/fd/2',
  );
  expect(outcome.output.split('\n').sort().join('')).toBe('abcde');
});

test.each(KINDS)('nothing is missing of what is printed last, time after time (%s)', async (kind) => {
  const lengths: number[] = [];
  for (let n = 0; n < 10; n++) lengths.push((await lab(kind).run('seq 4000; echo end >&2')).output.length);
  expect(lengths).toEqual(Array.from({ length: 10 }, () => 18_893 + 'end\n'.length));
});

test.each(KINDS)('orphans that ended by themselves are not named (%s)', async (kind) => {
  const outcome = await lab(kind).run('for i in 1 2 3; do (sleep 0.05 &); done; sleep 0.3; exit 3');
  expect([outcome.killed, outcome.exitCode]).toEqual([[], 3]);
});

test('what watches over a command can neither be ended nor spoken for by it', async () => {
  const outcome = await lab('bubblewrap').run(
    `kill -KILL 1; kill -TERM 1; { echo '. 0' >&3; echo '. 0' >/proc/1/fd/3; } 2>/dev/null
    sleep 0.3; echo late; exit 5`,
  );
  expect([outcome.output, outcome.exitCode, outcome.killed]).toEqual(['late\n', 5, []]);
});

test('few pipes serve many commands', async () => {
  const { run } = lab('bubblewrap');
  /** Pipes are numbered as they are made; those of the two labs lie in folders of their own. */
  const made = () =>
    readdirSync(tmpdir())
      .filter((name) => name.startsWith(`belay-pipes-${process.pid}-`))
      .map((name) => Math.max(0, ...readdirSync(join(tmpdir(), name)).map(Number)))
      .reduce((sum, last) => sum + last, 0);
  await run('true');
  const before = made();
  for (let n = 0; n < 20; n++) await run('echo x');
  expect(made() - before).toBeLessThanOrEqual(4);
});

test('without a sandbox a signal is named', async () => {
  expect((await lab('none').run('kill -KILL $$')).signal).toBe('SIGKILL');
});

test.each(KINDS)('limits are set (%s)', async (kind) => {
  const outcome = await lab(kind).run(
    'ulimit -c; ulimit -t; [ "$(ulimit -n)" -le 16384 ] && echo files; [ "$(ulimit -u)" -le 8192 ] && echo processes',
  );
  expect(outcome.output).toBe('0\n3600\nfiles\nprocesses\n');
});

test('stdout and stderr come in the order in which they were written', async () => {
  const outcome = await lab('none').run('echo 1; sleep 0.05; echo 2 >&2; sleep 0.05; echo 3');
  expect(outcome.output).toBe('1\n2\n3\n');
});

test('a signal that has aborted before starts nothing', async () => {
  const stop = new AbortController();
  stop.abort();
  await expect(lab('none').run('touch started', { signal: stop.signal })).rejects.toThrow();
  expect(existsSync(join(lab('none').workspace, 'started'))).toBe(false);
});

test('a folder that is not there is an error that names it', async () => {
  await expect(lab('none').run('true', { cwd: 'nowhere' as never })).rejects.toThrow(
    /didn't start: .*nowhere/,
  );
});
