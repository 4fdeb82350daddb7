// node_modules as the lockfile says, without asking npm when nothing changed.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './cache.mjs';
import { runNpm } from './process.mjs';

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/**
 * Installs the locked packages when they are missing or are not the locked ones. No package's install script runs.
 * @param {string} root the checkout
 */
export async function ensurePackages(root) {
  if (areInstalled(root)) return;
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 12);
  await withLock(`packages-${checkout}`, async () => {
    if (areInstalled(root)) return;
    process.stderr.write('belay: installing packages (npm ci)\n');
    await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: root,
      what: 'Installing packages',
    });
  });
}

/**
 * npm writes `node_modules/.package-lock.json` as the last act of an install, so what it lists is really there.
 * @param {string} root
 */
export function areInstalled(root) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  if (!wanted)
    throw new Error(
      `package-lock.json is missing or unreadable in ${root}. Restore it: git checkout package-lock.json`,
    );
  if (!installed) return false;
  return Object.entries(wanted).every(
    ([place, entry]) =>
      place === '' || installed[place]?.version === entry.version || isForAnotherMachine(entry),
  );
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {LockedPackage} entry */
function isForAnotherMachine({ optional, os, cpu, libc }) {
  if (!optional) return false;
  // An optional package without these fields may have been left out for any reason; asking npm each time would not bring it.
  if (!os && !cpu) return true;
  return (os && !os.includes(process.platform)) || (cpu && !cpu.includes(process.arch)) || libc !== undefined;
}
