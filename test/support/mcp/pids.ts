import { readFileSync } from 'node:fs';

/** Whether a process is there and no zombie. */
export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) throw new Error('no process is known');
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

/** The process that was started last, as a server's log tells. */
export function pidIn(log: string): number {
  const pid = [...log.matchAll(/\(process (\d+)\)/g)].at(-1)?.[1];
  if (pid === undefined) throw new Error(`no process was started:\n${log}`);
  return Number(pid);
}
