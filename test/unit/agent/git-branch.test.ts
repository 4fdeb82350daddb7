import { expect, test } from 'vitest';
import { gitBranch } from '#agent/git-branch';
import { fail, ok } from '#base/result';
import type { FileContent, Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

function reader(files: Readonly<Record<string, string>>): Pick<Files, 'read'> {
  return {
    async read(path) {
      const text = files[path];
      if (text === undefined) return fail({ kind: 'missing', message: 'nothing there' });
      const content = { bytes: new TextEncoder().encode(text) } as FileContent;
      return ok({ ...content, more: false });
    },
  };
}

const at = (files: Readonly<Record<string, string>>) => gitBranch('/w' as AbsolutePath, reader(files));

test('tells the branch, with slashes in its name', async () => {
  expect(await at({ '/w/.git/HEAD': 'ref: refs/heads/fix/parser\n' })).toBe('fix/parser');
});

test('tells a detached head by its hash', async () => {
  expect(await at({ '/w/.git/HEAD': `${'ab12'.repeat(10)}\n` })).toBe('ab12ab12 (detached)');
});

test('follows the file of a linked worktree', async () => {
  const files = {
    '/w/.git': 'gitdir: ../main/.git/worktrees/w\n',
    '/main/.git/worktrees/w/HEAD': 'ref: refs/heads/b\n',
  };
  expect(await at(files)).toBe('b');
});

test.each([{}, { '/w/.git/HEAD': '' }, { '/w/.git/HEAD': 'ref: refs/tags/x' }])(
  'knows none in %j',
  async (files) => {
    expect(await at(files)).toBeUndefined();
  },
);

test('an unreadable folder is none, not a failure', async () => {
  const files = { read: () => Promise.reject(new Error('EACCES')) };
  expect(await gitBranch('/w' as AbsolutePath, files)).toBeUndefined();
});
