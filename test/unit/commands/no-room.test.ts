import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { childScript } from '#test/support/child-script';
import { tempFolder } from '#test/support/temp-folder';

test('where no more files can be opened nothing is started, and Belay lives on', async () => {
  const script = await childScript(import.meta.dirname, 'no-room-child.ts');
  const folder = tempFolder({ a: 'one' });
  const git = (...args: readonly string[]) =>
    execFileSync('/usr/bin/git', args, { cwd: folder.path, encoding: 'utf8' }).trim();
  git('init', '-q');
  const object = git('hash-object', '-w', 'a');
  const run = 'ulimit -n 80; exec "$@"';
  const said = execFileSync('/bin/sh', ['-c', run, 'sh', process.execPath, script, folder.path, object], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(JSON.parse(said)).toEqual(['not-started', 0, 0, 1]);
});
