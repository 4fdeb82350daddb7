import { expect, test } from 'vitest';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import type { FileHits } from '#tools/search/hits';
import { searchWords } from '#tools/search/report';
import type { SearchRequest } from '#tools/search/run';

const place = { relative: '.' as RelativePath, absolute: '/w' as AbsolutePath, exists: true };
const request = (mode: SearchRequest['mode'], limit: number): SearchRequest => ({
  ...{ pattern: 'x', place, isFile: false, mode, limit, before: 0, after: 0, filter: undefined },
});
const file = (path: string, count: number): FileHits => ({ path: path as RelativePath, count, lines: [] });
const found = (...files: FileHits[]) => ({ files, more: true, unsaved: [], worktrees: [], literalFiles: 0 });

test('says whether there is more than was asked for, or the search was cut off before that', () => {
  const full = 'narrow the search or raise limit)';
  const cut = '(the search was cut off before its end; narrow it for the rest)';
  expect([
    searchWords(request('count', 1), found(file('a', 3))),
    searchWords(request('count', 2), found(file('a', 3))),
    searchWords(request('content', 3), found(file('a', 3))),
    searchWords(request('content', 4), found(file('a', 3))),
    searchWords(request('content', 4), found()),
  ]).toEqual([
    `a: 3\n\n(the first 1 file, there are more; ${full}`,
    `a: 3\n\n${cut}`,
    `a\n\n(the first 3 matches, there are more; ${full}`,
    `a\n\n${cut}`,
    'search_files: nothing found in the workspace before the search was cut off; narrow it',
  ]);
});
