import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '#scripts/vsix';
import type { Measurement } from '#test/bench/benchmark';
import type { DiagnosticsSamples } from '#test/bench/hosted/diagnostics';
import { runOnServer } from '#test/host/support/on-server';

/**
 * The tool `diagnostics` in a project of 2,000 TypeScript files, in a real extension host: a whole call with model, gates and record,
 * against asking TypeScript's server for the same files and nothing else.
 */
export async function measure(): Promise<readonly Measurement[]> {
  const work = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-diagnostics-')));
  try {
    const output = path.join(work, 'samples.json');
    const folder = path.join(work, 'workspace');
    mkdirSync(folder);
    await runOnServer({
      // A window that runs a suite needs an extension under test; Belay's core runs inside the suite.
      extensions: [path.join(import.meta.dirname, 'floors', 'empty-extension')],
      tests: await bundled(work),
      folder,
      env: { BELAY_BENCH_OUTPUT: output },
    });
    if (!existsSync(output)) throw new Error('the measurement did not come to its end in the extension host');
    const { file, folder: whole }: DiagnosticsSamples = JSON.parse(readFileSync(output, 'utf8'));
    return [
      {
        ...{ name: 'diagnostics of a file among 2,000', unit: 'ms', ...file },
        target: { of: 'ratio', atMost: 3 },
      },
      {
        ...{ name: 'diagnostics of a folder, 40 files asked', unit: 'ms', ...whole },
        target: { of: 'ratio', atMost: 2 },
      },
    ];
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function bundled(work: string): Promise<string> {
  const outfile = path.join(work, 'suite', 'diagnostics.js');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/bench/hosted/diagnostics.ts'],
    ...{ outfile, bundle: true, format: 'cjs', platform: 'node', target: 'node22', external: ['vscode'] },
    // Its main file is UMD, whose require() no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    logOverride: { 'empty-import-meta': 'silent' },
    logLevel: 'warning',
  });
  return outfile;
}
