import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly words: string;
}

/** The first extension host among the descendants of a server. */
export async function extensionHostOf(server: number): Promise<number | undefined> {
  const all = process.platform === 'linux' ? listFromProc() : await listFromPs();
  const family = new Set([server]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.find(({ pid, words }) => family.has(pid) && words.includes('--type=extensionHost'))?.pid;
}

/** Small Linux containers have no `ps`. */
function listFromProc(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The command's name stands in parentheses and may hold anything; the parent is the second field after them.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return [{ pid: Number(name), parent, words: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
}

async function listFromPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, words = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), words }] : [];
  });
}
