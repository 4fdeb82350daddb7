// `npm test`: unit, scenarios, host and ui tests. The last line is `N passed, N failed`; skipped tests and suites that break off count
// as failed.

import { ensureBundles } from '#scripts/bootstrap/bundles.mjs';
import { exitOnSignals } from '#scripts/signals';
import { task } from '#scripts/task';
import { runVitest } from '#scripts/vitest';
import { root } from '#scripts/vsix';
import { runHostSuite } from '#test/host/support/run-host';
import { ensureBrowser } from '#test/support/real-vscode/browser';
import { ensureCodeServer } from '#test/support/real-vscode/code-server';
import { findProgram, installPackages } from '#test/support/real-vscode/system-packages';

/** How many tests of a suite passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

const SUITES = ['unit', 'scenarios', 'host', 'ui'] as const;
type Suite = (typeof SUITES)[number];

const LINE = {
  call: 'npm test --',
  takes: '[SUITE…] [FILTER…]',
  most: Number.POSITIVE_INFINITY,
  about: `Runs the suites that are named (${SUITES.join(', ')}), else all; of these the test files whose path holds one of the FILTERs, where there are any.`,
  options: {
    desktop: { type: 'boolean', about: 'the suite host in desktop VS Code, which is downloaded' },
  },
  ends: '0 when every test passed, 1 when not',
} as const;

await task(LINE, async ({ values, positionals }) => {
  exitOnSignals();
  const named = SUITES.filter((suite) => positionals.includes(suite));
  const wanted = new Set<Suite>(named.length > 0 ? named : SUITES);
  const desktop = values.desktop === true;
  const filters = positionals.filter((word) => !SUITES.some((suite) => suite === word));
  const editor =
    wanted.has('host') || wanted.has('ui') ? prepareEditor(desktop && !wanted.has('ui')) : Promise.resolve();
  // It is awaited below; until then its failure is nobody's crash.
  editor.catch(() => undefined);
  await ensureBubblewrap();

  const counts: Count[] = [];
  const plain = (['unit', 'scenarios'] as const).filter((suite) => wanted.has(suite));
  // Scenarios run as people run them, from the bundle; where that can't be built the unit tests may tell why.
  if (plain.length > 0) counts.push(await built());
  if (plain.length > 0) counts.push(await counted(plain.join(' and '), () => runVitest(plain, filters)));
  const host = () => editor.then(() => runHostSuite({ desktop, filters }));
  if (wanted.has('host')) counts.push(await counted('host', host));
  const ui = () => editor.then(() => runVitest(['ui'], filters));
  if (wanted.has('ui')) counts.push(await counted('ui', ui));

  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});

/** The editor takes a minute to fetch on a fresh machine: it comes while the first suites run. */
async function prepareEditor(isDesktop: boolean): Promise<void> {
  if (isDesktop) return;
  await Promise.all([ensureCodeServer(), ensureBrowser()]);
}

/** The sandbox's tests need it on Linux. Where it can't be installed they fail, and say what is missing. */
async function ensureBubblewrap(): Promise<void> {
  if (process.platform === 'linux' && !findProgram('bwrap')) await installPackages('bubblewrap');
}

async function built(): Promise<Count> {
  try {
    await ensureBundles(root, process.execPath);
    return { passed: 0, failed: 0 };
  } catch (error) {
    console.error(`belay: ${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  }
}

async function counted(suites: string, run: () => Promise<Count>): Promise<Count> {
  try {
    const count = await run();
    if (count.passed + count.failed > 0) return count;
    console.error(`belay: no test ran in ${suites}`);
  } catch (error) {
    console.error(`belay: ${suites} broke off: ${error instanceof Error ? error.message : error}`);
  }
  return { passed: 0, failed: 1 };
}
