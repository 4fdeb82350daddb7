import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** One process of this machine. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it began, in the kernel's ticks; 0 where that isn't known. */
  readonly began: number;
  /** The command's name; `commandLine` knows the rest. */
  readonly name: string;
}

/** Names the variable by which every process of one command can be told, however far it has gone from its parents. */
export const MARKER = 'BELAY_COMMAND';

/** Which processes belong to one command. */
export interface Lineage {
  readonly root: number;
  readonly marker: string;
  /** When the root began: who is older isn't looked at. */
  readonly since: number;
  /** The root may be much older than its children: then their numbers needn't be greater. */
  readonly isOld?: boolean;
}

/**
 * All living processes that descend from the root, are in its group, or carry the marker in their environment; the
 * root itself is left out. Parents come before their children. Zombies aren't alive.
 */
export async function descendants(lineage: Lineage): Promise<readonly RunningProcess[]> {
  const { root, marker, since, isOld } = lineage;
  const all = process.platform === 'linux' ? await linuxProcesses(isOld ? 0 : root) : await psProcesses();
  const young = all.filter((one) => one.began >= since && one.pid !== root && one.pid !== process.pid);
  const found = new Map<number, RunningProcess>();
  for (const one of young)
    if (one.group === root || (await carries(one.pid, marker))) found.set(one.pid, one);
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of young) {
      if (found.has(one.pid) || !(one.parent === root || found.has(one.parent))) continue;
      found.set(one.pid, one);
      grown = true;
    }
  }
  return [...found.values()].sort((a, b) => a.began - b.began || a.pid - b.pid);
}

/** When a process began, as `Lineage.since`; 0 when that can't be known. */
export function beganAt(pid: number): number {
  if (process.platform !== 'linux') return 0;
  try {
    return parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'))?.began ?? 0;
  } catch {
    return 0;
  }
}

/** Its words as they were given, for people; its name where they can't be read. */
export async function commandLine(one: RunningProcess): Promise<string> {
  if (process.platform !== 'linux') return one.name;
  const line = (await readProc(one.pid, 'cmdline')).replace(/\0+$/, '').replaceAll('\0', ' ');
  return line === '' ? `[${one.name}]` : Buffer.from(line, 'latin1').toString();
}

async function carries(pid: number, marker: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const environment = await readProc(pid, 'environ');
  return environment.includes(`${MARKER}=${marker}\0`) || environment.endsWith(`${MARKER}=${marker}`);
}

async function linuxProcesses(root: number): Promise<readonly RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // Numbers are given in order: as long as they haven't begun anew since the root, younger means greater.
  const last = Number((await readText('/proc/loadavg')).trim().split(' ').at(-1));
  const from = last >= root ? root : 0;
  const all = await Promise.all(pids.filter((pid) => pid >= from).map(linuxProcess));
  return all.filter((one) => one !== undefined);
}

async function linuxProcess(pid: number): Promise<RunningProcess | undefined> {
  return parseStat(pid, await readProc(pid, 'stat'));
}

function parseStat(pid: number, stat: string): RunningProcess | undefined {
  // The name in brackets may itself hold brackets and blanks: the fields begin after the last one.
  const end = stat.lastIndexOf(')');
  if (end < 0) return undefined;
  const fields = stat.slice(end + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, end);
  return { pid, parent: Number(fields[1]), group: Number(fields[2]), began: Number(fields[19]), name };
}

function readProc(pid: number, name: string): Promise<string> {
  return readText(`/proc/${pid}/${name}`);
}

/** Empty when it is gone or isn't ours to read. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return '';
  }
}

/** Where there is no /proc: parents and groups only, so a child in a session of its own whose parent is gone is missed. */
function psProcesses(): Promise<readonly RunningProcess[]> {
  if (process.platform === 'win32') return Promise.resolve([]);
  return new Promise((resolve) => {
    execFile(
      '/bin/ps',
      ['-axo', 'pid=,ppid=,pgid=,stat=,command='],
      { maxBuffer: 16_000_000 },
      (_error, stdout) => {
        resolve(
          String(stdout)
            .split('\n')
            .flatMap((line) => {
              const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
              if (!match || match[4]?.startsWith('Z')) return [];
              return [
                {
                  pid: Number(match[1]),
                  parent: Number(match[2]),
                  group: Number(match[3]),
                  began: 0,
                  name: match[5] ?? '',
                },
              ];
            }),
        );
      },
    );
  });
}
