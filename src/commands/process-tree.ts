import { execFile } from 'node:child_process';
import { delay } from '#base/queue';
import { truncate } from '#base/text';
import { commandLine, descendants, type Lineage, type RunningProcess } from './process-list';

/** One command's processes: how to find them and how to end them. */
export interface ProcessTree extends Lineage {
  /** The root is a sandbox's launcher: it is never asked, only killed, and all inside die with it. */
  readonly launcher: boolean;
}

const POLL_MS = 25;
/** After SIGKILL only the kernel can keep a process; it isn't waited for any longer. */
const KILL_WAIT_MS = 1000;

/** Who is still there besides the root. */
export function survivors(tree: ProcessTree): Promise<readonly RunningProcess[]> {
  return descendants(tree);
}

/** "sleep 60 (pid 123)". */
export function named(command: string, pid: number): string {
  return `${truncate(command, 100)} (pid ${pid})`;
}

/** All of them by name. */
export function namedAll(processes: readonly RunningProcess[]): Promise<readonly string[]> {
  return Promise.all(processes.map(async (one) => named(await commandLine(one), one.pid)));
}

/**
 * Ends the whole tree: SIGTERM, up to `graceMs` to leave, then SIGKILL until nobody is left. `isRootGone` tells whether
 * the root has ended. Resolves when all are gone or the kernel won't let go of one.
 */
export async function endTree(tree: ProcessTree, graceMs: number, isRootGone: () => boolean): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(tree.root);
  // Parents first: a shell whose child dies before it hears itself would go on with its next line.
  if (!tree.launcher && !isRootGone()) signal(tree.root, 'SIGTERM');
  for (const one of await survivors(tree)) signal(one.pid, 'SIGTERM');
  if (await allGone(tree, graceMs, isRootGone)) return;
  const end = performance.now() + KILL_WAIT_MS;
  do {
    if (!isRootGone()) signal(tree.root, 'SIGKILL');
    for (const one of await survivors(tree)) signal(one.pid, 'SIGKILL');
    if (await allGone(tree, POLL_MS, isRootGone)) return;
  } while (performance.now() < end);
}

async function allGone(tree: ProcessTree, ms: number, isRootGone: () => boolean): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if (isRootGone() && (await survivors(tree)).length === 0) return true;
    if (performance.now() >= end) return false;
    await delay(POLL_MS);
  }
}

/** Tells a process something; one that is gone, or never was, hears nothing: by a number below 1 the kernel means many. */
export function signal(pid: number, name: NodeJS.Signals): void {
  if (pid < 1) return;
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or not ours to signal.
  }
}

function endOnWindows(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], () => resolve());
  });
}
