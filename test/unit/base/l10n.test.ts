import { expect, test } from 'vitest';
import { counted, inEnglish, loadWords, t } from '#base/l10n';

test('without a bundle everything is English, and nothing is remembered', () => {
  expect([t('Turn {0} changed no file.', 3), counted(2, '{0} file', '{0} files')]).toEqual([
    'Turn 3 changed no file.',
    '2 files',
  ]);
  expect(inEnglish('Turn 3 changed no file.')).toBe('Turn 3 changed no file.');
});

test('with a bundle people read their language, and the English of it can be had for models, also of texts within texts', () => {
  loadWords({
    'the mode {0} asks': '模式 {0} 要求询问',
    'user settings': '用户设置',
    '{0} ({1})': '{0}（{1}）',
  });
  const why = t('{0} ({1})', t('the mode {0} asks', 'prompt'), t('user settings'));
  expect([why, inEnglish(why)]).toEqual([
    '模式 prompt 要求询问（用户设置）',
    'the mode prompt asks (user settings)',
  ]);
});

test('what is not translated, or never was said, stays as it is', () => {
  expect([t('no words for this'), inEnglish('no words for this'), inEnglish('用户 设置')]).toEqual([
    'no words for this',
    'no words for this',
    '用户 设置',
  ]);
});

test('of very many texts the oldest are forgotten, what was said again is not', () => {
  const first = t('the mode {0} asks', 'first');
  const kept = t('the mode {0} asks', 'kept');
  for (let index = 0; index < 9_999; index++) t('the mode {0} asks', index);
  t('the mode {0} asks', 'kept');
  t('the mode {0} asks', 'one more');
  expect([inEnglish(first), inEnglish(kept)]).toEqual([first, 'the mode kept asks']);
});
