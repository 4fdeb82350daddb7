import { expect, test } from 'vitest';
import type { PanelState } from '#protocol/panel-state';
import type { ToPanel } from '#protocol/wire';
import { folded, log, requested, SESSION, started } from '#test/unit/protocol/session-log';
import { Store } from '#webview/state/store';

const state = { sessionId: SESSION } as unknown as PanelState;

function world() {
  const scheduled: (() => void)[] = [];
  const counts = { drawn: 0, resyncs: 0 };
  const store = new Store({
    schedule: (run) => scheduled.push(run),
    now: () => 0,
    resync: () => (counts.resyncs += 1),
  });
  store.subscribe(() => (counts.drawn += 1));
  return {
    store,
    counts,
    frame: () => {
      for (const run of scheduled.splice(0)) run();
    },
  };
}

test('a hundred messages in one frame are drawn once', () => {
  const { store, counts, frame } = world();
  for (let index = 0; index < 100; index += 1) store.receive({ type: 'insert-text', text: 'x' });
  expect(counts.drawn).toBe(0);
  frame();
  frame();
  expect(counts.drawn).toBe(1);
});

test('missed events ask for everything once, not with each message', () => {
  const { store, counts } = world();
  const [first, , third] = log(started(1), started(2), requested(1, 'c'));
  if (!first || !third) throw new Error('events');
  const late: ToPanel = { type: 'events', sessionId: SESSION, events: [third] };
  store.receive({ type: 'snapshot', state, transcript: folded([first]) });
  store.receive(late);
  store.receive(late);
  expect(counts.resyncs).toBe(1);
});
