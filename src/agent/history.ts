import type { SessionId } from '#protocol/ids';
import type { PageWish, TurnHead, TurnPage } from '#protocol/page';
import type { Store } from '#store/store';
import { readOutline } from './history-outline';
import { pageOf } from './history-pages';

/** What was said in one session, by pages. */
export class SessionHistory {
  readonly #store: Store;
  readonly #id: SessionId;

  constructor(store: Store, id: SessionId) {
    this.#store = store;
    this.#id = id;
  }

  /** Some of its turns that count. */
  page(wish: PageWish): TurnPage {
    return pageOf(this.#store, this.#id, wish);
  }

  /** All of its turns that count, oldest first, as a list names them. */
  turns(): readonly TurnHead[] {
    const started = this.#store.outline.bodies(this.#id, ['turn.started']);
    const prompts = new Map(started.map(({ turnId, prompt }) => [turnId, prompt]));
    return readOutline(this.#store, this.#id).turns.map(({ turnId, turn, at }) => ({
      ...{ turnId, turn, at },
      prompt: prompts.get(turnId) ?? '',
    }));
  }
}
