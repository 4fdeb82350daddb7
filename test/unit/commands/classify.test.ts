import { expect, test } from 'vitest';
import { classifyLine } from '#commands/classify';
import { readLabelled } from '#test/support/corpus/read';

const classOf = (line: string) => classifyLine(line, 'bash').class;

test('nothing of the corpus that does more than read is taken for read-only', () => {
  const wrong = readLabelled()
    .filter((row) => row.class !== 'read-only')
    .filter(({ line, shell }) => classifyLine(line, shell).class === 'read-only');
  expect(wrong).toEqual([]);
});

test('nearly every harmless line of the corpus is seen to only read', () => {
  const harmless = readLabelled().filter(
    ({ class: label, shell, notBy }) => label === 'read-only' && shell === 'bash' && notBy.length === 0,
  );
  const missed = harmless.filter(({ line }) => classOf(line) !== 'read-only').map(({ line }) => line);
  expect(missed).toEqual([]);
});

test.each([
  'cat -n README.md src/a.ts',
  'head -20 a',
  'tail -n +5 a',
  'grep -rn --include=*.ts -e x src',
  'rg -n "a b" -g "*.ts" src',
  'find . -name "*.ts" -not -path "./node_modules/*" -type f',
  'sed -n 1,20p a',
  "sed -n '/begin/,/end/p' a",
  "sed 's/a/b/g' a",
  "awk '{print $1, $2}' a",
  "awk -F: 'NR==3 {print $1}' a",
  `awk '{print NR": "$0}' a`,
  'sort -t, -k2 a | uniq -c | head -3',
  'ls -la src/*.ts',
  'test -f a && echo yes || echo no',
  '[ -d src ]',
  'ls; echo "exit $?"',
  'set -euo pipefail; ls',
  'cd src && ls -1 | wc -l',
  '(cd src; ls)',
  '! grep -q x a',
  'time ls',
  'timeout 5 grep x a',
  'LC_ALL=C sort a',
  'cat <<E\nplain\nE',
  'cat a 2>/dev/null 1>&2',
  'command -v node',
  'node --version',
  'git -C sub log --oneline -5 -- a',
  'git diff --stat HEAD~1',
  'npm -v',
  'node -v',
  "printf '%s%%n' a",
  'ps aux',
  'ps -ef',
  'ps -C node -o pid,args',
  'grep --help',
  'git --help',
  'git config --get user.name',
  'git config core.autocrlf',
  "sed -n '10p;20p' a",
  "sed -n '1,5p; 9q' a",
  'sed 5q a',
  'cat src/{a,b}.ts',
  'ls {src,test}/a{,.b}',
  'git branch -a',
  "git tag -l 'v*'",
  'git grep -n x',
  'git stash list',
  'jq -r .scripts package.json',
])('%j only reads', (line) => {
  expect(classifyLine(line, 'bash')).toMatchObject({ understood: true, class: 'read-only' });
});

test.each([
  ['touch a', 'workspace-write'],
  ['ls > a', 'workspace-write'],
  ['find . -delete', 'workspace-write'],
  ['sed -i s/a/b/ a', 'workspace-write'],
  ["sed 's/a/b/w out' a", 'workspace-write'],
  ['git add .', 'workspace-write'],
  ['env touch a', 'workspace-write'],
  ['curl https://example.test', 'network'],
  ['git fetch', 'network'],
  ['cat a > /dev/tcp/127.0.0.1/9', 'network'],
  ['ls | sh', 'execute'],
  ['npm test', 'execute'],
  ['env', 'execute'],
  ['sh -c ls', 'execute'],
  ['timeout 5 ./x', 'execute'],
  ['LD_PRELOAD=./l.so ls', 'execute'],
  ['A=1 ls', 'execute'],
  ['A=1', 'execute'],
  ['ls &', 'execute'],
  ['for f in a b; do ls $f; done', 'execute'],
  ['f() { ls; }; f', 'execute'],
  ['[[ -f a ]]', 'execute'],
  ['cat $X', 'execute'],
  ['cat < $X', 'execute'],
  ['cat <<E\n$X\nE', 'execute'],
  ['ls ~', 'execute'],
  ["l's' -a", 'execute'],
  ['/bin/ls', 'execute'],
  ['cd -', 'execute'],
  ['cd', 'execute'],
] as const)('%j is of the class %s', (line, expected) => {
  expect(classOf(line)).toBe(expected);
});

test.each([
  'sort -o out a',
  'sort -ro out a',
  'sort --outp=out a',
  'sort --compress-program sh a',
  'uniq a b',
  'xxd a b',
  'grep -f patterns a',
  'grep -R x .',
  'rg --pre ./x y',
  'rg -z x',
  'tree -o out',
  'date -s 12:00',
  'hostname evil',
  'tail -f a',
  'diff -l a b',
  'ls --hyperlinks-of-tomorrow',
  'find . -name *.ts',
  'find . -newerXY a',
  'fd -x rm',
  'file -C -m a',
  'sed -n 1e a',
  'sed -f x a',
  'sed --expression=1e a',
  'awk \'BEGIN{system("x")}\'',
  'awk \'{print > "f"}\' a',
  "awk '{print $1}' FS=x a",
  "jq 'env' a",
  "printf -v 'x[$(y)]' a",
  "printf 'x%n' PATH",
  "printf '%5.3n' PATH",
  "printf '%*n' 3 PATH",
  "command printf '%ln' PATH",
  "test -v 'x[$(y)]'",
  'set -- a',
  'node -e 1',
  'node -v -e 1',
  'bash -v',
  'python3 -v',
  'yarn -v',
  'cargo --version',
  'go version',
  'ps e',
  'ps auxwwe',
  'ps E',
  'ps -o pid,environ',
  'jq -n \'"x" | modulemeta\'',
  'npm help install',
  'git help log',
  'git log --help',
  'git config --list',
  'git config --get remote.origin.url',
  'git config --get core.editor',
  'git config user.name x',
  'git config --get user.name --file x',
  "sed -n '1p;w out' a",
  "sed -n '1p;1e x' a",
  "sed 's/a/b/;r x' a",
  "sed '10q;s/a/b/e' a",
  'cat {a..c}',
  'cat {a,$X}',
  'cat {~,a}',
  `cat ${'{a,b}'.repeat(9)}`,
  'git -c core.pager=./e log',
  'git --exec-path=. status',
  'git -p log',
  'git log --output=a',
  'git log --outp=a',
  'git diff --ext-diff',
  'git diff --no-index a b',
  'git show --textconv',
  'git log --show-signature',
  'git log --format=%G?',
  'git grep -O./e x',
  'git grep --op=./e x',
  'git branch x',
  'git branch -D x',
  'git tag x',
  'git reflog expire --all',
  'git remote add x y',
  'git stash',
  'git -C a -C b log',
  'git help -m git',
])('what a flag could do counts: %j is not read-only', (line) => {
  expect(classOf(line)).not.toBe('read-only');
});

test('the paths that are read are told, with how deep', () => {
  const line = classifyLine("cd src && grep -rn 'x' a/b && wc -l *.ts < c && diff -q d e", 'bash');
  expect(
    line.simple.map((each) => each.reads?.paths.map(({ text, deep }) => `${text}${deep ? '/' : ''}`)),
  ).toEqual([['src'], ['a/b/'], ['*.ts', 'c'], ['d/', 'e/']]);
});

test('PowerShell, cmd and other shells are never understood', () => {
  for (const shell of ['powershell', 'cmd', 'other'] as const)
    expect(classifyLine('ls', shell)).toMatchObject({ understood: false, class: 'execute' });
});

test('a hostile line costs little time', () => {
  const lines = [
    `awk '${' '.repeat(3900)}' a`,
    `sed 's/${'a'.repeat(3900)}' a`,
    `sed -n '/${'a '.repeat(1900)}' a`,
    `find . ${'-exec find . '.repeat(300)}`,
    `${'timeout 5 '.repeat(390)}ls`,
    `git ${'-C a '.repeat(900)}log`,
    `ls ${'-'.repeat(3900)}`,
  ];
  const start = performance.now();
  for (const line of lines) classifyLine(line, 'bash');
  expect(performance.now() - start).toBeLessThan(10_000);
});
