import type { StdioOptions } from 'node:child_process';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ReadStream } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { OutputSource } from './output-pipes';

/** How large a terminal is, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What of the native part is used. The library's own script would read what is meant for the command. */
interface Native {
  open(
    columns: number,
    rows: number,
  ): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(master: number, columns: number, rows: number): void;
}

/** Our ends of all PTYs that are open. The native part opens them so that every child of this process would inherit them. */
const masters = new Set<number>();
let nothing: number | undefined;

/**
 * A child's descriptors, so that it gets none of our ends: who holds one types into another command. Where one would have been
 * it finds an empty file.
 */
export function sealed(stdio: StdioOptions & readonly unknown[]): StdioOptions {
  if (masters.size === 0) return stdio;
  nothing ??= openSync('/dev/null', constants.O_RDWR);
  const all = [...stdio];
  for (const master of masters) if (all[master] === undefined) all[master] = nothing;
  return Array.from(all, (one) => one ?? 'ignore') as StdioOptions;
}

/** A terminal of the kernel's own: the command has one side, Belay the other. */
export class Pty implements OutputSource {
  /** The command's side, for its stdio; call `started` once it has it. */
  readonly side: number;
  readonly closed: Promise<void>;
  readonly #native: Native;
  readonly #master: number;
  readonly #stream: ReadStream;
  #isSideOpen = true;

  constructor(native: Native, { columns, rows }: TerminalSize) {
    const { master, slave, pty } = native.open(columns, rows);
    masters.add(master);
    // Opened anew by its name, since children inherit the first one; nobody is started in between.
    this.side = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
    closeSync(slave);
    this.#native = native;
    this.#master = master;
    this.#stream = new ReadStream(master);
    // EIO is how a PTY says that everybody has gone.
    this.#stream.on('error', () => this.#stream.destroy());
    this.closed = new Promise((resolve) => {
      this.#stream.once('close', () => {
        masters.delete(master);
        resolve();
      });
    });
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.#stream.on('data', listener);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  write(text: string): void {
    if (!this.#stream.destroyed) this.#stream.write(text);
  }

  /** What runs in it hears SIGWINCH. */
  resize({ columns, rows }: TerminalSize): void {
    if (!this.#stream.destroyed) this.#native.resize(this.#master, columns, rows);
  }

  /** The command has its side; ours would keep the terminal open for ever. */
  started(): void {
    if (this.#isSideOpen) closeSync(this.side);
    this.#isSideOpen = false;
  }

  destroy(): void {
    this.started();
    this.#stream.destroy();
  }
}

/** Loaded with the first use. Everything else works without it: the error says what is missing and what to do. */
export function openPty(size: TerminalSize, load: () => Native = loadNative): Result<Pty, string> {
  if (process.platform !== 'linux')
    return fail('a PTY can be had on Linux only so far; start the command without one');
  try {
    return ok(new Pty(load(), size));
  } catch (error) {
    const why = messageOf(error).split('\n')[0] ?? '';
    const build = `${process.platform}-${process.arch}`;
    return fail(
      `a PTY can’t be had here (${why}). Start the command without one; to have them, install Belay’s build for ${build}`,
    );
  }
}

/** Programs that begin a session whose terminal is what they read from. */
const SETSID = ['/usr/bin/setsid', '/bin/setsid', '/run/current-system/sw/bin/setsid'];

/**
 * Words before a command that make its standard input its terminal: only then do job control, Ctrl+C and changes of size reach it.
 * It happens inside the sandbox, whose own launcher keeps out of every terminal. Throws in words for the model.
 */
export function terminalSession(): readonly string[] {
  const file = SETSID.find((path) => existsSync(path));
  if (file === undefined)
    throw new Error('a PTY needs the program setsid (util-linux); start the command without one');
  return [file, '--ctty', '--wait'];
}

let native: Native | undefined;

function loadNative(): Native {
  const require = createRequire(import.meta.url);
  const here = dirname(fileURLToPath(import.meta.url));
  // In dist/, which this code's chunk lies in a folder of; or where the package put it when the sources run as they are.
  const packed = [join(here, 'bin', 'pty.node'), join(here, '..', 'bin', 'pty.node')].find(existsSync);
  native ??= require(packed ?? `@lydell/node-pty-${process.platform}-${process.arch}/pty.node`) as Native;
  return native;
}
