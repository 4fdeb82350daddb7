import { z } from 'zod';
import type { SessionEvent } from '#protocol/event';
import type { StoredSession } from '#store/sessions';

/** The first line of a session's events in a file. */
export const exportHead = z.object({
  belay: z.literal('session'),
  version: z.literal(1),
  title: z.string().max(10_000),
  modelId: z.string().max(1000),
  createdAt: z.number(),
});

/** A session for machines: a head, then one event in each line, in order. */
export function* linesOf(session: StoredSession, events: Iterable<SessionEvent>): Generator<string> {
  const { title, modelId, createdAt } = session;
  yield `${JSON.stringify({ belay: 'session', version: 1, title, modelId, createdAt })}\n`;
  for (const { sessionId: _own, ...event } of events) yield `${JSON.stringify(event)}\n`;
}
