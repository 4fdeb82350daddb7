import { expect, test } from 'vitest';
import { completed, matchingCommands, pathColumns, wishAt } from '#webview/state/completion';

test.each([
  ['@', 1, { kind: 'mention', from: 0, query: '' }],
  ['why does @par', 13, { kind: 'mention', from: 9, query: 'par' }],
  ['(@src/a', 7, { kind: 'mention', from: 1, query: 'src/a' }],
  ['a\n@b', 4, { kind: 'mention', from: 2, query: 'b' }],
  ['@par and more', 4, { kind: 'mention', from: 0, query: 'par' }],
  ['@par and more', 13, undefined],
  ['mail a@b.c', 10, undefined],
  ['/', 1, { kind: 'slash', from: 0, query: '' }],
  ['/undo fi', 8, { kind: 'slash', from: 0, query: 'undo fi' }],
  ['/home/me/x', 10, undefined],
  ['use /undo', 9, undefined],
])('%j with the caret at %i wishes %j', (text, caret, wish) => {
  expect(wishAt(text, caret)).toEqual(wish);
});

test('a choice replaces what was typed and leaves one space', () => {
  const wish = { kind: 'mention', from: 4, query: 'pa' } as const;
  expect(completed('see @pa now', wish, 7, 'src/parser.ts')).toEqual({
    text: 'see src/parser.ts now',
    caret: 18,
  });
  expect(completed('see @pa', wish, 7, 'src/parser.ts')).toEqual({ text: 'see src/parser.ts ', caret: 18 });
});

test('commands that begin as typed come first', () => {
  const commands = ['redo', 'undo', 'undo files', 'do'].map((name) => ({
    name,
    usage: `/${name}`,
    description: '',
  }));
  expect(matchingCommands(commands, 'Do').map(({ name }) => name)).toEqual([
    'do',
    'redo',
    'undo',
    'undo files',
  ]);
  expect(matchingCommands(commands, 'undo files 3')).toEqual([]);
});

test('matched characters are told apart by column', () => {
  expect(pathColumns('src/parser.ts', [0, 4, 5])).toEqual({
    name: 'parser.ts',
    folder: 'src',
    inName: new Set([0, 1]),
    inFolder: new Set([0]),
  });
  expect(pathColumns('a.ts', [0])).toEqual({
    name: 'a.ts',
    folder: '',
    inName: new Set([0]),
    inFolder: new Set(),
  });
});
