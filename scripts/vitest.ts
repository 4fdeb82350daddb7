import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '#scripts/vsix';

/** Vitest's JSON report, as far as it is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly unknown[];
  }[];
}

/** The whole of a suite; a suite that hangs is a failure, not an endless run. */
const LIMIT_MS = 45 * 60_000;

/** Runs vitest projects, showing what they print, and counts. Whatever did not pass has failed: skipped tests and files that broke too. */
export async function runVitest(
  projects: readonly string[],
  filters: readonly string[],
): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belay-tests-'));
  const report = path.join(folder, 'report.json');
  try {
    const ended = await vitest([
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...filters,
    ]);
    const count = countReport(JSON.parse(readFileSync(report, 'utf8')));
    if (ended === 'exit code 0' || count.failed > 0) return count;
    throw new Error(`vitest ended with ${ended} though no test failed (an error outside of the tests)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countReport({ numPassedTests, numTotalTests, testResults }: Report): {
  passed: number;
  failed: number;
} {
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const notPassed = numTotalTests - numPassedTests;
  return { passed: numPassedTests, failed: notPassed + broken.length };
}

function vitest(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      resolve(signal ?? `exit code ${code}`);
    });
  });
}
