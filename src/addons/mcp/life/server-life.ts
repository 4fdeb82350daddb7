import type { Connection, ConnectProblem } from '#addons/mcp/connection/connection';
import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { McpState } from '#protocol/mcp';
import { Changes } from './changes';
import { type Inventory, type Listed, listAnew, NOTHING } from './inventory';

/** The states that a life itself goes through. */
export type LifeState = Extract<
  McpState,
  'stopped' | 'starting' | 'ready' | 'sign-in' | 'waiting' | 'failed'
>;

/** What a life needs of its surroundings. */
export interface LifePorts {
  /** One attempt, from its variables to its greeting. `changed`: a list of the server did. */
  open(signal: AbortSignal, changed: (what: Listed) => void): Promise<Result<Connection, ConnectProblem>>;
  /** Waits; in tests as long as they like. Rejects when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds, never going back. */
  monotonic(): number;
  log(line: string): void;
  /** Its state or what it offers is another. */
  changed(): void;
}

/** Pauses before it is started again, in milliseconds; after the last it is given up. */
const PAUSES = [1000, 2000, 4000, 8000, 16_000] as const;
/** One that ran this long isn't in a loop of crashes. */
const SETTLED_MS = 60_000;
/** Lists that change without an end are asked for in growing distances, in milliseconds. */
const LIST_PAUSE_MS = 300;
const LONGEST_LIST_PAUSE_MS = 30_000;
/** A call waits this long for a server that is just being started. */
const CALL_WAITS_MS = 30_000;

/** One server from its first start to its last: starts it, hears of its end, starts it again within bounds. */
export class ServerLife implements Disposable {
  readonly #ports: LifePorts;
  #state: LifeState = 'stopped';
  #detail = '';
  #inventory = NOTHING;
  #connection: Connection | undefined;
  #run: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;
  readonly #waiters = new Set<() => void>();

  constructor(ports: LifePorts) {
    this.#ports = ports;
  }

  get state(): LifeState {
    return this.#state;
  }

  /** What is the matter; empty when nothing is. */
  get detail(): string {
    return this.#detail;
  }

  /** What it offers, or offered last before it ended. */
  get inventory(): Inventory {
    return this.#inventory;
  }

  /** Whether it has ever said what it offers. */
  get hasListed(): boolean {
    return this.#inventory !== NOTHING;
  }

  /** What a person should know beside its state. */
  say(words: string): void {
    this.#become(this.#state, words);
  }

  /** Does nothing while it runs, waits to be started again, or was given up. One that is being stopped starts when it has ended. */
  start(): void {
    const before = this.#run;
    if (before && !before.stop.signal.aborted) return;
    const stop = new AbortController();
    const over = before ? before.over.then(() => this.#live(stop.signal)) : this.#live(stop.signal);
    this.#run = { stop, over };
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  /** Fulfilled when nothing of it runs any more. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    run.stop.abort();
    await run.over;
    if (this.#run !== run) return;
    this.#run = undefined;
    this.#become('stopped');
  }

  dispose(): void {
    void this.stop();
  }

  /** The connection as soon as there is one; the error says what became of the server. */
  async ready(signal: AbortSignal): Promise<Result<Connection, string>> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(CALL_WAITS_MS)]);
    while (this.#isComing() && !patience.aborted) await this.#nextChange(patience);
    signal.throwIfAborted();
    if (this.#connection && this.#state === 'ready') return ok(this.#connection);
    return fail(this.#isComing() ? stillStarting(this.#detail) : notRunning(this.#detail));
  }

  #isComing(): boolean {
    if (this.#state === 'starting' || this.#state === 'waiting') return true;
    // Whoever heard first that a connection is over may ask before its end was looked after.
    return this.#state === 'ready' && this.#connection?.isOver !== false;
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  async #live(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      this.#become('starting', this.#state === 'waiting' ? this.#detail : '');
      const began = this.#ports.monotonic();
      const problem = await this.#once(signal).catch(bug);
      if (signal.aborted) return;
      this.#ports.log(`Belay: ${problem.words}`);
      if (problem.kind === 'sign-in') return this.#become('sign-in', problem.words);
      if (problem.kind === 'hopeless') return this.#become('failed', problem.words);
      failures = this.#ports.monotonic() - began >= SETTLED_MS ? 1 : failures + 1;
      const pause = PAUSES[failures - 1];
      if (pause === undefined) return this.#giveUp(problem.words, failures);
      this.#become('waiting', t('{0} It is started again in {1} s.', problem.words, pause / 1000));
      await this.#ports.pause(pause, signal).catch(() => undefined);
    }
  }

  #giveUp(words: string, failures: number): void {
    this.#become('failed', t('{0} It failed {1} times in a row: mend it, then restart it.', words, failures));
  }

  /** From one start to the end that follows it. */
  async #once(signal: AbortSignal): Promise<ConnectProblem> {
    const changes = new Changes();
    const opened = await this.#ports.open(signal, (what) => changes.add(what));
    if (!opened.ok) return opened.error;
    const connection = opened.value;
    const over = new AbortController();
    try {
      const wanted = new Set<Listed>(['tools', 'prompts', 'resources']);
      const { log } = this.#ports;
      const listed = await listAnew(connection, { known: NOTHING, wanted, signal, log });
      // That it wants a sign-in, or ended, says more.
      if (!listed.ok && connection.isOver) return await connection.closed;
      if (!listed.ok) return { kind: 'failed', words: t('Its tools can’t be listed: {0}.', listed.error) };
      this.#inventory = listed.value;
      this.#connection = connection;
      this.#become('ready');
      void this.#follow(connection, changes, AbortSignal.any([signal, over.signal]));
      return await Promise.race([connection.closed, whenStopped(signal)]);
    } finally {
      over.abort();
      this.#connection = undefined;
      await connection.close();
    }
  }

  /** Asks for lists that changed, a while after they did: a flood of changes costs no more than a few. */
  async #follow(connection: Connection, changes: Changes, signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    for (let pause = LIST_PAUSE_MS; ; ) {
      await changes.next(signal);
      await this.#ports.pause(pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      const listing = { known: this.#inventory, wanted: changes.take(), signal, log };
      const listed = await listAnew(connection, listing).catch((error: unknown) => fail(messageOf(error)));
      if (signal.aborted) return;
      pause = changes.isEmpty ? LIST_PAUSE_MS : Math.min(pause * 2, LONGEST_LIST_PAUSE_MS);
      if (listed.ok) this.#offer(listed.value);
      else log(`Belay: ${listed.error}`);
    }
  }

  #offer(inventory: Inventory): void {
    if (JSON.stringify(inventory) === JSON.stringify(this.#inventory)) return;
    this.#inventory = inventory;
    this.#ports.changed();
  }

  #become(state: LifeState, detail = ''): void {
    if (state === this.#state && detail === this.#detail) return;
    this.#state = state;
    this.#detail = detail;
    for (const done of [...this.#waiters]) done();
    this.#ports.changed();
  }
}

function stillStarting(detail: string): string {
  return detail === '' ? t('It is still starting.') : t('It is still starting. {0}', detail);
}

function notRunning(detail: string): string {
  return detail === '' ? t('It is not running.') : t('It is not running. {0}', detail);
}

function bug(error: unknown): ConnectProblem {
  return { kind: 'failed', words: messageOf(error) };
}

function whenStopped(signal: AbortSignal): Promise<ConnectProblem> {
  return new Promise((resolve) => {
    const stopped = () => resolve({ kind: 'failed', words: t('It was stopped.') });
    if (signal.aborted) stopped();
    else signal.addEventListener('abort', stopped, { once: true });
  });
}
