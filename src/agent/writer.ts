import type { Disposable } from '#base/disposable';
import type { Core } from './core';
import { Lease } from './lease';
import type { LiveTranscript } from './live-transcript';
import { endLeftOpen, NOTHING_LEFT, type Recovered, recoverSession } from './recovery';
import type { SessionState } from './session-state';
import { undelivered } from './undelivered';

/** The session that is written to, and what it does when another window takes it. */
export interface WriterWorld {
  readonly core: Core;
  readonly session: SessionState;
  readonly shown: LiveTranscript;
  onLost(): void;
}

/** Whether this window writes to a session: only the holder of its lease does, all others read along. */
export class Writer implements Disposable {
  readonly #world: WriterWorld;
  readonly #lease: Lease;
  #recovered: Promise<Recovered> = Promise.resolve(NOTHING_LEFT);

  constructor(world: WriterWorld) {
    const { core, session } = world;
    const { store, owner, host } = core;
    this.#world = world;
    this.#lease = new Lease({ sessionId: session.id, store, owner, clock: host.clock });
    this.#lease.onLost(() => world.onLost());
    this.#lease.onLooked(() => (this.isElsewhere ? this.#readAlong() : this.#begin()));
  }

  /** Takes the lease where it is free. */
  open(): void {
    if (this.#lease.acquire()) this.#recovered = this.#recover();
    this.#fillQueue();
  }

  /** Another window holds the lease: read only here. */
  get isElsewhere(): boolean {
    return !this.#lease.held;
  }

  /** What a crash, or a store that failed, had left open has been brought to an end. */
  get recovered(): Promise<Recovered> {
    const { core, session } = this.#world;
    if (session.leftOpen && !this.isElsewhere) this.#recovered = endLeftOpen(core, session);
    return this.#recovered;
  }

  /** Makes this window the writer; the other one stops at its next word. */
  takeOver(): void {
    if (this.isElsewhere && this.#lease.acquire({ force: true })) this.#begin();
  }

  /** A word was refused: another window has the lease. */
  lose(): void {
    this.#lease.lose();
  }

  dispose(): void {
    this.#lease.dispose();
  }

  #recover(): Promise<Recovered> {
    const { core, session, shown } = this.#world;
    return recoverSession(core, session, () => shown.get());
  }

  /** This window writes from now on; another one did before. */
  #begin(): void {
    const { core, session } = this.#world;
    const stored = core.store.sessions.get(session.id);
    if (stored) Object.assign(session, { title: stored.title, modelId: stored.modelId, mode: stored.mode });
    session.conversation.reset();
    this.#fillQueue();
    this.#recovered = this.#recoverLate();
    core.changed();
  }

  /** The start told nothing of it: then the other window, reloading perhaps, still held the session. */
  async #recoverLate(): Promise<Recovered> {
    const { core, session } = this.#world;
    const found = await this.#recover();
    if (found.turns > 0 || found.notes.length > 0)
      core.tellRecovered({ id: session.id, title: session.title, notes: found.notes });
    return found;
  }

  #fillQueue(): void {
    const { core, session } = this.#world;
    session.queue.splice(0, session.queue.length, ...undelivered(core.store, session.id));
  }

  /** What another window records shows here too. */
  #readAlong(): void {
    const { core, session, shown } = this.#world;
    const news = shown.news();
    if (news.length === 0) return;
    session.log.announce(news);
    core.changed();
  }
}
