import { expect, test } from 'vitest';
import { folderLabels } from '#editor/folder-labels';

const folder = (name: string, fsPath: string) => ({ name, uri: { fsPath } });

test('folders go by their names, and by their paths where two share one', () => {
  const folders = [folder('api', '/work/api'), folder('web', '/work/web'), folder('api', '/old/api')];
  expect(folderLabels(folders)).toEqual(['/work/api', 'web', '/old/api']);
});
