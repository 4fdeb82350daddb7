import { expect, test } from 'vitest';
import { atStart, shownLine, shownRow, shownRows } from '#editor/questions/shown';

test('a server’s words become neither link nor icon nor a second line, and hide nothing', () => {
  const words = '[Sign in](command:workbench.action.quit)\nnow\u202e $(check)';
  expect([shownLine(words), shownRow(words)]).toEqual([
    '[Sign in]\\u{28}command:workbench.action.quit) now\\u{202e} $(check)',
    '[Sign in](command:workbench.action.quit) now\\u{202e} \\$(check)',
  ]);
});

test('long words are broken at spaces, and rows beyond the last are told', () => {
  expect(shownRows('one two three\n\nfour five', 8, 3)).toEqual(['one two', 'three', '…']);
});

test('a word without spaces is broken where the row ends', () => {
  expect(shownRows('x'.repeat(20), 8, 9)).toEqual(['x'.repeat(8), 'x'.repeat(8), 'xxxx']);
});

test('a megabyte of words is cut', () => {
  expect(shownLine('x'.repeat(1_000_000)).length).toBe(200);
});

test('who asks begins a sentence', () => {
  expect(atStart('the MCP server x')).toBe('The MCP server x');
});
