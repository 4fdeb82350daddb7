import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Disposable } from '#base/disposable';
import { MARKER } from './process-list';

/** What is to die with Belay: the group of its first process, and whoever carries the marker. */
export interface Watched {
  readonly root: number;
  readonly marker: string;
}

/**
 * Reads which commands run, a line each; the input ends when Belay does, however that comes about, and whoever is still on the list
 * is killed. Twice: what is forked while the first round looks is found by the second. It holds nothing of Belay's but its own input.
 */
const PROGRAM = `running=
while read -r what root marker; do
  case $what in
    begin) running="$running $root:$marker" ;;
    end) list=; for one in $running; do [ "$one" = "$root:$marker" ] || list="$list $one"; done; running=$list ;;
  esac
done
[ -n "$running" ] || exit 0
for round in 1 2; do
  for one in $running; do
    kill -KILL -- "-\${one%%:*}"
    for process in /proc/[0-9]*; do
      tr '\\0' '\\n' <"$process/environ" | grep -qxF "${MARKER}=\${one#*:}" && kill -KILL "\${process#/proc/}"
    done
  done
done`;

/**
 * Ends commands that no sandbox holds when Belay itself is killed: then nobody else is left to mind them. One small shell for all of
 * them, started with the first; it stands apart from them and costs a command one line.
 */
export class Watchdog implements Disposable {
  #shell: ChildProcess | undefined;

  /** Until it is disposed of. Where the watchdog can't be started, or has been killed, the command goes on without it. */
  watch({ root, marker }: Watched): Disposable {
    this.#tell(`begin ${root} ${marker}`);
    return { dispose: () => this.#tell(`end ${root} ${marker}`) };
  }

  /** What is still watched is killed. */
  dispose(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #tell(line: string): void {
    this.#shell ??= start();
    this.#shell?.stdin?.write(`${line}\n`);
  }
}

/** In a group of its own, so that what ends the editor's doesn't end it. Windows has no such shell. */
function start(): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const shell = spawn('/bin/sh', ['-c', PROGRAM], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const input = shell.stdin as Socket;
    for (const part of [shell, input]) part.on('error', () => undefined).unref();
    return shell;
  } catch {
    return undefined;
  }
}
