import { expect, test } from 'vitest';
import { deferredWords } from '#agent/deferred-names';

const server = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `mcp__${name}__do_thing_${index}`);

/** The names that the words list, spelt out. */
function named(words: string): string[] {
  return words
    .split('\n')
    .slice(2)
    .filter((line) => !line.startsWith('and '))
    .flatMap((line) => {
      const group = /^(.+)\{(.+)\}$/.exec(line);
      return group ? (group[2] ?? '').split(',').map((end) => `${group[1]}${end}`) : line.split(', ');
    });
}

test('there is nothing to say of none', () => {
  expect(deferredWords([])).toBe('');
});

test('those of one server stand behind what they begin with; one by itself is spelt out', () => {
  expect(deferredWords(['mcp__b__x', 'hover', 'mcp__a__two', 'mcp__a__one', 'format'])).toBe(
    [
      '# More tools',
      'Known by name; search_tools makes one usable from your next reply on. a__{b,c} stands for a__b and a__c.',
      'format, hover',
      'mcp__a__{one,two}',
      'mcp__b__x',
    ].join('\n'),
  );
});

test('every one of 500 names is there exactly, and costs little more than itself', () => {
  const odd = ['__proto__', 'a__', '__a', 'mcp____x', 'mcp__a__b__c', 'mcp__a__b__d', 'A-b', '_'];
  const names = [...odd, ...server('github', 300), ...server('jira', 192)];
  const words = deferredWords(names);
  expect(named(words).sort()).toEqual([...names].sort());
  expect(words.length).toBeLessThan(names.join(', ').length);
});

test('the order in which servers came changes nothing', () => {
  const names = [...server('a', 20), ...server('b', 20), 'hover'];
  expect(deferredWords([...names].reverse())).toBe(deferredWords(names));
});

test('of 5,000 a thousand are listed, and no server is pushed out by a large one', () => {
  const names = [...server('aaa', 4900), ...server('small', 90), ...server('tiny', 10)];
  const words = deferredWords(names);
  const listed = named(words);
  expect([listed.length, words.endsWith('\nand 4000 more, which search_tools finds by words.')]).toEqual([
    1000,
    true,
  ]);
  expect(listed.filter((name) => !name.startsWith('mcp__aaa__')).length).toBe(100);
});

test('thousands of servers with a tool each stay within the bound', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `mcp__s${index}__x`);
  expect(named(deferredWords(names)).length).toBe(1000);
});
