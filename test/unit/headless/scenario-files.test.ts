import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { putFiles } from '#headless/scenario-files';
import { tempFolder } from '#test/support/temp-folder';

/** A scenario's folders, and beside them a file of this machine. */
function places() {
  const machine = tempFolder({ 'mine.txt': 'mine\n', 'base/outside/x': 'x\n' });
  const workspace = machine.at('base/workspace');
  mkdirSync(workspace);
  return { machine, workspace };
}

test('a file is written through a link as far as the folder that holds all of the scenario', async () => {
  const { machine, workspace } = places();
  await putFiles(workspace, { l: { symlink: '../outside/x' }, d: { symlink: '../outside' } });
  await putFiles(workspace, { l: 'through\n', 'd/new/y': 'y\n' });
  expect([machine.text('base/outside/x'), machine.text('base/outside/new/y')]).toEqual(['through\n', 'y\n']);
});

test('no file of the machine is written, made or removed through a link that leads elsewhere', async () => {
  const { machine, workspace } = places();
  for (const [name, target] of [
    ['file', '../../mine.txt'],
    ['folder', machine.path],
    ['nothing', machine.at('made')],
  ] as const)
    symlinkSync(target, `${workspace}/${name}`);
  const puts = [
    ...[
      { file: 'hurt' },
      { 'folder/mine.txt': 'hurt' },
      { 'folder/mine.txt': null },
      { 'folder/new/z': 'z' },
    ],
    ...[{ nothing: 'made' }, { 'nothing/in/it': 'made' }, { 'folder/l': { symlink: 'x' } }],
  ];
  for (const files of puts)
    await expect(putFiles(workspace, files)).rejects.toThrow('a link leads out of the scenario');
  await putFiles(workspace, { file: null, folder: { symlink: 'x' }, nothing: { dir: true } });
  expect(machine.text('mine.txt')).toBe('mine\n');
  expect(readdirSync(machine.path).sort()).toEqual(['base', 'mine.txt']);
});
