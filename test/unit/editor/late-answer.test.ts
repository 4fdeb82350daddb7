import { expect, test } from 'vitest';
import { lateWords } from '#editor/late-answer';

test.each([
  ['allow-once', 'panel', 'Already allowed in the panel'],
  ['allow-session', 'notification', 'Already allowed in the notification'],
  ['deny-once', 'command', 'Already denied by a command'],
  ['deny-session', 'script', 'Already denied'],
] as const)('an answer that comes after %s by %s is told so', (answer, by, words) => {
  expect(lateWords({ kind: 'late', answer, by })).toBe(words);
});

test('an answer to what nobody asks any more is told so', () => {
  expect(lateWords({ kind: 'unknown' })).toBe('Belay no longer asks this');
});
