import type { Disposable } from '#base/disposable';
import { Emitter } from '#base/emitter';
import type { Clock } from '#host';
import type { SessionId } from '#protocol/ids';
import type { LeaseOwner } from '#store/sessions';
import type { Store } from '#store/store';

/** Milliseconds between two signs of life; a lease counts as left after 15 s without one. */
const HEARTBEAT = 5000;
/** Milliseconds between two looks at a lease that another window holds. */
const LOOK = 1000;

/** Whose lease, of which session. */
export interface LeaseOptions {
  readonly sessionId: SessionId;
  readonly store: Store;
  readonly owner: LeaseOwner;
  readonly clock: Clock;
}

/** The right to write to one session, held by one host at a time. */
export class Lease implements Disposable {
  readonly #options: LeaseOptions;
  readonly #lost = new Emitter<void>();
  readonly onLost = this.#lost.event;
  readonly #looked = new Emitter<void>();
  /** Another window still has it; or it became free and is held here from now on. */
  readonly onLooked = this.#looked.event;
  #waiting: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get held(): boolean {
    return this.#timer !== undefined;
  }

  /** True when this host may write from now on. `force` takes it from another living window: the person asked for that. */
  acquire(force = false): boolean {
    if (this.held) return true;
    const { store, sessionId, owner, clock } = this.#options;
    if (!store.sessions.acquire(sessionId, owner, clock.now(), { force }).ok) {
      this.#wait();
      return false;
    }
    clearInterval(this.#waiting);
    this.#waiting = undefined;
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT);
    this.#timer.unref();
    return true;
  }

  /** Someone else has it; found out by a write that was refused. */
  lose(): void {
    if (!this.held) return;
    this.#stop();
    this.#wait();
    this.#lost.emit();
  }

  dispose(): void {
    if (this.held) this.#options.store.sessions.release(this.#options.sessionId, this.#options.owner);
    this.#stop();
    clearInterval(this.#waiting);
    this.#lost.dispose();
    this.#looked.dispose();
  }

  /** A window that reloads holds its sessions for some seconds more; one that closes leaves them. */
  #wait(): void {
    this.#waiting ??= setInterval(() => this.#look(), LOOK);
    this.#waiting.unref();
  }

  #look(): void {
    const { store, sessionId, owner, clock } = this.#options;
    try {
      if (!store.sessions.holder(sessionId, clock.now(), owner.host)) this.acquire();
      this.#looked.emit();
    } catch {
      // A busy disk: the next look tries again.
    }
  }

  #beat(): void {
    const { store, sessionId, owner, clock } = this.#options;
    try {
      if (!store.sessions.heartbeat(sessionId, owner, clock.now())) this.lose();
    } catch {
      // A busy or full disk: the next beat tries again, and a turn that can't write says so itself.
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
