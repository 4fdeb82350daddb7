import { randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from './stat';

const TEMPORARY = /^\.belay-(\d+)-[0-9a-f]{12}\.tmp$/;

/**
 * A name beside the target that nobody else has; it carries our process id so that leftovers of the dead are known. The end of a
 * UUID is as random as fresh bytes, and Node has some ready.
 */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.belay-${process.pid}-${randomUUID().slice(-12)}.tmp`);
}

/** Takes a temporary file away, if it is there. One that the disk won't give up is a leftover; what it was made for counts all the same. */
export function discard(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // The next start looks for leftovers.
  }
}

/** True for a temporary file whose writer no longer runs: a kill in mid-write left it. */
export function isLeftover(name: string): boolean {
  const pid = Number(TEMPORARY.exec(name)?.[1]);
  return Number.isInteger(pid) && !isRunning(pid);
}

/** Whether a process of that id runs on this machine. A process of another user counts as running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
