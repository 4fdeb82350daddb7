import { expect, test } from 'vitest';
import { goneWords } from '#editor/panel/gone';

test('a tab says whether its session is another folder’s, no more, or not known', () => {
  const history = { folderOf: (id: string) => (id === 'theirs' ? '/work/site' : undefined) };
  expect(['theirs', 'deleted', undefined].map((id) => goneWords(history, id))).toEqual([
    {
      title: 'This session belongs to another folder',
      detail: 'It works in /work/site. Open that folder to go on with it.',
    },
    {
      title: 'This session is gone',
      detail: 'It was deleted, or nothing was said in it. Your files are as they were.',
    },
    {
      title: 'Which session this tab showed is not known any more',
      detail: 'The session itself is kept, if it was not deleted: it stands in the list.',
    },
  ]);
});
