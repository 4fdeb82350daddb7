import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cached, cacheRoot, withLock } from '#scripts/bootstrap/cache.mjs';

let home = '';

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'belay-cache-'));
  vi.stubEnv('XDG_CACHE_HOME', home);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test('a folder is filled once, however many ask for it at the same time', async () => {
  let fillings = 0;
  const fill = async (folder: string) => {
    fillings += 1;
    writeFileSync(path.join(folder, 'file'), 'whole');
  };
  const folders = await Promise.all([
    cached('thing-1', fill),
    cached('thing-1', fill),
    cached('thing-1', fill),
  ]);
  expect({ fillings, text: readFileSync(path.join(folders[2], 'file'), 'utf8') }).toEqual({
    fillings: 1,
    text: 'whole',
  });
});

test('a filling that fails leaves nothing behind and can be tried again', async () => {
  const failing = cached('thing-1', async (folder) => {
    writeFileSync(path.join(folder, 'half'), '');
    throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
  expect(readdirSync(cacheRoot())).toEqual(['locks']);
  const folder = await cached('thing-1', async () => undefined);
  expect(readdirSync(folder)).toEqual([]);
});

test('what a killed filling left is cleared away', async () => {
  mkdirSync(path.join(cacheRoot(), 'thing-1.partial-dead'), { recursive: true });
  await cached('thing-1', async () => undefined);
  expect(readdirSync(cacheRoot()).sort()).toEqual(['locks', 'thing-1']);
});

test('the lock of a process that died is taken over', async () => {
  const locks = path.join(cacheRoot(), 'locks');
  mkdirSync(locks, { recursive: true });
  // The kernel gives no process this number: it is beyond the largest that Linux and macOS use.
  writeFileSync(path.join(locks, 'work.lock'), '4194999');
  expect(await withLock('work', async () => 'done')).toBe('done');
  expect(existsSync(path.join(locks, 'work.lock'))).toBe(false);
});
