import { expect, test } from 'vitest';
import { type GrowingText, newlySpoken } from '#webview/markdown/sentences';

const growing = (text: string, key = 'a'): GrowingText => ({ key, text, streaming: true });
const whole = (text: string, key = 'a'): GrowingText => ({ key, text, streaming: false });

/** What is read out of a text that grows through these states. */
function heard(...states: readonly (readonly GrowingText[])[]): readonly string[] {
  let spoken: ReturnType<typeof newlySpoken>['spoken'];
  return states.map((texts) => {
    const news = newlySpoken(texts, spoken);
    spoken = news.spoken;
    return news.words;
  });
}

test('text is spoken by whole sentences, and its end when it ends', () => {
  expect(
    heard(
      [growing('no end yet')],
      [growing('One. Two')],
      [growing('One. Two. Thr')],
      [whole('One. Two. Three')],
    ),
  ).toEqual(['', 'One.', ' Two.', ' Three']);
});

test('what has been spoken isn’t spoken again', () => {
  expect(heard([whole('One.')], [whole('One.')])).toEqual(['One.', '']);
});

test('a text that ended while the next one began is still spoken to its end', () => {
  expect(heard([growing('One. Tw')], [whole('One. Two'), growing('Next. Mo', 'b')])).toEqual([
    'One.',
    ' Two\nNext.',
  ]);
});

test('a point inside a number or a name ends nothing', () => {
  expect(heard([growing('It is 1.5 in parser.ts')])).toEqual(['']);
});

test('Chinese sentences and paragraphs end too', () => {
  expect(heard([growing('你好。再见')])).toEqual(['你好。']);
  expect(heard([growing('a list\n\nmore')])).toEqual(['a list\n\n']);
});
