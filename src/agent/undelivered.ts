import type { SessionEvent } from '#protocol/event';
import type { TranscriptTurn } from '#protocol/turn';

/**
 * What was typed while a turn ran that then was stopped or died, oldest first: it goes along with the next one. `events` is asked only
 * when the turns show something that waits.
 */
export function undelivered(
  turns: readonly TranscriptTurn[],
  events: () => readonly SessionEvent[],
): readonly string[] {
  const mayWait = turns.some(({ items }) => items.some((item) => item.kind === 'message' && item.queued));
  if (!mayWait) return [];
  const live = new Set(turns.map(({ turnId }) => turnId));
  const waiting: string[] = [];
  for (const event of events()) {
    if (event.type === 'message.queued' && live.has(event.turnId)) waiting.push(event.text);
    if (event.type === 'message.delivered' && waiting.includes(event.text))
      waiting.splice(waiting.indexOf(event.text), 1);
  }
  return waiting;
}
