import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Disposable } from '#base/disposable';
import { SerialQueue } from '#base/queue';

/** To start one costs more than most answers: so it stays for the next question, but not for long. */
const IDLE_MS = 60_000;

/** How a `git cat-file --batch` is started. */
export interface LiveGitStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Length of an object's id in hexadecimal digits. */
  readonly idLength: number;
  readonly idleMs?: number;
}

/** One `git cat-file --batch` that answers one question after another. It ends by itself when this process does: its input ends then. */
export class LiveGit implements Disposable {
  readonly #start: LiveGitStart;
  readonly #queue = new SerialQueue();
  #child: ChildProcessWithoutNullStreams | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: LiveGitStart) {
    this.#start = start;
  }

  /** Of the process that is kept just now. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What it prints of these objects; as much as it got to, when it fails or patience ends on the way. */
  objects(ids: readonly string[], patienceMs: number): Promise<Buffer> {
    return this.#queue.run(async () => {
      clearTimeout(this.#idle);
      const isOld = this.#child !== undefined;
      const answer = await this.#answer(ids, patienceMs);
      // Somebody ended the one that was kept: that is no answer.
      const isGone = isOld && answer.end === 'died';
      const { output } = isGone ? await this.#answer(ids, patienceMs) : answer;
      // A file that is open can't be removed on Windows: neither a pack nor the folder it runs in.
      const idleMs = process.platform === 'win32' ? 0 : (this.#start.idleMs ?? IDLE_MS);
      this.#idle = setTimeout(() => this.dispose(), idleMs).unref();
      return output;
    });
  }

  dispose(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.stdin.end();
    child?.kill();
  }

  /** Undefined where none can be started: no such program, no room for one more process or its pipes. */
  #running(): ChildProcessWithoutNullStreams | undefined {
    if (this.#child) return this.#child;
    const { program, args, cwd, env } = this.#start;
    const child = spawn(program, args, { cwd, env, windowsHide: true, stdio: 'pipe' });
    const gone = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.on('error', gone).once('exit', gone);
    if (child.pid === undefined) return undefined;
    child.stderr.resume();
    child.stdin.on('error', () => undefined);
    this.#child = child;
    return child;
  }

  async #answer(ids: readonly string[], patienceMs: number): Promise<Answer> {
    const child = this.#running();
    if (!child) return { output: Buffer.alloc(0), end: 'died' };
    hold(child, true);
    try {
      return await this.#asked(child, ids, patienceMs);
    } finally {
      hold(child, false);
    }
  }

  /** The end is known by what is said of an object that there can't be, since nobody could know its name. */
  #asked(child: ChildProcessWithoutNullStreams, ids: readonly string[], patienceMs: number): Promise<Answer> {
    const last = randomBytes(this.#start.idLength / 2).toString('hex');
    const end = Buffer.from(`${last} missing\n`);
    const chunks: Buffer[] = [];
    const { promise, resolve } = Promise.withResolvers<Answer['end']>();
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      if (endsWith(chunks, end)) resolve('answered');
    };
    const giveUp = (why: Answer['end']) => {
      if (this.#child === child) this.#child = undefined;
      child.kill('SIGKILL');
      resolve(why);
    };
    const died = () => giveUp('died');
    const patience = setTimeout(() => giveUp('late'), patienceMs);
    child.stdout.on('data', take);
    child.once('error', died).once('close', died);
    child.stdin.write(`${[...ids, last].join('\n')}\n`);
    return promise
      .then((how) => ({ output: Buffer.concat(chunks), end: how }))
      .finally(() => {
        clearTimeout(patience);
        child.stdout.off('data', take);
        child.off('error', died).off('close', died);
      });
  }
}

interface Answer {
  readonly output: Buffer;
  readonly end: 'answered' | 'late' | 'died';
}

/** The last chunk alone may hold less than the whole of it. */
function endsWith(chunks: readonly Buffer[], end: Buffer): boolean {
  let tail = chunks.at(-1) ?? Buffer.alloc(0);
  for (let at = chunks.length - 2; at >= 0 && tail.byteLength < end.byteLength; at--)
    tail = Buffer.concat([chunks[at] ?? Buffer.alloc(0), tail]);
  return tail.byteLength >= end.byteLength && tail.subarray(-end.byteLength).equals(end);
}

/** Whether this process waits for it. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr]) {
    if (!one || !('unref' in one) || typeof one.unref !== 'function') continue;
    if (isHeld && 'ref' in one && typeof one.ref === 'function') one.ref();
    else if (!isHeld) one.unref();
  }
}
