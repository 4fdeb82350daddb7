import { expect, test } from 'vitest';
import { protectedNames } from '#gates/hooks/hook-files';
import type { AbsolutePath } from '#protocol/ids';
import { hooksOf } from '#test/support/hook-scripts';

const ROOT = '/work space/app' as AbsolutePath;

function namesOf(command: string): readonly string[] {
  const settings = { protectedFiles: ['.vscode/'], hooks: hooksOf('PreToolUse', command) };
  return protectedNames(settings, [], ROOT).slice(1);
}

test.each([
  ['./scripts/guard.sh', ['/scripts/guard.sh']],
  ['"$CLAUDE_PROJECT_DIR"/tools/guard.sh --fast', ['/tools/guard.sh']],
  [`\${CLAUDE_PROJECT_DIR}/tools/guard.sh`, ['/tools/guard.sh']],
  ['node tools/guard.mjs', ['/tools/guard.mjs']],
  ['/usr/bin/python3 -u hooks/a.py data.json', ['/hooks/a.py']],
  ['node --import ./load.mjs main.js', ['/load.mjs', '/main.js']],
  ['bun run check.ts', ['/check.ts']],
  ['. ./env.sh && bash lint.sh', ['/env.sh', '/lint.sh']],
  ['env A=1 timeout 5 ruby a.rb', ['/a.rb']],
  ["sh -c './inner.sh'", ['/inner.sh']],
  ['jq . | ./a[1].sh', []],
  ["'./a[1].sh'", ['/a\\[1\\].sh']],
  ['cat; node x.js', ['/x.js']],
] as const)('what a hook runs of the workspace is protected: %s', (command, names) => {
  expect(namesOf(command)).toEqual(names);
});

test.each([
  'npx prettier --write src/',
  'eslint ./src package.json',
  'node -e "console.log(1)"',
  '/usr/local/bin/guard',
  '../outside.sh',
  'echo ./a.sh',
  'node .',
  '$(x',
])('what it only names, or has elsewhere, is not: %s', (command) => {
  expect(namesOf(command)).toEqual([]);
});

test('hooks of files that do not count protect nothing, and the list stays the same object', () => {
  const protectedFiles = ['.vscode/'];
  const hooks = hooksOf('Stop', './stop.sh');
  const of = (counts: boolean) => protectedNames({ protectedFiles, hooks: {} }, [{ counts, hooks }], ROOT);
  expect([of(false), of(true)]).toEqual([['.vscode/'], ['.vscode/', '/stop.sh']]);
  const [first, second] = [of(true), of(true)];
  expect([of(false) === protectedFiles, first === second]).toEqual([true, true]);
});
