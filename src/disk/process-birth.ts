import { readFileSync } from 'node:fs';

/**
 * When a process of this machine began, as text that differs for another process of the same number, also after a restart of the
 * machine. Undefined where only Linux's /proc could tell, or there is no such process.
 */
export function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; the start, in ticks since boot, is the 20th field after it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? undefined : `${boot} ${ticks}`;
  } catch {
    return undefined;
  }
}
