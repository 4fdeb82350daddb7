import { expect, test } from 'vitest';
import { spokenLength } from '#webview/markdown/sentences';

test('text is spoken by whole sentences', () => {
  expect(spokenLength('One. Two', 0)).toBe(4);
  expect(spokenLength('One. Two. Thr', 4)).toBe(9);
  expect(spokenLength('no end yet', 0)).toBe(0);
});

test('a point inside a number or a name ends nothing', () => {
  expect(spokenLength('It is 1.5 in parser.ts', 0)).toBe(0);
});

test('Chinese sentences and paragraphs end too', () => {
  expect(spokenLength('你好。再见', 0)).toBe(3);
  expect(spokenLength('a list\n\nmore', 0)).toBe(8);
});
