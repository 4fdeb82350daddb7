// `npm run bench`: runs test/bench/NAME.bench.ts, each in a process of its own, one after the other. Ends with 0 whatever comes out: a slow
// run is news, not a failure.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WrongCall } from '#headless/command-line';
import { summarize } from '#scripts/bench/summary';
import { exitOnSignals } from '#scripts/signals';
import { task } from '#scripts/task';
import { root } from '#scripts/vsix';
import type { Measurement } from '#test/bench/benchmark';

const LINE = {
  call: 'npm run bench --',
  takes: '[NAME…]',
  most: Number.POSITIVE_INFINITY,
  about:
    'Measures, by all benchmarks or those that are named. Prints a table, then JSON with the raw samples.',
  options: { json: { type: 'boolean', about: 'only the JSON' } },
  ends: '0 however slow it was',
} as const;

await task(LINE, async ({ values: { json: onlyJson }, positionals: names }) => {
  exitOnSignals();
  const all = globSync('test/bench/*.bench.ts', { cwd: root }).sort();
  const files = all.filter((file) => names.length === 0 || names.includes(path.basename(file, '.bench.ts')));
  if (files.length === 0)
    throw new WrongCall(
      `There is no such benchmark, but ${all.map((file) => path.basename(file, '.bench.ts')).join(', ')}`,
    );
  const rows = [];
  for (const file of files) {
    const measured = (await measure(file)).map(summarize);
    rows.push(...measured);
  }
  if (!onlyJson) console.table(rows.map(({ samples: _, ...row }) => row));
  console.log(`[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`);
});

/** A benchmark that breaks off is told and left out: the others' figures are worth having. */
async function measure(file: string): Promise<readonly Measurement[]> {
  process.stderr.write(`belay: measuring ${path.basename(file, '.bench.ts')}\n`);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belay-bench-'));
  const output = path.join(folder, 'measurements.json');
  try {
    await runAlone(file, output);
    return JSON.parse(readFileSync(output, 'utf8'));
  } catch (error) {
    process.stderr.write(`belay: ${file} broke off: ${error instanceof Error ? error.message : error}\n`);
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runAlone(file: string, output: string): Promise<void> {
  const hooks = path.join(root, 'scripts/bench/resolve-ts.mjs');
  const runner = path.join(root, 'scripts/bench/run-one.ts');
  const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
  const args = [...quiet, '--expose-gc', '--import', hooks, runner, path.join(root, file), output];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
    const kill = () => child.kill();
    process.once('exit', kill);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('exit', kill);
      if (code === 0) resolve();
      else reject(new Error(signal ?? `exit code ${code}`));
    });
  });
}
