// dist/ as the sources say, built only when they changed.
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './process.mjs';

const SOURCES = ['src', 'scripts/build', 'esbuild.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * Builds the bundles into dist/ unless a build that began after the last change is there already.
 * @param {string} root the checkout
 * @param {string} node
 */
export async function ensureBundles(root, node) {
  const stamp = path.join(root, 'dist', '.built');
  const changed = Math.max(...SOURCES.map((source) => lastChange(path.join(root, source))));
  if (existsSync(stamp) && statSync(stamp).mtimeMs > changed) return;
  await runQuietly(node, [path.join(root, 'esbuild.mjs')], { cwd: root, what: 'Building' });
}

/**
 * Folders count too: a deleted or renamed file shows only in its folder's time.
 * @param {string} place
 * @returns {number}
 */
function lastChange(place) {
  const own = lstatSync(place);
  if (!own.isDirectory()) return own.mtimeMs;
  return readdirSync(place).reduce(
    (latest, name) => Math.max(latest, lastChange(path.join(place, name))),
    own.mtimeMs,
  );
}
