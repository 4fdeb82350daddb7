import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serverProgram } from '#editor/language-servers/program';
import { tempFolder } from '#test/support/temp-folder';

/** A folder of tools, a home and a workspace. */
function machine() {
  const folder = tempFolder({
    'bin/': '',
    'tools/server': '#!/bin/sh\n',
    'home/bin/mine': '#!/bin/sh\n',
    'work/bin/server': '#!/bin/sh\n',
    'work/bin/only': '#!/bin/sh\n',
  });
  for (const name of ['tools/server', 'home/bin/mine', 'work/bin/server', 'work/bin/only'])
    folder.chmod(name, 0o755);
  const standard = [folder.at('bin'), folder.at('tools')];
  const find = (command: string, path: readonly string[] = standard) =>
    serverProgram(command, {
      env: { PATH: path.join(':') },
      home: folder.at('home'),
      workspace: [folder.at('work')],
    });
  return { folder, find };
}

test('a name is looked for along the PATH, a path is taken as it is', () => {
  const { folder, find } = machine();
  expect([find('server'), find(folder.at('tools/server')), find('~/bin/mine')]).toEqual([
    { ok: true, value: folder.at('tools/server') },
    { ok: true, value: folder.at('tools/server') },
    { ok: true, value: folder.at('home/bin/mine') },
  ]);
});

test('a command that is not there is told with the PATH that was searched and what to do', () => {
  const { folder, find } = machine();
  expect(find('gone')).toEqual({
    ok: false,
    error: expect.stringContaining(`Searched: PATH=${folder.at('bin')}:${folder.at('tools')}`),
  });
});

test('a program of the workspace is passed over for one outside of it', () => {
  const { folder, find } = machine();
  expect(find('server', [folder.at('work/bin'), folder.at('tools')])).toEqual({
    ok: true,
    value: folder.at('tools/server'),
  });
});

test('a program of the workspace is never started, by its path or by a link to it', () => {
  const { folder, find } = machine();
  symlinkSync(folder.at('work/bin/only'), folder.at('bin/only'));
  symlinkSync(folder.at('work/bin'), folder.at('linked'));
  const error = expect.stringContaining('lies in this workspace');
  expect([find(folder.at('work/bin/only')), find('only'), find('only', [folder.at('linked')])]).toEqual([
    { ok: false, error },
    { ok: false, error },
    { ok: false, error: expect.stringContaining('was not found') },
  ]);
});

test('a path that is meant from nowhere is refused, and a relative entry of the PATH is never searched', () => {
  const { find } = machine();
  expect([find('./server'), find('server', ['.', '', 'tools'])]).toEqual([
    { ok: false, error: expect.stringContaining('is meant from no folder') },
    { ok: false, error: expect.stringContaining('was not found') },
  ]);
});
