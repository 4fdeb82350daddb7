import { startWorker, type Worker } from '#commands/worker';
import type { Scenario, Step } from '#protocol/scenario';
import { putFiles } from './scenario-files';
import type { AskedReport, FromWorker, RequestReport, ToWorker } from './scenario-wire';

/** Which core, and what it works on. */
export interface CoreProcessOptions {
  /** The entry script of this program. */
  readonly script: string;
  readonly folder: string;
  readonly storage: string;
  readonly scenario: Scenario;
}

type Kind = FromWorker['type'];
type Of<K extends Kind> = Extract<FromWorker, { type: K }>;

/**
 * The process that runs the core, seen from outside: started, asked, killed and started again. What it tells on its way (requests,
 * questions) is kept here, where no kill reaches it.
 */
export class CoreProcess {
  readonly pids: number[] = [];
  readonly requests: RequestReport[] = [];
  readonly asked: AskedReport[] = [];
  readonly #options: CoreProcessOptions;
  readonly #killed: Worker[] = [];
  #worker: Worker | undefined;
  #sessionId: string | undefined;
  /** In the order they were begun. */
  readonly #sessions: string[] = [];
  #waiting:
    | { readonly kinds: readonly Kind[]; settle(message: FromWorker): void; fail(error: Error): void }
    | undefined;

  constructor(options: CoreProcessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { script, folder, storage, scenario } = this.#options;
    const worker = startWorker({ script, args: ['scenario-worker'] });
    this.#worker = worker;
    this.pids.push(worker.pid);
    worker.onMessage((message) => this.#receive(worker, message as FromWorker));
    worker.onEnd((words) => {
      if (this.#worker !== worker) return;
      this.#waiting?.fail(new Error(`the core's process ended by itself: ${words}`));
    });
    const { sessionId } = await this.request(
      {
        type: 'start',
        folder,
        storage,
        settings: scenario.settings,
        trusted: scenario.project.trusted,
        policy: JSON.stringify(scenario.policy, null, 2),
        accept: scenario.project.accepted && this.#sessionId === undefined,
        sessionId: this.#sessionId,
        setMode: this.#sessionId === undefined,
      },
      'ready',
    );
    this.#inSession(sessionId);
  }

  /** Steps run in a fork from now on; says why not where it can't be made. */
  async fork(step: Extract<Step, { fork: unknown }>): Promise<string | undefined> {
    const { sessionId, why } = await this.request({ type: 'act', step }, 'acted');
    if (sessionId !== undefined) this.#inSession(sessionId);
    return why;
  }

  /** Steps run in a session that was left from now on: 1 is the first. */
  async goTo(number: number): Promise<string | undefined> {
    const sessionId = this.#sessions[number - 1];
    if (sessionId === undefined) return `there is no session ${number}`;
    await this.request({ type: 'go-to', sessionId }, 'acted');
    this.#inSession(sessionId);
    return undefined;
  }

  #inSession(sessionId: string): void {
    this.#sessionId = sessionId;
    if (!this.#sessions.includes(sessionId)) this.#sessions.push(sessionId);
  }

  /** Sends a message and waits for an answer of one of these kinds. */
  request<K extends Kind>(message: ToWorker, ...kinds: readonly K[]): Promise<Of<K>> {
    return new Promise((resolve, reject) => {
      this.#waiting = { kinds, settle: (answer) => resolve(answer as Of<K>), fail: reject };
      this.#worker?.send(message);
    });
  }

  /** SIGKILL, then a new process that finds what the old one left. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async kill(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) this.#killed.push(worker);
    await worker?.kill();
  }

  /** When all is over: commands that outlived a killed core. */
  async killOrphans(): Promise<void> {
    for (const worker of this.#killed) await worker.killOrphans();
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.ended();
  }

  #receive(worker: Worker, message: FromWorker): void {
    if (worker !== this.#worker) return;
    switch (message.type) {
      case 'request':
        this.requests.push(message.request);
        return;
      case 'asked':
        this.asked.push(message.asked);
        return;
      case 'write':
        putFiles(this.#options.folder, message.files).then(
          () => worker.send({ type: 'resume' } satisfies ToWorker),
          (error: unknown) => this.#waiting?.fail(error instanceof Error ? error : new Error(String(error))),
        );
        return;
      case 'failed':
        this.#waiting?.fail(new Error(message.message));
        return;
      default:
        if (this.#waiting?.kinds.includes(message.type)) this.#waiting.settle(message);
    }
  }
}
