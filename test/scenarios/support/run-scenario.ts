import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ScenarioReport } from '#headless/scenario';
import { ensureBundles } from '../../../scripts/bootstrap/bundles.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

export interface ScenarioRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Builds the bundle if the sources changed; call it once before the first run. */
export async function buildOnce(): Promise<void> {
  await ensureBundles(root, process.execPath);
}

/** Runs a scenario as `npm run scenario` does, in a process of its own. */
export async function runScenarioText(text: string): Promise<ScenarioRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-scenario-test-'));
  const file = path.join(folder, 'scenario.json');
  writeFileSync(file, text);
  try {
    return await run(['scenario', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The report of a scenario that must run. */
export async function runScenario(scenario: unknown): Promise<ScenarioReport> {
  const { code, stdout, stderr } = await runScenarioText(JSON.stringify(scenario));
  if (code !== 0) throw new Error(`the scenario ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as ScenarioReport;
}

/** Runs the headless program with arguments of its own. */
export function run(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ScenarioRun> {
  const bundle = path.join(root, 'dist', 'headless.js');
  const options = { env: { ...process.env, ...variables }, maxBuffer: 64 * 1024 * 1024 };
  const node = ['--disable-warning=ExperimentalWarning', bundle, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, node, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}
