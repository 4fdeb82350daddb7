import type { ToPanel } from '#protocol/wire';
import { EMPTY_MODEL, type PanelModel, reduce, withoutNotice, withoutOutcome } from './model';

/** What the store needs of the page. */
export interface StoreWorld {
  /** Runs once before the next frame is drawn (or soon, when none is). */
  readonly schedule: (run: () => void) => void;
  readonly now: () => number;
  /** Events were missed: ask the extension for everything. */
  readonly resync: () => void;
}

/** Holds the model; tells its listeners at most once per frame, however many messages came. */
export class Store {
  readonly #world: StoreWorld;
  readonly #listeners = new Set<() => void>();
  #model: PanelModel = EMPTY_MODEL;
  #scheduled = false;

  constructor(world: StoreWorld) {
    this.#world = world;
  }

  get model(): PanelModel {
    return this.#model;
  }

  receive(message: ToPanel): void {
    const wasStale = this.#model.stale;
    this.#set(reduce(this.#model, message, this.#world.now()));
    if (this.#model.stale && !wasStale) this.#world.resync();
  }

  dismissNotice(key: number): void {
    this.#set(withoutNotice(this.#model, key));
  }

  dismissOutcome(): void {
    this.#set(withoutOutcome(this.#model));
  }

  /** The reader goes back to the session's end. */
  leavePage(): void {
    this.#set({ ...this.#model, page: undefined });
  }

  /** The list of sessions goes, and the conversation is there again. */
  hideSessions(): void {
    this.#set({ ...this.#model, sessionsWishes: 0, sessionsFound: undefined });
  }

  /** Answers how to stop listening. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(model: PanelModel): void {
    if (model === this.#model) return;
    this.#model = model;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#world.schedule(() => {
      this.#scheduled = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}
