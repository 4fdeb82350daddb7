import { expect, test } from 'vitest';
import { newestKept } from '#webview/state/kept';

test.each([
  ['the editor’s when it is newer', { at: 2, state: 'editor' }, '{"at":1,"state":"extension"}', 'editor'],
  [
    'the extension’s when it is newer',
    { at: 1, state: 'editor' },
    '{"at":2,"state":"extension"}',
    'extension',
  ],
  ['the only one there', undefined, '{"at":1,"state":"extension"}', 'extension'],
  ['none where neither parses', 'broken', '{', undefined],
  ['none at the first time', undefined, '', undefined],
])('takes %s', (_what, editors, extensions, kept) => {
  expect(newestKept(editors, extensions)).toEqual(kept);
});
