import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { tempFolder } from '#test/support/temp-folder';
import { buildOnce, run } from './support/run-scenario';

beforeAll(buildOnce, 120_000);

const FILES = { 'src/a.ts': 'a\n', '.git/config': '[core]\n' };

async function gate(...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(['gate', '--workspace', tempFolder(FILES).path, ...args]);
  if (code !== 0) return { code, stdout, stderr };
  return JSON.parse(stdout);
}

test('gate says how a line would be judged: its commands, its class, the verdict and why', async () => {
  expect(await gate('cd src && cat a.ts | wc -l')).toEqual({
    simple: [
      { words: ['cd', 'src'], class: 'read-only' },
      { words: ['cat', 'a.ts'], class: 'read-only' },
      { words: ['wc', '-l'], class: 'read-only' },
    ],
    class: 'read-only',
    understood: true,
    verdict: 'allow',
    because: ['it only goes to another folder; it only reads'],
  });
  expect(await gate('ls && sudo rm -rf build')).toMatchObject({
    simple: [{ class: 'read-only' }, { words: ['sudo', 'rm', '-rf', 'build'], class: 'forbidden' }],
    class: 'forbidden',
    verdict: 'forbidden',
    because: ['sudo rm -rf build: it gains other privileges or leaves the sandbox'],
  });
  expect(await gate('--sandbox', 'no', 'ls')).toMatchObject({
    class: 'read-only',
    verdict: 'ask',
    because: ['the mode workspace-write asks', 'runs without a sandbox: no sandbox'],
  });
});

test('gate judges by the rules of a file and by the mode', async () => {
  const { path } = tempFolder({});
  const rules = join(path, 'rules.json');
  writeFileSync(rules, JSON.stringify({ allow: ['Bash(npm test)'], deny: ['Bash(curl:*)'] }));
  expect(await gate('--rules', rules, 'cd src && npm test')).toMatchObject({
    verdict: 'allow',
    because: ['allowed by the rule Bash(npm test) (user settings)'],
  });
  expect(await gate('--rules', rules, '--mode', 'allow', 'env curl x')).toMatchObject({ verdict: 'deny' });
  expect(await gate('--mode', 'read-only', 'ls')).toMatchObject({ verdict: 'deny' });
});

test('gate takes many lines, one JSON for each, in order', async () => {
  const { path } = tempFolder({});
  const lines = join(path, 'lines.jsonl');
  const rows = [
    { command: 'ls', shell: 'bash' },
    { command: '', shell: 'bash' },
    { command: 'Get-ChildItem', shell: 'pwsh' },
    { command: 'ls', shell: 'zsh' },
    { command: 'format c:', shell: 'cmd' },
  ];
  writeFileSync(lines, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  const { stdout } = await run(['gate', '--workspace', path, '--lines', lines]);
  const found = stdout.trim().split('\n');
  expect(found.map((line) => JSON.parse(line).verdict)).toEqual(['allow', 'ask', 'ask', 'ask', 'forbidden']);
});

test.each([
  [],
  ['a', 'b'],
  ['--mode', 'x', 'ls'],
  ['--rules', '/nowhere', 'ls'],
  ['--sandbox', 'maybe', 'ls'],
])('gate called wrongly ends with 2: %j', async (...args) => {
  expect(await gate(...args)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^(belay|gate): .*\n$/),
  });
});
