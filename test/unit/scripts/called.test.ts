import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

test.each([
  ['start', ['desktop', 'chinese', 'headless-check']],
  ['test', ['desktop']],
  ['check', []],
  ['package', []],
  ['bench', ['json']],
])('npm run %s says how it is called, and that it was called wrongly in one line', async (name, options) => {
  const call = ['start', 'test'].includes(name) ? `npm ${name} --` : `npm run ${name} --`;
  const [helped, wrong] = await Promise.all([run(name, '--help'), run(name, '--bogus')]);
  expect(helped).toMatchObject({ code: 0, stderr: '' });
  expect(helped.stdout.split('\n')[0]).toContain(`usage: ${call} [OPTIONS]`);
  expect(helped.stdout.match(/(?<=^ {2}--)\S+/gm)).toEqual([...options, 'help']);
  expect(wrong).toEqual({
    code: 2,
    stdout: '',
    stderr: `belay: Unknown option '--bogus'. How it is called: ${call} --help\n`,
  });
});

/** As the bootstrap hands over. */
function run(name: string, option: string) {
  const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
  const args = [...quiet, path.join(root, 'scripts', `${name}.ts`), option];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}
