import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Disposable } from '#base/disposable';
import { isDone, type JobFolder, type ScanJob } from './scan-job';
import type { JobMessage } from './scan-worker';

/** More would wait for each other in the kernel. */
const MOST = 3;
/** A thread takes some 15 MB, beside 100,000 files some 40; after so long without a look it goes, and the next look starts one anew. */
const IDLE_MS = 60_000;

/**
 * Threads that take part in looks at a large folder. Nobody waits for one to start, and nothing depends on any: what one that is gone had
 * taken is done by the thread that asked. Where none can be had, that one does all.
 */
export class ScanThreads implements Disposable {
  readonly #count: number;
  readonly #idleMs: number;
  readonly #file: string | undefined;
  #threads: Thread[] = [];
  #waiting: ((news: 'done' | 'lost') => void)[] = [];
  #idle: NodeJS.Timeout | undefined;
  /** Kept for the next look: a thread lets go of memory only when it next tidies up. */
  #memory: SharedArrayBuffer | undefined;
  #isHopeless = false;

  /** `file`: what a thread runs, where it isn't what lies beside this. */
  constructor({
    count = Math.min(MOST, availableParallelism() - 1),
    idleMs = IDLE_MS,
    file,
  }: { readonly count?: number; readonly idleMs?: number; readonly file?: string } = {}) {
    this.#count = count;
    this.#idleMs = idleMs;
    this.#file = file;
  }

  /** How many there are just now. */
  get running(): number {
    return this.#threads.length;
  }

  /** False where one core is all there is, or threads didn't work. */
  get areThere(): boolean {
    return this.#count > 0 && !this.#isHopeless;
  }

  /** Memory for a look, for it alone until it is given back. */
  borrow(bytes: number): SharedArrayBuffer {
    const kept = this.#memory;
    this.#memory = undefined;
    return kept && kept.byteLength >= bytes ? kept : new SharedArrayBuffer(bytes);
  }

  /** What a look has seen. Its memory serves the next, unless some thread may still write there. */
  rowsOf({ rows }: ScanJob, areDone: boolean): Float64Array {
    const { buffer } = rows;
    const isFree = areDone && this.#threads.length > 0;
    if (isFree && buffer instanceof SharedArrayBuffer) this.#memory = buffer;
    return rows.slice();
  }

  /** They begin at once, or as soon as they have started. */
  offer(job: ScanJob, folders: readonly JobFolder[]): void {
    clearTimeout(this.#idle);
    if (this.#threads.length === 0) this.#begin();
    for (const thread of this.#threads) thread.offer(job, folders);
    this.#idle = setTimeout(() => this.#stop(), this.#idleMs).unref();
  }

  /** Resolves when all is done that they took, or with false when one of them is lost. Rejects when the signal aborts. */
  async finish(job: ScanJob, signal: AbortSignal | undefined): Promise<boolean> {
    while (!isDone(job)) if ((await this.#news(signal)) === 'lost') return false;
    return true;
  }

  dispose(): void {
    this.#isHopeless = true;
    this.#stop();
  }

  /** Where a system or a group of processes may have no more threads, that is said at once. */
  #begin(): void {
    try {
      const file = this.#file ?? workerFile();
      while (this.#threads.length < this.#count)
        this.#threads.push(new Thread(file, (news) => this.#tell(news)));
    } catch {
      this.#isHopeless = true;
      this.#stop();
    }
  }

  #news(signal: AbortSignal | undefined): Promise<'done' | 'lost'> {
    if (this.#threads.length === 0) return Promise.resolve('lost');
    // The threads themselves keep no process alive.
    const alive = setInterval(() => undefined, IDLE_MS);
    const { promise, resolve, reject } = Promise.withResolvers<'done' | 'lost'>();
    this.#waiting.push(resolve);
    const stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    return promise.finally(() => {
      clearInterval(alive);
      signal?.removeEventListener('abort', stop);
      this.#waiting = this.#waiting.filter((one) => one !== resolve);
    });
  }

  #tell(news: 'done' | 'lost'): void {
    if (news === 'lost') {
      this.#isHopeless = true;
      this.#stop();
    }
    for (const tell of this.#waiting) tell(news);
  }

  #stop(): void {
    clearTimeout(this.#idle);
    const threads = this.#threads;
    this.#threads = [];
    this.#memory = undefined;
    for (const thread of threads) thread.end();
    if (threads.length > 0) for (const tell of this.#waiting) tell('lost');
  }
}

class Thread {
  readonly #worker: Worker;
  #isEnded = false;
  #known = new Map<readonly string[], number>();
  #numbers = 0;

  constructor(file: string, tell: (news: 'done' | 'lost') => void) {
    this.#worker = new Worker(file, {
      env: {},
      // In tests Node strips the types; older ones must be told to.
      execArgv: file.endsWith('.ts') ? ['--experimental-strip-types', '--no-warnings'] : [],
      // What lstat gives is garbage at once: little room for it is as fast, and is all that the thread would grow by.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 128, stackSizeMb: 1 },
      ...{ stdout: true, stderr: true },
    });
    const lost = () => {
      if (!this.#isEnded) tell('lost');
    };
    this.#worker
      .on('message', () => tell('done'))
      .on('error', lost)
      .on('exit', lost);
    // No process stays alive for it. At the end: whoever listens for messages would be waited for.
    this.#worker.unref();
  }

  /** A folder goes by the list of its names, which is the same from look to look as long as they are. */
  offer(job: ScanJob, folders: readonly JobFolder[]): void {
    const known = new Map<readonly string[], number>();
    const learn: JobMessage['learn'][number][] = [];
    const numbers = new Int32Array(folders.length);
    folders.forEach(({ path, files }, folder) => {
      const number = this.#known.get(files) ?? ++this.#numbers;
      if (!this.#known.has(files)) learn.push({ number, path, files: files.join('/') });
      known.set(files, number);
      numbers[folder] = number;
    });
    const forget = [...this.#known].flatMap(([files, number]) => (known.has(files) ? [] : [number]));
    this.#known = known;
    this.#worker.postMessage({ job, numbers, learn, forget } satisfies JobMessage);
  }

  end(): void {
    this.#isEnded = true;
    void this.#worker.terminate();
  }
}

/** In the extension a chunk beside the one that holds this; in a test the source itself. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? './scan-worker.ts' : '../chunks/scan-worker.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
