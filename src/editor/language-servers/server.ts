import { Emitter } from '#base/emitter';
import { t } from '#base/l10n';
import { delay } from '#base/queue';
import type { Result } from '#base/result';
import type { Clock } from '#host';
import type { ServerEntry } from './entries';
import { Restarts } from './restarts';
import type { ServerLog } from './server-log';

/** Where a server stands. `why` is words for people. */
export type ServerState =
  | { readonly kind: 'idle' | 'starting' | 'stopped' }
  | { readonly kind: 'running'; readonly pid: number }
  | { readonly kind: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** A server that answers. */
export interface RunningServer {
  readonly pid: number;
  /** Why it ended, once it has: words for people. */
  readonly ended: Promise<string>;
  /** Ends its whole process tree. */
  stop(): Promise<void>;
}

/** Why none came up. `final`: another try would end the same way. */
export interface StartFailure {
  readonly why: string;
  readonly final: boolean;
}

/** What a server of the setting is run with. */
export interface ServerOptions {
  readonly entry: ServerEntry;
  /** Starts the process and waits until it answers. Aborted, it leaves nothing behind. */
  readonly start: (signal: AbortSignal) => Promise<Result<RunningServer, StartFailure>>;
  readonly log: ServerLog;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Waits between two starts; rejects when the signal aborts. */
  readonly pause?: typeof delay;
}

/** One server through its life: started when first needed, started again after a crash, given up when it only crashes. */
export class LanguageServer {
  readonly entry: ServerEntry;
  readonly #options: ServerOptions;
  readonly #restarts: Restarts;
  readonly #changed = new Emitter<ServerState>();
  #state: ServerState = { kind: 'idle' };
  #life: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(options: ServerOptions) {
    this.entry = options.entry;
    this.#options = options;
    this.#restarts = new Restarts(options.entry.maxRestarts);
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Starts it if it never was. */
  need(): void {
    if (this.#state.kind === 'idle') this.#begin();
  }

  /** Waits while it is on its way, so that a question finds it. Resolves when it runs, has failed, or the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    const isOnItsWay = () => this.#state.kind === 'starting' || this.#state.kind === 'waiting';
    if (!isOnItsWay() || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const listener = this.onDidChange(() => {
        if (!isOnItsWay()) done();
      });
      const done = () => {
        listener.dispose();
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** A person wants it anew: what it did before is forgotten. */
  async restart(): Promise<void> {
    await this.#end();
    this.#restarts.forget();
    if (this.#state.kind !== 'stopped') this.#begin();
  }

  /** For good. Resolves when no process of it is left. */
  async stop(): Promise<void> {
    this.#set({ kind: 'stopped' });
    await this.#end();
    this.#changed.dispose();
  }

  #begin(): void {
    const stop = new AbortController();
    const over = this.#live(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    this.#life = { stop, over };
  }

  async #end(): Promise<void> {
    const life = this.#life;
    life?.stop.abort();
    await life?.over;
  }

  /** Runs it again and again, until it is given up or the signal aborts. */
  async #live(signal: AbortSignal): Promise<void> {
    for (;;) {
      const failure = await this.#run(signal);
      if (signal.aborted) return;
      const wait = failure.final ? undefined : this.#restarts.afterCrash(this.#options.clock.monotonic());
      if (wait === undefined) return this.#giveUp(failure);
      const seconds = Math.ceil(wait / 1000);
      this.#options.log.state(`${failure.why}. It is started again in ${seconds} s.`);
      this.#set({ kind: 'waiting', seconds, why: failure.why });
      await (this.#options.pause ?? delay)(wait, signal);
    }
  }

  /** From one start to its end. */
  async #run(signal: AbortSignal): Promise<StartFailure> {
    this.#set({ kind: 'starting' });
    this.#options.log.state('starting');
    const begun = this.#options.clock.monotonic();
    const started = await this.#options.start(signal);
    if (!started.ok) return started.error;
    const server = started.value;
    const stop = () => void server.stop();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) {
      const took = Math.round(this.#options.clock.monotonic() - begun);
      this.#options.log.state(`running (pid ${server.pid}), after ${took} ms`);
      this.#set({ kind: 'running', pid: server.pid });
    }
    const why = await server.ended;
    signal.removeEventListener('abort', stop);
    await server.stop();
    return { why, final: false };
  }

  #giveUp({ why, final }: StartFailure): void {
    const words = final ? why : t('{0}. It crashed too often and is not started again.', why);
    this.#options.log.state(words);
    this.#set({ kind: 'failed', why: words });
  }

  #set(state: ServerState): void {
    if (this.#state.kind === 'stopped') return;
    this.#state = state;
    this.#changed.emit(state);
  }
}
