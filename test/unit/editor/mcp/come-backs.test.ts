import { expect, test } from 'vitest';
import { readComeBack } from '#editor/mcp/come-back';
import { ComeBacks } from '#editor/mcp/come-backs';

function waiting() {
  const warned: string[] = [];
  return { warned, backs: new ComeBacks({ warn: (line) => void warned.push(line) }) };
}

test('a browser comes back to the sign-in whose state it brings, and to no other', async () => {
  const { backs, warned } = waiting();
  const stop = new AbortController();
  const one = backs.wait('state-1', stop.signal);
  const two = backs.wait('state-2', stop.signal).catch(() => 'still waited');
  await backs.arrived('code=abc&state=state-1&iss=https%3A%2F%2Fexample.com');
  const query = await one;
  stop.abort();
  expect([query.get('code'), query.get('iss'), await two, warned]).toEqual([
    'abc',
    'https://example.com',
    'still waited',
    [],
  ]);
});

test('CVE-2025-54133 CVE-2025-64106 a deep link does nothing but end a sign-in: a state that nobody waits for is dropped with a line in the log that doesn’t repeat it', async () => {
  const { backs, warned } = waiting();
  await backs.arrived('code=stolen&state=guessed');
  expect([warned.length, warned.join().includes('guessed')]).toEqual([1, false]);
});

test('a code arrives once: what comes again is from somebody else', async () => {
  const { backs, warned } = waiting();
  const one = backs.wait('s', new AbortController().signal);
  await backs.arrived('code=1&state=s');
  await one;
  await backs.arrived('code=2&state=s');
  expect(warned.length).toBe(1);
});

test('a sign-in that is given up rejects, also when it was before it began', async () => {
  const { backs } = waiting();
  const stop = new AbortController();
  const one = backs.wait('s', stop.signal).catch((error: Error) => error.name);
  stop.abort();
  const late = backs.wait('s', stop.signal).catch((error: Error) => error.name);
  expect(await Promise.all([one, late])).toEqual(['AbortError', 'AbortError']);
});

test('a closing window ends what waits', async () => {
  const { backs } = waiting();
  const one = backs.wait('s', new AbortController().signal).catch((error: Error) => error.message);
  backs.dispose();
  expect(await one).toBe('the window is closing');
});

test('a plus sign in a code stays one, encoded or not', () => {
  expect(
    ['code=a+b%2Bc&state=s', 'code=a+b+c&state=s'].map((query) => readComeBack(query)?.query.get('code')),
  ).toEqual(['a+b+c', 'a+b+c']);
});

test('what ends no sign-in is none: no state, an empty one, two of them, too much, too many', () => {
  const queries = [
    '',
    'code=1',
    'state=',
    'state=a&state=b',
    `state=a&x=${'x'.repeat(20_000)}`,
    `state=a${'&x=1'.repeat(40)}`,
    `state=a&${'n'.repeat(200)}=1`,
    '=1&state=a',
  ];
  expect(queries.map(readComeBack)).toEqual(queries.map(() => undefined));
});

test('a broken escape is taken as it is', () => {
  expect(readComeBack('state=%zz&code=%')?.query.get('state')).toBe('%zz');
});
