import { expect, test } from 'vitest';
import { Outbox } from '#editor/panel/outbox';
import type { AgentEvent } from '#protocol/event';
import type { RequestId, SessionId, TurnId } from '#protocol/ids';

const delta = (text: string, kind: 'text' | 'reasoning' = 'text'): AgentEvent => ({
  type: 'live.text',
  sessionId: 's' as SessionId,
  turnId: 't' as TurnId,
  requestId: 'r' as RequestId,
  kind,
  delta: text,
});

test('neighbouring deltas of one reply leave as one event, in order with the others', () => {
  const posted: AgentEvent[][] = [];
  const outbox = new Outbox((_session, events) => posted.push([...events]));
  for (const event of [delta('a'), delta('b'), delta('think', 'reasoning'), delta('c')]) outbox.add(event);
  outbox.flush();
  expect(posted).toEqual([[delta('ab'), delta('think', 'reasoning'), delta('c')]]);
});

test('nothing is posted after it was cleared', () => {
  const posted: unknown[] = [];
  const outbox = new Outbox((_session, events) => posted.push(events));
  outbox.add(delta('a'));
  outbox.clear();
  outbox.flush();
  expect(posted).toEqual([]);
});
