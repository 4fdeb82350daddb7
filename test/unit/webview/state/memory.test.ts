import { expect, test } from 'vitest';
import { EMPTY_DRAFT, Memory } from '#webview/state/memory';

const draft = (text: string) => ({
  text,
  start: 1,
  end: 2,
  mentions: [{ kind: 'file' as const, path: 'a.ts' }],
});

/** A memory and what it saved last. */
function memory(saved?: unknown) {
  const box: { last: unknown } = { last: undefined };
  return { box, memory: new Memory(saved, (state) => (box.last = structuredClone(state))) };
}

test('drafts, places and unfolded rows come back from what was saved', () => {
  const first = memory();
  first.memory.enter('s1');
  first.memory.setDraft('s1', draft('half'));
  first.memory.setPlace('s1', { turn: 4, offset: -20 });
  first.memory.setUnfolded('row', true);
  const second = memory(first.box.last).memory;
  expect([second.session, second.draft('s1'), second.place('s1'), second.isUnfolded('row')]).toEqual([
    's1',
    draft('half'),
    { turn: 4, offset: -20 },
    true,
  ]);
});

test.each([
  undefined,
  null,
  'junk',
  { drafts: 5 },
  { session: 's', drafts: { a: {} }, places: {}, unfolded: [] },
])('what can’t be read (%j) is as if nothing was saved', (saved) => {
  expect(memory(saved).memory.draft('a')).toEqual(EMPTY_DRAFT);
});

test('a message that could not be sent comes back where nothing stands, else behind what does', () => {
  const { memory: kept } = memory();
  const unsent = { text: '/x y', mentions: [{ kind: 'resource' as const, uri: 'mcp:a:b', name: 'b' }] };
  kept.giveBack('s1', unsent);
  kept.setDraft('s2', draft('written since'));
  kept.giveBack('s2', unsent);
  expect([kept.draft('s1'), kept.draft('s2')]).toEqual([
    { ...unsent, start: 4, end: 4 },
    { ...draft('written since'), parked: '/x y' },
  ]);
});

test('a draft without a session goes along into the first, unless that has its own', () => {
  const { memory: kept } = memory();
  kept.setDraft('', draft('early'));
  kept.enter('s1');
  expect([kept.draft('s1').text, kept.draft('').text]).toEqual(['early', '']);
  kept.enter('');
  kept.setDraft('', draft('again'));
  kept.enter('s1');
  expect([kept.draft('s1').text, kept.draft('').text]).toEqual(['early', 'again']);
});

test('what is kept has a bound: the oldest sessions go first', () => {
  const { memory: kept } = memory();
  for (let index = 0; index < 150; index += 1) kept.setDraft(`s${index}`, draft(`d${index}`));
  expect([kept.draft('s49').text, kept.draft('s50').text, kept.draft('s149').text]).toEqual([
    '',
    'd50',
    'd149',
  ]);
});

test('an empty draft takes no room', () => {
  const { memory: kept, box } = memory();
  kept.setDraft('s1', draft('x'));
  kept.setDraft('s1', EMPTY_DRAFT);
  expect(box.last).toMatchObject({ drafts: {} });
});

test('a page of one session remembers it while it is gone, and whether something was said; its draft goes along into the next', () => {
  const box: { last?: unknown } = {};
  const kept = new Memory(undefined, (state) => (box.last = structuredClone(state)), true);
  kept.enter('s1', false);
  kept.setDraft('s1', draft('half'));
  kept.enter('', false);
  expect(box.last).toMatchObject({ session: 's1', begun: false, drafts: { s1: { text: 'half' } } });
  kept.enter('s2', true);
  expect(box.last).toMatchObject({ session: 's2', begun: true, drafts: { s2: { text: 'half' } } });
  expect(kept.draft('s1').text).toBe('');
});
