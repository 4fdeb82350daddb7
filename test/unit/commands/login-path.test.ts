import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLoginPath } from '#commands/login-path';

const home = mkdtempSync(join(tmpdir(), 'belay-login-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("the login shell's PATH is read, whatever its profile prints", async () => {
  writeFileSync(
    join(home, '.profile'),
    'echo welcome; export PATH="/opt/tools with blanks:$PATH"; echo again\n',
  );
  const path = await readLoginPath('/bin/bash', { HOME: home, PATH: '/usr/bin:/bin' });
  expect(path?.split(':')[0]).toBe('/opt/tools with blanks');
});

test.each(['bash', '/usr/bin/fish', '/nonexistent/bash'])('%s says nothing', async (shell) => {
  expect(await readLoginPath(shell, { HOME: home, PATH: '/usr/bin:/bin' })).toBeUndefined();
});

test('a profile that fails says nothing', async () => {
  writeFileSync(join(home, '.profile'), 'exit 3\n');
  expect(await readLoginPath('/bin/bash', { HOME: home, PATH: '/usr/bin:/bin' })).toBeUndefined();
});
