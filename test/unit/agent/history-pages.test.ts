import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastPage, pageOf } from '#agent/history/pages';
import { LiveTranscript } from '#agent/live-transcript';
import type { EventBody } from '#protocol/event';
import type { CheckpointId } from '#protocol/ids';
import type { TurnPage } from '#protocol/page';
import { emptyTranscript, type Transcript } from '#protocol/transcript';
import { foldEvents } from '#protocol/transcript-fold';
import type { Store } from '#store/store';
import {
  approval,
  callId,
  checkpoint,
  ended,
  requested,
  said,
  started,
  turnId,
} from '#test/unit/protocol/session-log';
import { addSession, databasePath, memoryStore, open, SESSION } from '#test/unit/store/lab';

const SMALL = { events: 12, turns: 3 };

test('pages from the end to the beginning are the fold of all events, whatever was rewound, undone and redone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const store = memoryStore();
      for (const body of new Story().tell(steps)) record(store, body);
      const whole = foldEvents(emptyTranscript(SESSION), store.events.list(SESSION));
      expect(byPages(store)).toEqual(comparable(whole));
      store.close();
    }),
    { numRuns: 300, seed: 11 },
  );
});

test('an open session that folds on is what a session opened now would show', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(40), (steps, opened) => {
      const store = memoryStore();
      const live = new LiveTranscript(store, SESSION);
      for (const [index, body] of new Story().tell(steps).entries()) {
        if (index === opened) live.get();
        live.fold(record(store, body));
      }
      expect(live.get()).toEqual({ ...lastPage(store, SESSION), covered: live.get().covered });
      store.close();
    }),
    { numRuns: 200, seed: 12 },
  );
});

test('the page around a turn holds it, and the pages beside it join without a gap', () => {
  const store = memoryStore();
  for (let turn = 1; turn <= 40; turn += 1)
    for (const body of [started(turn), said(turn, `r${turn}`, 'x'), ended(turn)]) record(store, body);
  const middle = pageOf(store, SESSION, { place: 'around', turn: 20 }, SMALL);
  const numbers = ({ turns }: TurnPage) => turns.map(({ turn }) => turn);
  const first = middle.turns[0]?.turn ?? 0;
  const last = middle.turns.at(-1)?.turn ?? 0;
  const before = pageOf(store, SESSION, { place: 'before', turn: first }, SMALL);
  const after = pageOf(store, SESSION, { place: 'after', turn: last }, SMALL);
  expect([numbers(before), numbers(middle), numbers(after), middle.before, middle.after]).toEqual([
    [16, 17, 18],
    [19, 20, 21, 22],
    [23, 24, 25],
    18,
    18,
  ]);
});

test('what a damaged disk left of an event costs that event alone', () => {
  const path = databasePath();
  const store = open(path);
  addSession(store, SESSION);
  for (const body of [started(1), said(1, 'r1', 'lost'), said(1, 'r2', 'kept'), ended(1)])
    record(store, body);
  const other = new DatabaseSync(path);
  other.exec("UPDATE events SET body = '{' WHERE sequence = 2");
  other.close();
  const { turns } = lastPage(store, SESSION);
  store.close();
  expect(turns.map(({ status, items }) => [status, items.map(({ key }) => key)])).toEqual([['done', ['r2']]]);
});

/** One thing that may happen next in a session. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['turn', 'turn', 'turn', 'say', 'call', 'ask', 'todos', 'end', 'end', 'seal'] as const),
    ...([
      'rewind',
      'rewind files',
      'unwind',
      'undo',
      'redo',
      'keep',
      'mode',
      'model',
      'title',
      'fork',
    ] as const),
  ),
  amount: fc.nat(3),
});

/** Makes a log that a session could have: numbers never come again, a turn begins when the last has ended. */
class Story {
  readonly #bodies: EventBody[] = [];
  readonly #rewinds: { readonly operation: string; readonly turns: readonly number[] }[] = [];
  #live: number[] = [];
  #turn = 0;
  #running = false;
  #count = 0;

  tell(steps: readonly { readonly what: string; readonly amount: number }[]): readonly EventBody[] {
    for (const { what, amount } of steps) this.#next(what, amount);
    return this.#bodies;
  }

  #next(what: string, amount: number): void {
    this.#count += 1;
    const key = `${this.#count}`;
    const inTurn = (...bodies: readonly EventBody[]) => {
      if (this.#running) this.#bodies.push(...bodies);
    };
    switch (what) {
      case 'turn':
        this.#begin();
        return;
      case 'say':
        inTurn({
          ...(said(this.#turn, `r${key}`, `text ${key}`) as EventBody & { type: 'model.completed' }),
          ...(amount > 0 ? { context: { used: this.#count, window: 1000 } } : {}),
        });
        return;
      case 'call':
        inTurn(requested(this.#turn, `c${key}`));
        return;
      case 'ask':
        inTurn(requested(this.#turn, `c${key}`), {
          type: 'approval.requested',
          turnId: turnId(this.#turn),
          request: approval(`a${key}`, `c${key}`),
        });
        return;
      case 'seal':
        inTurn({
          type: 'checkpoint.sealed',
          turnId: turnId(this.#turn),
          checkpoint: checkpoint(this.#turn),
        });
        return;
      case 'end':
        inTurn(ended(this.#turn));
        this.#running = false;
        return;
      case 'todos':
        this.#bodies.push({
          type: 'todos.changed',
          todos: [{ content: key, activeForm: key, status: 'pending' }],
        });
        return;
      case 'keep':
        this.#bodies.push({ type: 'files.kept' });
        return;
      case 'mode':
        this.#bodies.push({ type: 'mode.changed', mode: amount > 1 ? 'prompt' : 'allow' });
        return;
      case 'model':
        this.#bodies.push({ type: 'model.changed', modelId: key });
        return;
      case 'change': {
        const turn = this.#live.at(-1 - amount);
        if (turn === undefined) return;
        const left = { ...checkpoint(turn), files: [], at: this.#count };
        this.#bodies.push({ type: 'checkpoint.changed', turnId: turnId(turn), checkpoint: left });
        return;
      }
      case 'compact':
        inTurn({
          ...{ type: 'conversation.compacted', turnId: turnId(this.#turn), cause: 'window' },
          ...{ how: 'summary', before: 9, after: amount },
        });
        return;
      case 'fork':
        this.#bodies.push({ type: 'session.forked', from: SESSION, title: key });
        return;
      case 'title':
        this.#bodies.push({ type: 'session.titled', title: key });
        return;
      default:
        if (!this.#running) this.#back(what, amount, key);
    }
  }

  #begin(): void {
    if (this.#running) return;
    this.#turn += 1;
    this.#running = true;
    this.#live.push(this.#turn);
    this.#bodies.push(started(this.#turn), {
      type: 'message.queued',
      turnId: turnId(this.#turn),
      text: 'also',
    });
  }

  #back(what: string, amount: number, operation: string): void {
    const turns = this.#live.slice(-1 - amount);
    const ids = turns.map((turn) => `cp${turn}` as CheckpointId);
    switch (what) {
      case 'rewind':
        this.#live = this.#live.slice(0, -1 - amount);
        this.#rewinds.push({ operation, turns });
        this.#bodies.push({ type: 'session.rewound', toSequence: 0, operation, scope: 'session', turns });
        return;
      case 'rewind files':
        this.#bodies.push({ type: 'session.rewound', toSequence: 0, operation, scope: 'files', turns });
        return;
      case 'unwind': {
        const last = this.#rewinds.pop();
        if (!last) return;
        this.#live = [...this.#live, ...last.turns].sort((a, b) => a - b);
        this.#bodies.push({ type: 'session.unwound', operation: last.operation });
        return;
      }
      case 'undo':
      case 'redo':
        this.#bodies.push({
          type: what === 'undo' ? 'checkpoint.undone' : 'checkpoint.redone',
          operation,
          turns,
          checkpointIds: ids,
          files: ['a.ts'],
        });
    }
  }
}

function record(store: Store, body: EventBody) {
  const at = store.events.last(SESSION) * 1000;
  return store.events.append(SESSION, body, at);
}

/** The last page, and all before it one after the other, as one transcript. */
function byPages(store: Store) {
  const last = lastPage(store, SESSION, SMALL);
  let { turns, approvals, before } = last;
  while (before > 0) {
    const page = pageOf(store, SESSION, { place: 'before', turn: turns[0]?.turn ?? 0 }, SMALL);
    expect([page.before + page.turns.length, page.after]).toEqual([before, turns.length]);
    turns = [...page.turns, ...turns];
    approvals = [...page.approvals, ...approvals];
    before = page.before;
  }
  return comparable({ ...last, turns, approvals, before });
}

/** Questions are looked up by turn, and what is covered is read anew. */
function comparable({ covered: _covered, approvals, ...rest }: Transcript) {
  return { ...rest, approvals: Map.groupBy(approvals, (each) => each.turnId) };
}

test('nothing is shown of a session without events', () => {
  expect(lastPage(memoryStore(), SESSION)).toEqual(emptyTranscript(SESSION));
});

test('a call keeps its name in a page', () => {
  const store = memoryStore();
  for (const body of [started(1), requested(1, 'c1'), ended(1)]) record(store, body);
  const { turns } = lastPage(store, SESSION);
  expect(turns[0]?.items.map((item) => item.kind === 'call' && item.callId)).toEqual([callId('c1')]);
});
