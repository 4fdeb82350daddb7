import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trackedFiles, trackedRepositories } from '#gates/unasked/tracked-files';
import { type Bench, type BenchOptions, bench, verdictOf } from '#test/unit/gates/bench';

const NO_CONFIG = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

function git({ folder }: Bench, ...args: readonly string[]): void {
  execFileSync('git', ['-C', folder.path, ...args], { env: NO_CONFIG, stdio: 'ignore' });
}

/** Everything there is to add is tracked. */
function tracked(files: Readonly<Record<string, string>>, more: BenchOptions = {}): Bench {
  const gates = bench({ files, reading: true, ...more });
  git(gates, 'init', '-q');
  git(gates, 'add', '-A', '-f');
  return gates;
}

const indexOf = ({ folder }: Bench) => readFileSync(join(folder.path, '.git/index'));
const verdicts = async (gates: Bench, ...commands: readonly string[]) => {
  const found: string[] = [];
  for (const command of commands) found.push(await verdictOf(gates.run(command), gates));
  return found;
};

const MANY = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`src/${'deep/'.repeat(at % 7)}file-${'x'.repeat(at)}.ts`, 'a\n']),
);

test.each(['2', '3', '4'])('every path of an index of version %s is found', (version) => {
  const gates = tracked({ ...MANY, 'ä ö/ü': 'a\n' });
  if (version === '3') {
    writeFileSync(join(gates.folder.path, 'later'), 'a\n');
    git(gates, 'add', '-N', 'later');
  } else git(gates, 'update-index', '--index-version', version);
  const expected = [...Object.keys(MANY), 'ä ö/ü', ...(version === '3' ? ['later'] : [])];
  expect(new Set(trackedFiles(indexOf(gates)))).toEqual(new Set(expected));
});

test('an index that can’t be read to its end says nothing', () => {
  const whole = indexOf(tracked(MANY));
  const cuts = [0, 3, 12, 100, 1000, whole.length - 200].map((length) => whole.subarray(0, length));
  const wrong = Buffer.from(whole);
  wrong.writeUInt32BE(9, 4);
  const many = Buffer.from(whole);
  many.writeUInt32BE(0xffffffff, 8);
  expect([...cuts, wrong, many].map(trackedFiles)).toEqual(Array(8).fill(undefined));
});

test('an index by SHA-256, or one in two files, says nothing', () => {
  const other = bench({ files: { a: 'a\n', b: 'b\n' } });
  git(other, 'init', '-q', '--object-format=sha256');
  git(other, 'add', '-A');
  const split = tracked(MANY);
  git(split, 'update-index', '--split-index');
  expect([trackedFiles(indexOf(other)), trackedFiles(indexOf(split))]).toEqual([undefined, undefined]);
});

test.each(['2', '3', '4'])('repositories in an index of version %s are found', (version) => {
  const gates = tracked(MANY);
  if (version === '3') git(gates, 'add', '-N', '-f', '.');
  git(gates, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},deps/inner`);
  git(gates, 'update-index', '--index-version', version);
  const none = tracked({ ...MANY, large: 'x'.repeat(0xe000) });
  git(none, 'update-index', '--index-version', version);
  expect([trackedRepositories(indexOf(gates)), trackedRepositories(indexOf(none))]).toEqual([
    ['deps/inner'],
    [],
  ]);
});

test('of a split index nobody knows which repositories it holds', () => {
  const split = tracked(MANY);
  git(split, 'update-index', '--split-index');
  expect(trackedRepositories(indexOf(split))).toBe(undefined);
});

const SHOWING = [
  'git diff',
  'git show',
  'git grep -n a',
  'git log -p',
  'git stash show -p',
  'git log -sp',
  'git diff -- .',
];
const NAMING = ['git status', 'git log --oneline', 'git diff --stat', 'git grep -l a', 'git ls-files'];

test('what shows all tracked files asks where a secret is among them; what names them, or others, doesn’t', async () => {
  const clean = tracked({ 'src/a.ts': 'a\n', '.env.example': 'KEY=\n' });
  const secret = tracked({ 'src/a.ts': 'a\n', 'deploy/.env': 'KEY=x\n' });
  expect(await verdicts(clean, ...SHOWING, ...NAMING)).toEqual(Array(12).fill('allow'));
  expect(await verdicts(secret, ...SHOWING)).toEqual(Array(7).fill('ask'));
  expect(await verdicts(secret, ...NAMING, 'git diff -- src', 'git show HEAD:src/a.ts')).toEqual(
    Array(7).fill('allow'),
  );
  expect(await verdicts(secret, 'git grep a -- deploy', 'cd deploy && git diff')).toEqual(['ask', 'ask']);
});

test('a file that a rule guards is none to be shown unasked', async () => {
  const gates = tracked({ 'src/a.ts': 'a\n', 'notes/b': 'b\n' }, { rules: { deny: ['Read(notes/**)'] } });
  expect(await verdicts(gates, 'git diff', 'git diff -- src')).toEqual(['ask', 'allow']);
});

test('nor is one that .belayignore hides: git’s history isn’t masked', async () => {
  const gates = tracked({ 'src/a.ts': 'a\n', 'notes/b': 'b\n', '.belayignore': 'notes/\n' });
  expect(await verdicts(gates, 'git diff', 'git diff -- src', 'git show HEAD:notes/b')).toEqual([
    'ask',
    'allow',
    'deny',
  ]);
});

test('where the index can’t be told, what shows files asks', async () => {
  const gates = tracked({ 'src/a.ts': 'a\n' });
  writeFileSync(join(gates.folder.path, '.git/index'), 'DIRC');
  expect(await verdicts(gates, 'git diff', 'git status')).toEqual(['ask', 'allow']);
});
