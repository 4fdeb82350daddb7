import { expect, test } from 'vitest';
import { diskFiles } from '#disk/files';
import { suggestionsFor } from '#editor/panel/suggestions';
import { tempFolder } from '#test/support/temp-folder';

const suggested = (files: Record<string, string>, trusted = true) =>
  suggestionsFor(diskFiles(), tempFolder(files).path, trusted);

test('a project with tests and a read-me is asked about both', async () => {
  const project = { 'package.json': '{"scripts": {"test": "x"}}', 'ReadMe.md': '', 'src/a.js': '' };
  expect(await suggested(project)).toEqual(['Fix the failing test', 'Read ReadMe.md', 'Search TODO']);
});

test('nothing is suggested that isn’t there, nor a change where only reading is possible', async () => {
  const project = { 'package.json': '{"scripts": {"test": "x"}}' };
  expect([
    await suggested({}),
    await suggested({ 'b.txt': '', 'a.txt': '' }),
    await suggested(project, false),
  ]).toEqual([['Search TODO'], ['Read a.txt', 'Search TODO'], ['Read package.json', 'Search TODO']]);
});

test('a folder that can’t be listed has no suggestions but the search', async () => {
  expect(await suggestionsFor(diskFiles(), tempFolder().at('gone'), true)).toEqual(['Search TODO']);
});
