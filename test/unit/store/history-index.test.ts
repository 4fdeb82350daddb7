import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId } from '#protocol/ids';
import { snippet } from '#store/history-snippet';
import type { Store } from '#store/store';
import { ended, said, started } from '#test/unit/protocol/session-log';
import { addSession, databasePath, FOLDER, memoryStore, open, SESSION } from '#test/unit/store/lab';

const OTHER = 's2' as SessionId;

function tell(
  store: Store,
  ...[session, turn, prompt, answer]: readonly [SessionId, number, string, string]
): void {
  store.events.append(session, started(turn, prompt), turn);
  store.events.append(session, said(turn, `r${turn}`, answer), turn);
  store.events.append(session, ended(turn), turn);
}

const found = (store: Store, query: string) =>
  store.history
    .search(query, { folder: FOLDER, limit: 20 })
    .map(({ sessionId, turn, kind }) => `${sessionId}/${turn ?? 'title'}/${kind}`);

test('prompts, answers and titles are found, in any case, without accents, from the beginning of a word', () => {
  const store = memoryStore();
  tell(store, SESSION, 1, 'Fix the façade parser', 'Done: parseNumber reads snake_case names.');
  store.events.append(SESSION, { type: 'session.titled', title: 'Façade work' }, 9);
  expect([
    found(store, 'FACADE'),
    found(store, 'pars fix'),
    found(store, 'snake_case'),
    found(store, 'absent'),
  ]).toEqual([['s1/title/title', 's1/1/prompt'], ['s1/1/prompt'], ['s1/1/answer'], []]);
});

test('the newest title alone is found', () => {
  const store = memoryStore();
  for (const title of ['first name', 'second name'])
    store.events.append(SESSION, { type: 'session.titled', title }, 1);
  expect([found(store, 'first'), found(store, 'second')]).toEqual([[], ['s1/title/title']]);
});

test('writing without spaces is found by one character, by two and by more, and nothing else is', () => {
  const store = memoryStore();
  tell(store, SESSION, 1, '修复数据库连接', 'パーサーを直した。');
  expect(
    ['库', '接', '数据', '数据库', 'パーサ', '据数', '数据连接'].map((query) => found(store, query).length),
  ).toEqual([1, 1, 1, 1, 1, 0, 0]);
});

test('a picture sign is a word like any other', () => {
  const store = memoryStore();
  tell(store, SESSION, 1, 'ship it🚀now', 'ok');
  expect([found(store, '🚀'), found(store, '🎉')]).toEqual([['s1/1/prompt'], []]);
});

test('whatever is typed is text, and nothing throws', () => {
  const store = memoryStore();
  tell(store, SESSION, 1, 'say "NEAR" and title: OR (x) * ^', 'ok');
  const odd = [
    '',
    ' ',
    '"',
    '*',
    'NEAR(',
    'title:say',
    'a OR',
    'NOT',
    '-x',
    '^say',
    '🎉',
    '\ud800',
    '\0',
    '库',
    "'; DROP TABLE",
  ];
  for (const query of [...odd, 'x'.repeat(10_240), 'word '.repeat(2048)]) found(store, query);
  expect(['"NEAR"', 'title: OR', 'say*', '(x)'].map((query) => found(store, query).length)).toEqual([
    1, 1, 1, 1,
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (query) => {
      found(store, query);
      snippet('say "NEAR" and title: OR (x) * ^', query);
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('what was rewound is not found until it is brought back', () => {
  const store = memoryStore();
  tell(store, SESSION, 1, 'alpha', 'stays');
  tell(store, SESSION, 2, 'beta', 'goes');
  const rewound = { type: 'session.rewound', toSequence: 3, operation: 'o', turns: [2] } as const;
  store.events.append(SESSION, { ...rewound, scope: 'files' }, 5);
  const withFiles = found(store, 'goes');
  store.events.append(SESSION, { ...rewound, scope: 'session' }, 5);
  const without = [found(store, 'goes'), found(store, 'beta'), found(store, 'stays')];
  store.events.append(SESSION, { type: 'session.unwound', operation: 'o' }, 6);
  expect([withFiles, without, found(store, 'goes')]).toEqual([
    ['s1/2/answer'],
    [[], [], ['s1/1/answer']],
    ['s1/2/answer'],
  ]);
});

test('a search stays in its folder, or goes through all', () => {
  const store = memoryStore();
  addSession(store, OTHER, 0, '/elsewhere' as typeof FOLDER);
  tell(store, OTHER, 1, 'needle', 'ok');
  const everywhere = store.history.search('needle', { limit: 5 });
  expect([found(store, 'needle'), everywhere.map(({ folder }) => folder)]).toEqual([[], ['/elsewhere']]);
});

test('a deleted session leaves no word behind', () => {
  const path = databasePath();
  const store = open(path);
  addSession(store, SESSION);
  tell(store, SESSION, 1, 'needle', 'ok');
  store.sessions.delete(SESSION);
  const left = found(store, 'needle');
  store.close();
  const bare = new DatabaseSync(path);
  const rows = bare.prepare("SELECT rowid FROM history_text WHERE history_text MATCH 'needle'").all();
  bare.close();
  expect([left, rows]).toEqual([[], []]);
});

test('sessions of before there was an index are indexed in slices, and are found as if there always had been one', () => {
  const path = databasePath();
  const store = open(path);
  addSession(store, SESSION);
  for (let turn = 1; turn <= 30; turn += 1) tell(store, SESSION, turn, `prompt${turn}`, `answer${turn}`);
  store.events.append(SESSION, { type: 'session.titled', title: 'old name' }, 1);
  store.events.append(SESSION, { type: 'session.titled', title: 'new name' }, 1);
  const rewound = { type: 'session.rewound', toSequence: 3, scope: 'session' } as const;
  store.events.append(SESSION, { ...rewound, operation: 'kept', turns: [30] }, 5);
  store.events.append(SESSION, { ...rewound, operation: 'taken', turns: [29] }, 5);
  store.events.append(SESSION, { type: 'session.unwound', operation: 'taken' }, 5);
  const queries = ['answer1', 'prompt30', 'answer29', 'old', 'new'];
  const before = queries.map((query) => found(store, query));
  const bare = new DatabaseSync(path);
  bare.exec(
    'DELETE FROM history_entries; UPDATE sessions SET unindexed = (SELECT MAX(sequence) FROM events)',
  );
  bare.close();
  const meanwhile = [found(store, 'answer1'), store.history.waiting()];
  // What is said meanwhile is in step at once.
  tell(store, SESSION, 31, 'late', 'word');
  let slices = 0;
  while (store.history.indexSome(20)) slices += 1;
  const after = queries.map((query) => found(store, query));
  expect([meanwhile, slices, after, found(store, 'late')]).toEqual([[[], 1], 5, before, ['s1/31/prompt']]);
  store.close();
});

test('a snippet marks the hits on one line and cuts what is long, never through a character', () => {
  const text = `${'before '.repeat(20)}\n\nthe <b>Needle</b> stands here 😀${' after'.repeat(60)}`;
  const parts = snippet(text, 'needle stand');
  expect([parts.map(({ text: part }) => part).join(''), parts.filter(({ hit }) => hit)]).toEqual([
    `…fore before before before before the <b>Needle</b> stands here 😀${' after'.repeat(15)} afte…`,
    [
      { text: 'Needle', hit: true },
      { text: 'stands', hit: true },
    ],
  ]);
});

test('a snippet marks a run of characters inside a longer one', () => {
  expect(snippet('修复数据库连接', '数据库')).toEqual([
    { text: '修复', hit: false },
    { text: '数据库', hit: true },
    { text: '连接', hit: false },
  ]);
});
