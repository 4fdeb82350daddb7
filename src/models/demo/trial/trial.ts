import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './run-tests';
import type { Project } from './sources';
import type { Run } from './worker';

/** Most milliseconds of one run, for work that can't be counted. Far above what counted work takes on a slow machine. */
const PATIENCE_MS = 15_000;
const NOTHING: Outcome = { verdicts: undefined, ticks: 0 };

/** Runs tests of a project inside QuickJS, in a thread of its own. Whoever made it disposes it. */
export class Trial implements Disposable {
  readonly #worker: Worker;
  readonly #patienceMs: number;
  #answer: ((outcome: Outcome) => void) | undefined;
  #isOver = false;

  constructor(project: Project, { patienceMs = PATIENCE_MS } = {}) {
    this.#patienceMs = patienceMs;
    const file = workerFile();
    // In tests Node strips the types; older ones must be told to.
    const execArgv = file.endsWith('.ts') ? ['--experimental-strip-types', '--no-warnings'] : [];
    this.#worker = new Worker(file, { workerData: project, env: {}, execArgv, stdout: true, stderr: true });
    this.#worker.on('message', (outcome: Outcome) => this.#answer?.(outcome));
    for (const end of ['error', 'exit']) this.#worker.on(end, () => this[Symbol.dispose]());
  }

  /** One run at a time. After one that had to be stopped nothing more can be said. */
  async run(run: Run): Promise<Outcome> {
    if (this.#isOver) return NOTHING;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#answer = resolve;
    const timer = setTimeout(() => this[Symbol.dispose](), this.#patienceMs);
    this.#worker.postMessage(run);
    return promise.finally(() => clearTimeout(timer));
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#answer?.(NOTHING);
    void this.#worker.terminate();
  }
}

/** In the extension a chunk beside the one that holds this; in a test the source itself. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? './worker.ts' : '../chunks/trial-worker.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
