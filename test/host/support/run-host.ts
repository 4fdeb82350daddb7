import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Outcome } from '#scripts/vitest';
import { root, stageExtension } from '#scripts/vsix';
import { runOnDesktop } from '#test/host/support/desktop';
import type { HostResults, HostRun } from '#test/host/support/host-run';
import { runOnServer } from '#test/host/support/on-server';
import { copySample } from '#test/support/sample';

/** Runs test/host/**.test.ts by mocha inside a real extension host, on a copy of the sample workspace. */
export async function runHostSuite(options: {
  readonly desktop: boolean;
  readonly filters: readonly string[];
}): Promise<Outcome> {
  const work = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-host-')));
  try {
    const results = path.join(work, 'results.json');
    const run = await prepare(work, results, options.filters);
    await (options.desktop ? runOnDesktop(run) : runOnServer(run));
    if (!existsSync(results)) throw new Error('the suite did not come to its end in the extension host');
    return report(JSON.parse(readFileSync(results, 'utf8')));
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function prepare(work: string, results: string, filters: readonly string[]): Promise<HostRun> {
  const found = globSync('test/host/**/*.test.ts', { cwd: root }).sort();
  const files = found.filter(
    (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
  );
  const extension = path.join(work, 'extension');
  const folder = path.join(work, 'sample');
  await bundleSuite(files, path.join(work, 'suite'));
  await stageExtension(extension);
  copySample(folder);
  return {
    extensions: [extension, ...helperExtensions(), ...(await exampleExtensions(path.join(work, 'examples')))],
    tests: path.join(work, 'suite', 'entry.js'),
    folder,
    env: {
      BELAY_HOST_RESULTS: results,
      BELAY_HOST_SUITE: path.join(work, 'suite', 'tests'),
      BELAY_CHECKOUT: root,
    },
  };
}

async function bundleSuite(files: readonly string[], outdir: string): Promise<void> {
  mkdirSync(path.join(outdir, 'tests'), { recursive: true });
  const names = files.map((file) => [`tests/${file.replace(/^test.host./, '').replace(/\.ts$/, '')}`, file]);
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([['entry', 'test/host/support/mocha-entry.ts'], ...names]),
    outdir,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode'],
    // Its main file is UMD, whose require() no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // The demo's trial has a thread of its own, which no test here needs.
    logOverride: { 'empty-import-meta': 'silent' },
    plugins: [checkoutsMocha],
    logLevel: 'warning',
  });
}

/** Mocha keeps state in its modules: the entry and all tests must load the same copy, the checkout's. */
const checkoutsMocha: Plugin = {
  name: 'checkouts-mocha',
  setup({ onResolve }) {
    const mocha = createRequire(import.meta.url).resolve('mocha');
    onResolve({ filter: /^mocha$/ }, () => ({ path: mocha, external: true }));
  },
};

function helperExtensions(): string[] {
  const folder = path.join(root, 'test/host/extensions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((place) => existsSync(path.join(place, 'package.json')));
}

/** The extensions that docs/ shows to authors, built as theirs would be. */
async function exampleExtensions(outdir: string): Promise<string[]> {
  const manifests = globSync('docs/examples/*/package.json', { cwd: root }).sort();
  const built = manifests.map(async (manifest) => {
    const folder = path.join(outdir, path.basename(path.dirname(manifest)));
    await build({
      absWorkingDir: root,
      entryPoints: [path.join(path.dirname(manifest), 'extension.ts')],
      outdir: path.join(folder, 'dist'),
      bundle: true,
      format: 'cjs',
      platform: 'node',
      external: ['vscode'],
      logLevel: 'warning',
    });
    copyFileSync(path.join(root, manifest), path.join(folder, 'package.json'));
    return folder;
  });
  return Promise.all(built);
}

function report({ passed, failed }: HostResults): Outcome {
  console.log(` host: ${passed.length} passed, ${failed.length} failed`);
  return { passed: passed.length, failures: failed.map(({ title, why }) => `host: ${title}\n${why}`) };
}
