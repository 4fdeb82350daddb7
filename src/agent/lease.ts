import type { Disposable } from '#base/disposable';
import { Emitter } from '#base/emitter';
import type { Clock } from '#host';
import type { SessionId } from '#protocol/ids';
import type { LeaseHolder, LeaseOwner, Taking } from '#store/leases';
import type { Store } from '#store/store';

/** Milliseconds between two signs of life. */
const HEARTBEAT = 5000;
/** Milliseconds between two looks at a lease that another window holds. */
const LOOK = 1000;
/** So many looks in a row without a sign of life, and the other counts as gone. Looks, not time: after a machine has slept both wake. */
const SILENT_LOOKS = 15;

/** Whose lease, of which session. */
export interface LeaseOptions {
  readonly sessionId: SessionId;
  readonly store: Pick<Store, 'leases'>;
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
  readonly #silence = new Silence();
  #waiting: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get held(): boolean {
    return this.#timer !== undefined;
  }

  /** True when this host may write from now on. `force` takes it from another living window: the person asked for that. */
  acquire(taking: Taking = {}): boolean {
    if (this.held) return true;
    const { store, sessionId, owner, clock } = this.#options;
    if (!store.leases.acquire(sessionId, owner, clock.now(), taking).ok) {
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
    if (this.held) this.#options.store.leases.release(this.#options.sessionId, this.#options.owner);
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
    const { store, sessionId, owner } = this.#options;
    try {
      const holder = store.leases.holder(sessionId, owner.host);
      if (!holder) this.acquire();
      else if (this.#silence.isLong(holder)) this.acquire({ silentSince: holder.beat });
      this.#looked.emit();
    } catch {
      // A busy disk: the next look tries again.
    }
  }

  #beat(): void {
    const { store, sessionId, owner, clock } = this.#options;
    try {
      if (!store.leases.beat(sessionId, owner, clock.now())) this.lose();
    } catch {
      // A busy or full disk: the next beat tries again, and a turn that can't write says so itself.
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** How often the same last sign of life was seen. */
class Silence {
  #last: string | undefined;
  #looks = 0;

  isLong({ owner, beat }: LeaseHolder): boolean {
    const seen = `${owner.id} ${beat}`;
    this.#looks = seen === this.#last ? this.#looks + 1 : 0;
    this.#last = seen;
    return this.#looks >= SILENT_LOOKS;
  }
}
