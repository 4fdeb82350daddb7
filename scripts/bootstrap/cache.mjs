// The cache folder of Belay's scripts, and the two ways that several processes may share it safely.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where downloads that outlive a checkout are kept: `$XDG_CACHE_HOME/belay`, else `~/.cache/belay`. */
export function cacheRoot() {
  const base = process.env['XDG_CACHE_HOME'];
  return path.join(base && path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'), 'belay');
}

/**
 * Returns the folder `name` of the cache, filling it first when it is not there. A folder under its final name is always
 * complete: it is filled beside it and renamed, so a killed process leaves nothing that another would trust.
 * @param {string} name must hold the version of what it holds: a cached folder is never changed
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>}
 */
export async function cached(name, fill) {
  const folder = path.join(cacheRoot(), name);
  if (existsSync(folder)) return folder;
  return withLock(name, async () => {
    if (existsSync(folder)) return folder;
    dropPartials(name);
    const partial = `${folder}.partial-${randomUUID().slice(0, 8)}`;
    mkdirSync(partial, { recursive: true });
    try {
      await fill(partial);
      renameSync(partial, folder);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
    return folder;
  });
}

/**
 * What killed processes left. Whoever calls holds the lock of `name`, so nobody is filling one of these.
 * @param {string} name
 */
function dropPartials(name) {
  for (const entry of existsSync(cacheRoot()) ? readdirSync(cacheRoot()) : []) {
    if (entry.startsWith(`${name}.partial-`))
      rmSync(path.join(cacheRoot(), entry), { recursive: true, force: true });
  }
}

/**
 * Runs `work` while no other process of this user runs work of the same name. A lock whose owner has died is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const file = path.join(cacheRoot(), 'locks', `${name}.lock`);
  mkdirSync(path.dirname(file), { recursive: true });
  while (!tryLock(file)) {
    if (isAbandoned(file)) removeAbandoned(file);
    else await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function tryLock(file) {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function isAbandoned(file) {
  try {
    const owner = Number(readFileSync(file, 'utf8'));
    // Empty: its owner is between creating and writing, unless it died there.
    if (owner === 0) return Date.now() - statSync(file).mtimeMs > 10_000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Of two processes that see the same abandoned lock only one may remove it, or the slower one would remove the faster one's
 * new lock: renaming succeeds once, and what was renamed is checked again before it is dropped.
 * @param {string} file
 */
function removeAbandoned(file) {
  const aside = `${file}.${randomUUID().slice(0, 8)}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (isAbandoned(aside)) rmSync(aside, { force: true });
  else renameSync(aside, file);
}
