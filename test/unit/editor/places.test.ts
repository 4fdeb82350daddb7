import { expect, test } from 'vitest';
import { Emitter } from '#base/emitter';
import type { Core } from '#editor/core';
import { type Place, Places } from '#editor/places';
import type { ToPanel } from '#protocol/wire';

/** A place that shows a session, and what it was told. */
function place(sessionId: string) {
  const told: ToPanel[] = [];
  const shown: string[] = [];
  const seen = {
    told,
    shown,
    isVisible: true,
    editing: undefined,
    core: { session: { id: sessionId }, show: async (id: string) => void shown.push(id) } as unknown as Core,
    post: (message: ToPanel) => told.push(message) > 0,
  };
  return seen satisfies Place;
}

function places() {
  const changed = new Emitter<void>();
  const window = { onDidChange: changed.event, onWillGo: new Emitter<string>().event } as unknown as Core;
  const panel = place('of the panel');
  const keyboard: boolean[] = [];
  const all = new Places(
    window,
    () => panel,
    (here) => keyboard.push(here),
  );
  const [one, two] = [place('one'), place('two')];
  const closeOne = all.add(one);
  all.add(two);
  let changes = 0;
  all.core.onDidChange(() => changes++);
  return { all, panel, one, two, closeOne, keyboard, changed, changes: () => changes };
}

const notice = (sessionId: string | undefined): ToPanel => ({
  ...{ type: 'notice', severity: 'info', title: 'Told', detail: '' },
  sessionId,
});

test('what names no session means the place that had the keyboard last, while it is in sight; else the panel', () => {
  const { all, panel, one, two } = places();
  const now = () => all.core.session?.id;
  const seen = [now()];
  all.focus(one, true);
  seen.push(now());
  // The keyboard goes to the palette: the tab is still what one looks at.
  all.focus(one, false);
  seen.push(now());
  one.isVisible = false;
  seen.push(now());
  all.focus(two, true);
  seen.push(now());
  all.focus(panel, true);
  seen.push(now());
  expect(seen).toEqual(['of the panel', 'one', 'one', 'of the panel', 'two', 'of the panel']);
});

test('a tab that closes is no place any more', async () => {
  const { all, panel, one, closeOne, keyboard } = places();
  all.focus(one, true);
  closeOne.dispose();
  all.post(notice('one'));
  await all.core.show('other');
  expect([all.core.session?.id, one.told, panel.told, panel.shown, keyboard]).toEqual([
    'of the panel',
    [],
    [notice('one')],
    ['other'],
    [true, false],
  ]);
});

test('one place hears that it got the keyboard before the other hears that it lost it: somebody has it', () => {
  const { all, one, two, keyboard } = places();
  all.focus(one, true);
  all.focus(two, true);
  all.focus(one, false);
  expect([keyboard, all.current]).toEqual([[true, true], two]);
});

test('what is about a session is told where that is seen, and what is about none where one looks', () => {
  const { all, panel, one, two } = places();
  all.focus(one, true);
  for (const id of ['two', 'of the panel', 'of nobody', undefined]) all.post(notice(id));
  two.isVisible = false;
  all.post(notice('two'));
  expect([panel.told, one.told, two.told]).toEqual([
    [notice('of the panel')],
    [notice('of nobody'), notice(undefined), notice('two')],
    [notice('two')],
  ]);
});

test('who shows what the current place shows hears of the core’s changes and of another place', () => {
  const { all, one, changed, changes } = places();
  changed.emit();
  all.focus(one, true);
  all.changed();
  expect(changes()).toBe(3);
});
