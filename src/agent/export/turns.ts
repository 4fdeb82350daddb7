import { pageOf } from '#agent/history/pages';
import type { SessionId } from '#protocol/ids';
import type { TurnPage } from '#protocol/page';
import type { Store } from '#store/store';

/** All turns of a session that count, oldest first, page by page: a long one is never folded in one piece. */
export function* turnsOf(store: Store, sessionId: SessionId): Generator<TurnPage['turns'][number]> {
  let page = pageOf(store, sessionId, { place: 'around', turn: 0 });
  for (;;) {
    yield* page.turns;
    const last = page.turns.at(-1);
    if (!last || page.after === 0) return;
    page = pageOf(store, sessionId, { place: 'after', turn: last.turn });
  }
}
