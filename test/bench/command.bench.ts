import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { delay } from '#base/queue';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCore } from '#test/bench/core';
import { openCovering } from '#test/bench/covering';
import { runBare } from '#test/bench/floors/processes';
import { makeTree } from '#test/bench/tree';

/** The least that confines as much: every namespace, the host read-only, the workspace writable, a /tmp of its own. */
const CONFINED = [
  ...'--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-net --die-with-parent --new-session'.split(
    ' ',
  ),
  ...'--cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp'.split(' '),
];

/** Any model takes longer than this before it asks for the next command; what is started ahead meanwhile doesn't run beside the floor. */
const THINKING_MS = 200;

/**
 * `run_command` of `true`, from the call being announced to its recorded result, all gates and the looks for changes included, against
 * bubblewrap by itself (where that doesn't work, against a bare `true`); and all that makes a command's changes undoable in a large repository, against the `git status` that others find changes with.
 */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'belay-command-'));
  try {
    return [
      ...(await inSmallFolder(path.join(work, 'small'))),
      await inRepository(path.join(work, 'large'), 10_000),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** After the time that a model takes, and (without a target) right after another one, as when a reply asks for several. */
async function inSmallFolder(folder: string): Promise<readonly Measurement[]> {
  mkdirSync(folder, { recursive: true });
  const line = confined(folder);
  const [file, args] = line ? ['bwrap', line] : ['true', []];
  await using core = await openCore(folder, { mode: 'allow' });
  const call = { name: 'run_command', input: { command: 'true', description: 'Does nothing' } };
  const after = (pause: number, n: number) =>
    alternate(
      { n, warmUp: 5 },
      async () => {
        await delay(pause);
        return (await core.turn(call))[0]?.recordedMs ?? Number.NaN;
      },
      async () => {
        await delay(pause);
        return milliseconds(() => runBare(file, args, { cwd: folder }));
      },
    );
  const name = line ? 'command `true` beside bubblewrap' : 'command `true` beside a bare one';
  return [
    {
      name: `${name}, ${THINKING_MS} ms after the last`,
      unit: 'ms',
      ...(await after(THINKING_MS, 31)),
      target: { of: 'ratio', atMost: 1.5 },
    },
    { name: `${name}, right after the last`, unit: 'ms', ...(await after(0, 15)) },
  ];
}

/** All that surrounds a command which changes three files: both looks, what is kept, taken from git and recorded. */
async function inRepository(folder: string, size: number): Promise<Measurement> {
  const names = makeTree(folder, size);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init');
  // In its own tick: what git saw in the tick of its index counts as touched.
  await delay(50);
  git('add', '.');
  await using covering = openCovering(folder);
  let turn = 0;
  const change = () => {
    turn++;
    for (const name of names.slice(turn * 3, turn * 3 + 3))
      appendFileSync(path.join(folder, name), '// more\n');
  };
  const samples = await alternate(
    { n: 15, warmUp: 3 },
    () => covering.around(change),
    () =>
      milliseconds(() => runBare('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: folder })),
  );
  const name = `what a command changed, ${size / 1000}k files`;
  return { name, unit: 'ms', ...samples, target: { of: 'ratio', atMost: 1.5 } };
}

/** Arguments that let bubblewrap run `true` in that folder; undefined where it can't. */
function confined(folder: string): readonly string[] | undefined {
  const args = [...CONFINED, '--bind', folder, folder, '--chdir', folder, '--', 'true'];
  try {
    execFileSync('bwrap', args, { stdio: 'ignore' });
    return args;
  } catch {
    return undefined;
  }
}
