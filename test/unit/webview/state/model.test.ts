import { expect, test } from 'vitest';
import type { PanelState } from '#protocol/panel-state';
import type { ToPanel } from '#protocol/wire';
import { ended, folded, log, requested, SESSION, started, streamed } from '#test/unit/protocol/session-log';
import { EMPTY_MODEL, type PanelModel, reduce } from '#webview/state/model';

const state = { sessionId: SESSION, folder: { kind: 'open', name: 'x' } } as unknown as PanelState;
const told = (messages: readonly ToPanel[], from: PanelModel = EMPTY_MODEL) =>
  messages.reduce((model, message) => reduce(model, message, 90_000), from);
const begun = log(started(1));
const snapshot: ToPanel = { type: 'snapshot', state, transcript: folded(begun) };
const [, , call] = log(started(1), ended(1), requested(1, 'c1'));

test('events go on from the snapshot', () => {
  const next = log(started(1), requested(1, 'c1')).slice(1);
  const model = told([
    snapshot,
    { type: 'events', sessionId: SESSION, events: [...next, streamed(1, 'r', 'Hi')] },
  ]);
  expect(model.transcript?.turns[0]?.items.map((item) => item.kind)).toEqual(['call', 'text']);
});

test('events of another session are not folded in', () => {
  const model = told([snapshot]);
  expect(told([{ type: 'events', sessionId: 'other', events: [streamed(1, 'r', 'Hi')] }], model)).toBe(model);
});

test('a hole in the numbers makes the model stale until a snapshot comes', () => {
  if (!call) throw new Error('an event');
  const stale = told([snapshot, { type: 'events', sessionId: SESSION, events: [call] }]);
  expect([stale.stale, stale.transcript?.sequence]).toEqual([true, 1]);
  expect(told([{ type: 'events', sessionId: SESSION, events: [streamed(1, 'r', 'Hi')] }], stale)).toBe(stale);
  expect(told([snapshot], stale).stale).toBe(false);
});

test('events that the snapshot holds already are no hole', () => {
  const model = told([snapshot, { type: 'events', sessionId: SESSION, events: begun }]);
  expect(model.stale).toBe(false);
});

test('the extension’s clock is known by its events, however far it is off', () => {
  const next = log(started(1), requested(1, 'c1')).slice(1);
  expect(told([snapshot, { type: 'events', sessionId: SESSION, events: next }]).clockSkew).toBe(88_000);
});

test('what was said about one session isn’t shown in another', () => {
  const notice = (sessionId: string | undefined, title: string): ToPanel => ({
    type: 'notice',
    sessionId,
    severity: 'info',
    title,
    detail: '',
  });
  const outcome: ToPanel = { type: 'restore-outcome', sessionId: SESSION, title: 'x', conflicts: [] };
  const model = told([
    snapshot,
    notice(SESSION, 'mine'),
    notice(undefined, 'everyone’s'),
    outcome,
    { ...snapshot, state: { ...state, sessionId: 's2' }, transcript: undefined },
  ]);
  expect([model.outcome, model.notices.map(({ title }) => title)]).toEqual([undefined, ['everyone’s']]);
});

test('only the newest notices stay', () => {
  const model = told(
    Array.from(
      { length: 6 },
      (_, index): ToPanel => ({
        type: 'notice',
        sessionId: undefined,
        severity: 'info',
        title: `n${index}`,
        detail: '',
      }),
    ),
  );
  expect(model.notices.map(({ title }) => title)).toEqual(['n3', 'n4', 'n5']);
});
