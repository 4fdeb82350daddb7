import { expect, test } from 'vitest';
import { KeptOfTabs } from '#editor/panel/kept-of-tabs';

test('each session’s tab keeps its own; what belongs to no session any more is forgotten, and nothing else', async () => {
  const stored = new Map<string, unknown>([['belay.panel', 'of the panel']]);
  const kept = new KeptOfTabs({
    keys: () => [...stored.keys()],
    get: <T>(key: string, fallback?: T) => (stored.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => {
      if (value === undefined) stored.delete(key);
      else stored.set(key, value);
    },
  });
  await kept.set('one', 'draft one');
  await kept.set('two', 'draft two');
  await kept.set(undefined, 'of no session');
  await kept.prune((id) => id === 'two');
  expect([kept.get('one'), kept.get('two'), kept.get(undefined), [...stored.keys()]]).toEqual([
    '',
    'draft two',
    '',
    ['belay.panel', 'belay.tab.two'],
  ]);
});
