import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { isLeftover, isRunning, temporaryBeside } from '#disk/temporary';

test('a temporary file is a leftover only when its writer is gone', () => {
  const mine = basename(temporaryBeside('/x/a.txt'));
  const { pid } = spawnSync('true');
  const dead = mine.replace(String(process.pid), String(pid));
  expect([isLeftover(mine), isLeftover(dead), isLeftover('.belay-notes.tmp'), isLeftover('a.txt')]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test('knows whether a process runs, also another user’s', () => {
  expect([isRunning(process.pid), isRunning(1), isRunning(4_194_304)]).toEqual([true, true, false]);
});
