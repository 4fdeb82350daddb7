// `npm test`: unit, scenarios, host and ui tests. What failed is told once more at the end, for whoever sees only the end of a log. The
// last line is `N passed, N failed`; skipped tests and suites that break off count as failed.

import { ensureBundles } from '#scripts/bootstrap/bundles.mjs';
import { exitOnSignals } from '#scripts/signals';
import { task } from '#scripts/task';
import { type Outcome, runVitest } from '#scripts/vitest';
import { root } from '#scripts/vsix';
import { runHostSuite } from '#test/host/support/run-host';
import { ensureBrowser } from '#test/support/real-vscode/browser';
import { ensureCodeServer } from '#test/support/real-vscode/code-server';
import { findProgram, installPackages } from '#test/support/real-vscode/system-packages';

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

  const outcomes: Outcome[] = [];
  const plain = (['unit', 'scenarios'] as const).filter((suite) => wanted.has(suite));
  // Scenarios run as people run them, from the bundle; where that can't be built the unit tests may tell why.
  if (plain.length > 0) outcomes.push(await built());
  if (plain.length > 0) outcomes.push(await outcomeOf(plain.join(' and '), () => runVitest(plain, filters)));
  const host = () => editor.then(() => runHostSuite({ desktop, filters }));
  if (wanted.has('host')) outcomes.push(await outcomeOf('host', host));
  const ui = () => editor.then(() => runVitest(['ui'], filters));
  if (wanted.has('ui')) outcomes.push(await outcomeOf('ui', ui));

  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  for (const failure of failures) console.log(` × ${failure.replaceAll('\n', '\n   ')}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  if (failures.length > 0) process.exitCode = 1;
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

async function built(): Promise<Outcome> {
  try {
    await ensureBundles(root, process.execPath);
    return { passed: 0, failures: [] };
  } catch (error) {
    return { passed: 0, failures: [`the bundles can't be built: ${words(error)}`] };
  }
}

async function outcomeOf(suites: string, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    const outcome = await run();
    if (outcome.passed + outcome.failures.length > 0) return outcome;
    return { passed: 0, failures: [`no test ran in ${suites}`] };
  } catch (error) {
    return { passed: 0, failures: [`${suites} broke off: ${words(error)}`] };
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
