import { expect, test } from 'vitest';
import type { CheckpointId } from '#protocol/ids';
import { emptyTranscript } from '#protocol/transcript';
import { foldEvents } from '#protocol/transcript-fold';
import type { CallItem } from '#protocol/turn';
import {
  approval,
  callId,
  checkpoint,
  EVERY_EVENT,
  ended,
  folded,
  log,
  requested,
  requestId,
  SESSION,
  said,
  started,
  streamed,
  turnId,
} from './session-log';

const call = (transcript: ReturnType<typeof folded>, id: string): CallItem | undefined =>
  transcript.turns
    .flatMap((turn) => turn.items)
    .find((item): item is CallItem => item.kind === 'call' && item.callId === id);

test('one event of every type folds, and the sequence is that of the last', () => {
  const events = log(...Object.values(EVERY_EVENT));
  expect(folded(events).sequence).toBe(events.length);
});

test('folding in parts equals folding at once', () => {
  const events = log(...Object.values(EVERY_EVENT));
  const parts = events.reduce(
    (transcript, event) => foldEvents(transcript, [event]),
    emptyTranscript(SESSION),
  );
  expect(parts).toEqual(folded(events));
});

test('an event that was folded already changes nothing, even as an object', () => {
  const events = log(started(1), said(1, 'r1', 'Hello'));
  const once = folded(events);
  expect(foldEvents(once, events)).toBe(once);
});

test('streamed text grows one item, and the recorded text replaces it', () => {
  const [start, done] = log(started(1), said(1, 'r1', 'Hello, world'));
  if (!start || !done) throw new Error('two events');
  const streaming = folded([start, streamed(1, 'r1', 'Hel'), streamed(1, 'r1', 'lo')]);
  expect(streaming.turns[0]?.items).toEqual([
    { kind: 'text', key: 'r1', text: 'Hello', reasoning: '', streaming: true },
  ]);
  const complete = foldEvents(streaming, [done, streamed(1, 'r1', ' late')]);
  expect(complete.turns[0]?.items).toEqual([
    { kind: 'text', key: 'r1', text: 'Hello, world', reasoning: '', streaming: false },
  ]);
});

test('a reply without text leaves no item', () => {
  expect(folded(log(started(1), said(1, 'r1', ''))).turns[0]?.items).toEqual([]);
});

test('a call goes from the gates over a question to running to done', () => {
  const events = log(
    started(1),
    requested(1, 'c1'),
    { type: 'tool.gated', turnId: turnId(1), callId: callId('c1'), summary: 'npm test', trace: [] },
    { type: 'approval.requested', turnId: turnId(1), request: approval('a1', 'c1') },
    {
      type: 'approval.answered',
      turnId: turnId(1),
      approvalId: 'a1',
      callId: callId('c1'),
      answer: { answer: 'allow-once' },
      by: 'panel',
    },
    {
      type: 'tool.started',
      turnId: turnId(1),
      callId: callId('c1'),
      name: 'run_command',
      risk: 'execute',
      sideEffect: true,
      schemaSha256: 's',
    },
    {
      type: 'tool.completed',
      turnId: turnId(1),
      callId: callId('c1'),
      name: 'run_command',
      status: 'success',
      contentBytes: 1,
      contentSha256: 's',
      trace: [{ stage: 'permission', verdict: 'pass', why: 'you', ms: 1 }],
      ms: 30,
    },
  );
  const states = events.map((_, index) => call(folded(events.slice(0, index + 1)), 'c1')?.state);
  expect(states).toEqual([undefined, 'gating', 'gating', 'waiting', 'gating', 'running', 'success']);
  expect(call(folded(events), 'c1')).toMatchObject({
    summary: 'npm test',
    startedAt: 6000,
    ms: 30,
    lastLine: '',
  });
});

test('the first answer counts, later ones change nothing', () => {
  const answer = (by: 'panel' | 'notification', word: 'allow-once' | 'deny-once') =>
    ({
      type: 'approval.answered',
      turnId: turnId(1),
      approvalId: 'a1',
      callId: callId('c1'),
      answer: { answer: word },
      by,
    }) as const;
  const transcript = folded(
    log(
      started(1),
      requested(1, 'c1'),
      { type: 'approval.requested', turnId: turnId(1), request: approval('a1', 'c1') },
      answer('notification', 'allow-once'),
      answer('panel', 'deny-once'),
    ),
  );
  expect(transcript.approvals).toEqual([
    { turnId: 't1', request: approval('a1', 'c1'), answer: { answer: 'allow-once' }, by: 'notification' },
  ]);
});

test('an approval that nobody answered is gone with its turn', () => {
  const transcript = folded(
    log(
      started(1),
      requested(1, 'c1'),
      { type: 'approval.requested', turnId: turnId(1), request: approval('a1', 'c1') },
      ended(1),
    ),
  );
  expect(transcript.approvals).toEqual([]);
});

test('a queued message moves to where it was delivered', () => {
  const transcript = folded(
    log(started(1), { type: 'message.queued', turnId: turnId(1), text: 'also this' }, requested(1, 'c1'), {
      type: 'message.delivered',
      turnId: turnId(1),
      text: 'also this',
    }),
  );
  expect(
    transcript.turns[0]?.items.map((item) =>
      item.kind === 'message' ? `${item.text}: ${item.queued}` : item.kind,
    ),
  ).toEqual(['call', 'also this: false']);
});

test('a retry shows until the request goes on, and takes the half reply away', () => {
  const [start, retry] = log(started(1), {
    type: 'model.retrying',
    turnId: turnId(1),
    requestId: requestId('r1'),
    attempt: 2,
    attempts: 5,
    delayMs: 8000,
    reason: '529',
  });
  if (!start || !retry) throw new Error('two events');
  const waiting = folded([start, streamed(1, 'r1', 'half a'), retry]);
  expect(waiting.turns[0]?.items).toEqual([
    { kind: 'retry', key: 'retry-2', attempt: 2, attempts: 5, until: 10_000, reason: '529' },
  ]);
  expect(foldEvents(waiting, [streamed(1, 'r1', 'whole')]).turns[0]?.items).toEqual([
    { kind: 'text', key: 'r1', text: 'whole', reasoning: '', streaming: true },
  ]);
});

test('a rewind hides turns and restores the todos of then; its reverse brings all back', () => {
  const first = { content: 'A', activeForm: 'A', status: 'pending' } as const;
  const second = { content: 'B', activeForm: 'B', status: 'pending' } as const;
  const before = log(
    started(1),
    { type: 'todos.changed', todos: [first] },
    ended(1),
    started(2),
    { type: 'todos.changed', todos: [second] },
    ended(2),
  );
  const rewound = log(...before, {
    type: 'session.rewound',
    toSequence: 3,
    operation: 'o',
    scope: 'session',
    turns: [2],
  });
  const there = folded(before);
  const hidden = folded(rewound);
  expect([hidden.turns.map((turn) => turn.turn), hidden.todos]).toEqual([[1], [first]]);
  const back = folded(log(...rewound, { type: 'session.unwound', operation: 'o' }));
  expect({ ...back, sequence: 0 }).toEqual({ ...there, sequence: 0 });
});

test('restoring files alone leaves the conversation', () => {
  const transcript = folded(
    log(started(1), { type: 'session.rewound', toSequence: 0, operation: 'o', scope: 'files', turns: [1] }),
  );
  expect(transcript.turns).toHaveLength(1);
});

test('an undone checkpoint says so, and a redone one no longer', () => {
  const undone = { operation: 'o', turns: [1], checkpointIds: ['cp1' as CheckpointId], files: ['a.ts'] };
  const events = log(
    started(1),
    { type: 'checkpoint.sealed', turnId: turnId(1), checkpoint: checkpoint(1) },
    { type: 'checkpoint.undone', ...undone },
    { type: 'checkpoint.redone', ...undone },
  );
  const states = [2, 3, 4].map((count) => folded(events.slice(0, count)).turns[0]?.checkpoint?.state);
  expect(states).toEqual(['sealed', 'undone', 'sealed']);
});

test('keeping covers the turns that ended, not the one that runs', () => {
  const transcript = folded(log(started(1), ended(1), started(2), { type: 'files.kept' }));
  expect(transcript.reviewSince).toBe(1);
});

test('usage is the sum of what providers said', () => {
  expect(folded(log(started(1), said(1, 'r1', 'a'), said(1, 'r2', 'b'))).usage).toEqual({
    inputTokens: 20,
    outputTokens: 2,
  });
});

test('live output of a turn that ended is dropped', () => {
  const transcript = folded(log(started(1), requested(1, 'c1'), ended(1)));
  expect(
    foldEvents(transcript, [
      { type: 'live.output', sessionId: SESSION, turnId: turnId(1), callId: callId('c1'), lastLine: 'x' },
    ]),
  ).toBe(transcript);
});
