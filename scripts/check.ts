// `npm run check`: types, lint and format, and the tests of architecture, manifest and messages, all at once.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { task } from '#scripts/task';
import { root } from '#scripts/vsix';

interface Check {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

/** Tools that write into a pipe don't know whether a person reads it in the end; biome colours even then. */
const IN_COLOUR = process.stdout.isTTY === true;
const { NO_COLOR: _no, FORCE_COLOR: _force, ...variables } = process.env;
const ENVIRONMENT = { ...variables, ...(IN_COLOUR ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) };
const COLORS = `--colors=${IN_COLOUR ? 'force' : 'off'}`;

const TYPESCRIPT = 'typescript/bin/tsc';
const LAW = ['architecture', 'manifest', 'l10n'].map((name) => `test/unit/${name}.test.ts`);

const CHECKS: readonly Check[] = [
  { name: 'types', script: TYPESCRIPT, args: ['--noEmit', '--project', '.'] },
  { name: 'types of the panel', script: TYPESCRIPT, args: ['--noEmit', '--project', 'src/webview'] },
  {
    name: 'lint and format',
    script: '@biomejs/biome/bin/biome',
    args: ['ci', '--error-on-warnings', COLORS],
  },
  {
    name: 'house, manifest and messages',
    script: 'vitest/vitest.mjs',
    args: ['run', '--project', 'unit', ...LAW],
  },
];

const LINE = {
  call: 'npm run check --',
  about: 'Checks types, lint and format, architecture, manifest and messages. Prints what is wrong.',
  options: {},
  ends: '0 when nothing is wrong, 1 when something is',
} as const;

await task(LINE, async () => {
  const begun = performance.now();
  const outputs = await Promise.all(CHECKS.filter(isThere).map(runCheck));
  const failed = outputs.filter((output) => output !== undefined);
  for (const output of failed) console.log(output);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (failed.length > 0) process.exitCode = 1;
  const passed = outputs.length - failed.length;
  console.log(`${passed} checks passed, ${failed.length} failed (${seconds} s)`);
});

/** The panel has a compiler configuration of its own, which comes with it. */
function isThere({ args }: Check): boolean {
  return !args.includes('src/webview') || existsSync(path.join(root, 'src/webview/tsconfig.json'));
}

/** Answers what a failed check printed. */
function runCheck({ name, script, args }: Check): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const program = path.join(root, 'node_modules', script);
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0 ? undefined : `── ${name}\n${output.trim()}\n`));
  });
}
