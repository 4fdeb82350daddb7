import { expect, test } from 'vitest';
import { bench, verdictOf } from './bench';

const PACKAGE = { scripts: { test: 'node --test', build: 'tsc' } };
const text = (value: unknown) => JSON.stringify(value, null, 2);

async function allowed(
  rule: string,
  files: Readonly<Record<string, string>> = { 'package.json': text(PACKAGE) },
) {
  const gates = bench({ files, answers: [{ answer: 'allow-session', rule }] });
  await gates.run('npm test');
  return { gates, verdict: () => verdictOf(gates.run('npm test'), gates) };
}

test('PE-23 a remembered rule for a script asks again once the scripts have changed, and holds again with the old ones', async () => {
  const { gates, verdict } = await allowed('run_command(npm test)');
  expect(await verdict()).toBe('allow');
  gates.folder.write({ 'package.json': text({ ...PACKAGE, version: '2' }) });
  expect(await verdict()).toBe('allow');
  gates.folder.write({ 'package.json': text({ scripts: { ...PACKAGE.scripts, pretest: 'sh evil.sh' } }) });
  expect(await verdict()).toBe('ask');
  gates.folder.write({ 'package.json': text(PACKAGE) });
  expect(await verdict()).toBe('allow');
});

test('PE-23 a package.json that comes, goes or can’t be read any more is a change', async () => {
  const { gates, verdict } = await allowed('Bash(npm test:*)', {});
  expect(await verdict()).toBe('allow');
  gates.folder.write({ 'package.json': '{' });
  expect(await verdict()).toBe('ask');
  gates.folder.write({ 'package.json': text(PACKAGE) });
  expect(await verdict()).toBe('ask');
});

test('PE-23 a rule given in one folder says nothing about another’s scripts', async () => {
  const { gates } = await allowed('run_command(npm test)', {
    'package.json': text(PACKAGE),
    'sub/package.json': text({ scripts: { test: 'sh evil.sh' } }),
  });
  expect(await verdictOf(gates.run('npm test', { cwd: 'sub' }), gates)).toBe('ask');
});

test('what runs no script is none of this', async () => {
  const gates = bench({
    files: { 'package.json': text(PACKAGE) },
    answers: [{ answer: 'allow-session', rule: 'run_command(make)' }],
  });
  await gates.run('make');
  gates.folder.write({ 'package.json': '{}' });
  expect(await verdictOf(gates.run('make'), gates)).toBe('allow');
});

test.each([
  ['cd sub && npm test', 'sub/package.json'],
  ['(cd sub; cd deep && npm test)', 'sub/deep/package.json'],
  ['cd sub/deep && npm test', 'sub/package.json'],
  ['npm --prefix sub test', 'sub/package.json'],
  ['npm --pref=sub test', 'sub/package.json'],
  ['npm -C sub test', 'sub/package.json'],
])('PE-23 %j runs other scripts once there are some in %s', async (command, file) => {
  const { gates } = await allowed('Bash(npm:*)', { 'package.json': text(PACKAGE), 'sub/deep/a': '' });
  expect(await verdictOf(gates.run(command), gates)).toBe('allow');
  gates.folder.write({ [file]: text({ scripts: { test: 'sh evil.sh' } }) });
  expect(await verdictOf(gates.run(command), gates)).toBe('ask');
});
