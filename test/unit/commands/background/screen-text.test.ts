import { expect, test } from 'vitest';
import { ScreenText } from '#commands/background/screen-text';

const ESC = '\x1b';
const shown = (...pieces: readonly string[]) => {
  const screen = new ScreenText();
  return pieces.map((piece) => screen.push(piece)).join('') + screen.flush();
};

test.each([
  ['text, tabs, line ends and backspaces', 'a\tb\r\nc\b'],
  ['colours', `${ESC}[1;38;2;1;2;3mred${ESC}[0m${ESC}[4:3mwave`],
  ['the cursor and erasing', `${ESC}[2J${ESC}[H${ESC}[10;20H${ESC}[K${ESC}[3A${ESC}7${ESC}8${ESC}M`],
  ['the other screen and bracketed paste', `${ESC}[?1049h${ESC}[?2004h${ESC}[?25l${ESC}[?1049l`],
  ['boxes', `${ESC}(0lqk${ESC}(B`],
])('lets a program draw: %s', (_what, text) => {
  expect(shown(text)).toBe(text);
});

test.each([
  ['the clipboard', `${ESC}]52;c;aGVsbG8=\x07`],
  ['the clipboard, ended by ST', `${ESC}]52;c;aGVsbG8=${ESC}\\`],
  ['the clipboard in one byte', '\x9d52;c;aGVsbG8=\x9c'],
  ['a title', `${ESC}]0;sudo\x07${ESC}]2;x${ESC}\\`],
  ['a link', `${ESC}]8;;https://example.com${ESC}\\`],
  ['a notification', `${ESC}]9;hi\x07${ESC}]777;notify;a;b\x07`],
  ['shell integration', `${ESC}]633;E;rm\x07${ESC}]1337;SetMark\x07${ESC}]7;file:///x\x07`],
  [
    'questions that are answered as if typed',
    `${ESC}[c${ESC}[>c${ESC}[=c${ESC}[5n${ESC}[6n${ESC}[?6n${ESC}[18t${ESC}[21t${ESC}[?1$p${ESC}[x${ESC}Z\x05`,
  ],
  ['questions about colours', `${ESC}]10;?\x07${ESC}]4;1;?\x07${ESC}P$qm${ESC}\\${ESC}[>q`],
  ['reports of mouse and focus', `${ESC}[?1000h${ESC}[?1002;1003;1006h${ESC}[?1004h`],
  ['the window', `${ESC}[3;0;0t${ESC}[8;1;1t${ESC}[?3h`],
  ['keys', `${ESC}[>4;2m${ESC}[>1u${ESC}P1;1|17/68${ESC}\\`],
  ['pictures and strings', `${ESC}Pq#0~~${ESC}\\${ESC}_Gf=100;AAAA${ESC}\\${ESC}^x${ESC}\\${ESC}Xx${ESC}\\`],
  ['printing', `${ESC}[5i${ESC}[4i`],
  ['a bell and other controls', '\x07\x00\x0e\x0f\x7f'],
])('leaves out %s', (_what, text) => {
  expect(shown(`a${text}b`)).toBe('ab');
});

test('of several modes only those that draw are left', () => {
  expect(shown(`${ESC}[?25;1000;2004h`)).toBe(`${ESC}[?25;2004h`);
});

test('a sequence may come in pieces, at every byte', () => {
  const text = `a${ESC}]52;c;aGVsbG8=${ESC}\\b${ESC}[31mc${ESC}[6nd${ESC}[?1003he`;
  const results = [...text].map((_, at) => shown(text.slice(0, at), text.slice(at)));
  expect([new Set(results), shown(...text)]).toEqual([new Set([`ab${ESC}[31mcde`]), `ab${ESC}[31mcde`]);
});

test('a string that never ends takes a line, not the rest of the output', () => {
  expect(shown(`${ESC}]52;c;AAAA\nnext`, '\nlast')).toBe('\nnext\nlast');
});

test('what begins like a string and never becomes one is not held for ever', () => {
  expect(shown(`${ESC}]52;c;${'A'.repeat(10_000)}`, 'B').includes(ESC)).toBe(false);
});
