import { readFileSync } from 'node:fs';

/** The checkout that this suite was built from: packages and scripts that a server is started with. */
export function checkout(): string {
  const folder = process.env['BELAY_CHECKOUT'];
  if (!folder) throw new Error('BELAY_CHECKOUT is not set: the suite is started by npm run test:host');
  return folder;
}

/** Whether a process of this number is alive. A zombie isn't. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}
