// The module of `extensionTestsPath`: the extension host calls run(). Results leave it as a file, since a host's output goes to a log.
import { globSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import type { HostResults } from '#test/host/support/host-run';

/** A guard against hanging, not a measure of speed. */
const TEST_LIMIT_MS = 180_000;

export function run(): Promise<void> {
  const results = requiredVariable('BELAY_HOST_RESULTS');
  const suite = requiredVariable('BELAY_HOST_SUITE');
  const mocha = new Mocha({ ui: 'tdd', timeout: TEST_LIMIT_MS, reporter: 'min' });
  // The editor's console is not a terminal: the reporter's lines would drown its log.
  Mocha.reporters.Base.consoleLog = () => undefined;
  for (const file of globSync('**/*.test.js', { cwd: suite }).sort()) mocha.addFile(path.join(suite, file));
  const passed: string[] = [];
  const failed: { title: string; why: string }[] = [];
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      leave(results, { passed, failed });
      if (failures > 0) reject(new Error(`${failures} tests failed`));
      else resolve();
    });
    runner.on('pass', (test) => passed.push(test.fullTitle()));
    runner.on('pending', (test) => failed.push({ title: test.fullTitle(), why: 'skipped' }));
    runner.on('fail', (test, error) =>
      failed.push({ title: test.fullTitle(), why: error.stack ?? error.message }),
    );
  });
}

/** A file under its final name is whole. */
function leave(file: string, results: HostResults): void {
  writeFileSync(`${file}.partial`, JSON.stringify(results));
  renameSync(`${file}.partial`, file);
}

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the suite is started by npm run test:host`);
  return value;
}
