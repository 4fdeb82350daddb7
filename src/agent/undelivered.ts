import { readOutline } from '#agent/history/outline';
import type { SessionId } from '#protocol/ids';
import type { Store } from '#store/store';

/** What was typed while a turn ran that then was stopped or died, oldest first: it goes along with the next one. */
export function undelivered(store: Store, sessionId: SessionId): readonly string[] {
  const { queued, turns } = readOutline(store, sessionId);
  if (!queued) return [];
  const live = new Set(turns.map(({ turnId }) => turnId));
  const waiting: string[] = [];
  for (const event of store.outline.bodies(sessionId, ['message.queued', 'message.delivered'])) {
    if (event.type === 'message.queued' && live.has(event.turnId)) waiting.push(event.text);
    if (event.type === 'message.delivered' && waiting.includes(event.text))
      waiting.splice(waiting.indexOf(event.text), 1);
  }
  return waiting;
}
