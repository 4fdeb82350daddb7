import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '#scripts/vsix';

/** How a suite ended: how many tests passed, and of each that didn't its name and what it said. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly string[];
}

/** Vitest's JSON report, as far as it is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  /** Its path. */
  readonly name: string;
  readonly status: string;
  /** Why the file broke, where it did. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** The whole of a suite; a suite that hangs is a failure, not an endless run. */
const LIMIT_MS = 45 * 60_000;

/** Runs vitest projects, showing what they print. Whatever did not pass has failed: skipped tests and files that broke too. */
export async function runVitest(projects: readonly string[], filters: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belay-tests-'));
  const report = path.join(folder, 'report.json');
  try {
    const ended = await vitest([
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...filters,
    ]);
    const outcome = outcomeIn(JSON.parse(readFileSync(report, 'utf8')));
    if (ended === 'exit code 0' || outcome.failures.length > 0) return outcome;
    throw new Error(`vitest ended with ${ended} though no test failed (an error outside of the tests)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeIn({ numPassedTests, testResults }: Report): Outcome {
  return { passed: numPassedTests, failures: testResults.flatMap(failuresIn) };
}

function failuresIn({ name, status, message, assertionResults }: FileReport): string[] {
  const file = path.relative(root, name);
  if (status === 'failed' && assertionResults.length === 0) return [`${file}\n${message}`];
  return assertionResults
    .filter((test) => test.status !== 'passed')
    .map((test) => [`${file} › ${test.fullName} (${test.status})`, ...test.failureMessages].join('\n'));
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
