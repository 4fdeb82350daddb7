import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { noSandbox } from '#sandbox/none';
import { childScript } from '#test/support/child-script';
import { type CommandLab, commandLab } from '#test/support/command-lab';
import { eventually } from '#test/support/eventually';
import { SANDBOXES } from '#test/support/sandboxes';

// Real processes on a busy machine: the limit is against hanging, not for speed.
vi.setConfig({ testTimeout: 90_000 });

const KINDS = ['none', 'bubblewrap', 'namespaces'] as const;
const labs = new Map<string, CommandLab>();
beforeAll(() => {
  labs.set('none', commandLab({ sandbox: noSandbox() }));
  for (const kind of ['bubblewrap', 'namespaces'] as const)
    labs.set(kind, commandLab({ sandbox: SANDBOXES[kind]() }));
});
afterAll(() => {
  for (const lab of labs.values()) lab.dispose();
});

function lab(kind: string): CommandLab {
  const found = labs.get(kind);
  if (!found) throw new Error(`no lab for ${kind}`);
  return found;
}

/** Sleeps of a length that no other test uses. */
let lengths = 0;
const length = () => `71.${process.pid}${++lengths}`;

function alive(mark: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => commandOf(pid).includes(`sleep\0${mark}\0`));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test.each(KINDS)('a child in the background does not hold the call (%s)', async (kind) => {
  const mark = length();
  const outcome = await lab(kind).run(`sleep ${mark} & echo done`);
  expect([outcome.output, outcome.killed.length, alive(mark)]).toEqual(['done\n', 1, false]);
});

test.each(KINDS)(
  'a time limit ends children in sessions of their own, forked twice and under nohup (%s)',
  async (kind) => {
    const mark = length();
    const outcome = await lab(kind).run(
      `setsid sleep ${mark} & setsid -f sleep ${mark}; nohup sleep ${mark} >/dev/null 2>&1 & ( ( sleep ${mark} & ) & ); (trap '' HUP TERM INT; sleep ${mark}) & sleep ${mark}`,
      { timeoutMs: 1000 },
    );
    expect([outcome.timedOut, alive(mark)]).toEqual([true, false]);
  },
);

test.each(KINDS)('200 MB of output grow memory little (%s)', async (kind) => {
  const before = process.memoryUsage().rss;
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const line = `head -c 200000000 /dev/zero | tr '\\0' x; echo; echo end`;
  const outcome = await lab(kind).run(line, { timeoutMs: 50_000 });
  clearInterval(watching);
  expect([outcome.timedOut, outcome.output.endsWith('\nend\n')]).toEqual([false, true]);
  expect(most - before).toBeLessThan(64_000_000);
});

test.each(KINDS)('when Belay is killed, nothing that it had started lives on (%s)', async (kind) => {
  const mark = length();
  const line = `setsid -f sleep ${mark}; nohup sleep ${mark} & touch begun; sleep ${mark}`;
  const { host, workspace } = await hostRunning(kind, line);
  await eventually(() => expect(existsSync(join(workspace, 'begun'))).toBe(true));
  expect(alive(mark)).toBe(true);
  host.kill('SIGKILL');
  await eventually(() => expect(alive(mark)).toBe(false));
});

/** A process of its own that runs one command as Belay does. */
async function hostRunning(
  kind: string,
  command: string,
): Promise<{ readonly host: ChildProcess; readonly workspace: string }> {
  const script = await childScript(import.meta.dirname, 'kill-host-child.ts');
  const { root } = lab(kind);
  const host = spawn(process.execPath, [script, kind, root, command], {
    // What it leaves there when it is killed goes with the lab.
    env: { ...process.env, TMPDIR: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<Buffer>((resolve) => host.stdout.once('data', resolve));
  return { host, workspace: said.toString().trim() };
}
