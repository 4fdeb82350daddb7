// What every npm script runs first: `node scripts/bootstrap.mjs TASK [ARGUMENTS…]`.
//
// On a fresh clone nothing is there but some Node ≥ 20 and npm, so this file and scripts/bootstrap/ depend on no package. They bring
// what the task needs (packages, Node 24, bundles), quietly and on stderr, and then hand over: stdout belongs to the task alone.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBundles } from './bootstrap/bundles.mjs';
import { ensureNode } from './bootstrap/node.mjs';
import { ensurePackages } from './bootstrap/packages.mjs';
import { handOver } from './bootstrap/process.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Each task is a script that runs under Node 24 as it is (types are stripped), or a bundle's command.
 * @type {Record<string, { script: string, args?: string[], bundles?: boolean }>}
 */
const TASKS = {
  start: { script: 'scripts/start.ts' },
  test: { script: 'scripts/test.ts' },
  check: { script: 'scripts/check.ts' },
  package: { script: 'scripts/package.ts' },
  bench: { script: 'scripts/bench.ts' },
  build: { script: 'esbuild.mjs' },
  format: { script: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '--write'] },
  scenario: { script: 'dist/headless.js', args: ['scenario'], bundles: true },
  gate: { script: 'dist/headless.js', args: ['gate'], bundles: true },
  agent: { script: 'dist/headless.js', args: ['agent'], bundles: true },
};

/**
 * Not news to whoever runs a script: some releases of Node 24 call type stripping and node:sqlite experimental, and our scripts
 * are ES modules in a package whose bundles must be CommonJS.
 */
const QUIET = ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

const [name = '', ...args] = process.argv.slice(2);
const task = TASKS[name];
try {
  if (!task) throw new Error(`There is no task "${name}". Tasks: ${Object.keys(TASKS).join(', ')}.`);
  await ensurePackages(root);
  const node = await ensureNode();
  if (task.bundles) await ensureBundles(root, node);
  await handOver(node, [...QUIET, path.join(root, task.script), ...(task.args ?? []), ...args]);
} catch (error) {
  process.stderr.write(`belay: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
