import { type ChildProcess, fork } from 'node:child_process';
import type { Disposable } from '#base/disposable';
import { Emitter, type Event } from '#base/emitter';
import { beganAt, descendants, type RunningProcess } from './process-list';
import { signal } from './process-tree';

/** A process of our own that is talked to in messages; it can be killed as a crash would. */
export interface Worker extends Disposable {
  readonly pid: number;
  readonly onMessage: Event<unknown>;
  /** Fires once, however it ended; `words` say how. */
  readonly onEnd: Event<string>;
  send(message: unknown): void;
  /** SIGKILL: it gets no chance to tidy up. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
  /** Ends what it had started and what outlived its kill. */
  killOrphans(): Promise<void>;
}

/** Starts a script of ours under this very Node. Its stderr is this process's, its stdout is dropped: stdout belongs to the result. */
export function startWorker(options: {
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}): Worker {
  const child = fork(options.script, [...options.args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { ...(options.env ?? process.env) },
  });
  return new ForkedWorker(child);
}

class ForkedWorker implements Worker {
  readonly #child: ChildProcess;
  readonly #messages = new Emitter<unknown>();
  readonly #ends = new Emitter<string>();
  readonly #gone: Promise<void>;
  #orphans: readonly RunningProcess[] = [];
  readonly onMessage = this.#messages.event;
  readonly onEnd = this.#ends.event;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => this.#messages.emit(message));
    this.#gone = new Promise((resolve) => {
      const end = (words: string) => {
        resolve();
        this.#ends.emit(words);
        this.#ends.dispose();
      };
      child.once('exit', (code, signal) => end(signal ? `killed by ${signal}` : `exit code ${code}`));
      child.once('error', (error) => end(error.message));
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  send(message: unknown): void {
    // A worker that just died is told by onEnd; a message that doesn't reach it is no second failure.
    if (this.#child.connected) this.#child.send(message as object, () => undefined);
  }

  async kill(): Promise<void> {
    this.#orphans = await this.#children(this.pid);
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  async killOrphans(): Promise<void> {
    for (const { pid, began } of this.#orphans) {
      if (beganAt(pid) !== began) continue;
      for (const child of await this.#children(pid)) signal(child.pid, 'SIGKILL');
      signal(pid, 'SIGKILL');
    }
  }

  ended(): Promise<void> {
    return this.#gone;
  }

  dispose(): void {
    this.#child.kill('SIGKILL');
  }

  #children(pid: number): Promise<readonly RunningProcess[]> {
    return descendants({ root: pid, marker: NOBODY, since: beganAt(pid) });
  }
}

/** A marker that no command carries: only parents and groups count here. */
const NOBODY = 'nobody';
