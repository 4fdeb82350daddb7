import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { READERS } from '#commands/classes/readers';
import { SPECIAL } from '#commands/classes/special';
import { classifyLine } from '#commands/classify';
import { readLabelled } from '#test/support/corpus/read';
import { sandboxLab } from '#test/support/sandbox-lab';

/** Mutated programs in all; those taken for read-only are run by bash. */
const PROGRAMS = 3000;
const SEED = 20_261_130;

/** What no line that only reads may start. Each is a marker here: it notes that it ran and does nothing. */
const OFF_THE_LIST =
  'touch rm sh bash dash env xargs tee curl m x cp mv tar python3 npm make eval.sh sudo parallel'.split(' ');
const ON_THE_LIST = [...Object.keys(READERS), ...Object.keys(SPECIAL), 'git', 'timeout', 'nice'];

/** Pieces of the grammar, hostile and plain. */
const PIECES = [
  ...[
    '$(touch m)',
    '`touch m`',
    '<(touch m)',
    '>(touch m)',
    '${x:=`touch m`}',
    '${x:-$(touch m)}',
    '$((`touch m`))',
  ],
  ...[';touch m', '&touch m', '|touch m', '|&touch m', '&&touch m', '||touch m', '\ntouch m', '\r\ntouch m'],
  ...[
    'touch',
    'rm',
    ' m ',
    'sh ',
    'env ',
    'x=1 ',
    'ls ',
    'cat ',
    'echo ',
    'f ',
    "$'\\x74ouch' m",
    't\\ouch m',
  ],
  ...[
    '\\',
    '\\\n',
    '\n',
    '\r',
    '\t',
    '\u00a0',
    ' ',
    '"',
    "'",
    '$',
    '`',
    '#',
    '!',
    '~',
    '*',
    '?',
    '[',
    ']',
    '=',
  ],
  ...['(', ')', '{', '}', '{ ', ' }', '((', '))', '[[ ', ' ]]', ';', '&', '|', '&&', '||', '|&', ';;'],
  ...[
    '<',
    '>',
    '>>',
    '<&-',
    '>&-',
    '<&1',
    '>&2',
    '2>&1',
    '&>f',
    '<>f',
    '>|f',
    '{fd}>',
    '3<',
    '<f',
    '>/dev/null',
  ],
  ...['<<E\n', '\nE\n', "<<'E'\n", '<<-E\n', '<<<', '<<< $(touch m)', 'E'],
  ...[
    'if ',
    'then ',
    'fi',
    'while ',
    'do ',
    'done',
    'case x in ',
    'esac',
    'for f in a; do ',
    'function ls ',
    'ls() ',
  ],
  ...[
    'coproc ',
    'time ',
    'exec ',
    'eval ',
    'command ',
    'builtin ',
    'trap ',
    'alias ls=touch',
    'timeout 5 ',
    'nice ',
  ],
];
const SEEDS = [
  'ls -la src && wc -l f',
  'cat f | sort | uniq -c | head -3',
  'cd src; ls; cd ..',
  'grep -n x f || echo none',
  '(ls; cat f) | wc -l',
  '{ ls; } 2>&1',
  'echo "a $? b" \'c d\' e\\ f',
  'cat <<E\nplain $(ls) text\nE',
  "cat <<'E'\n$(touch m) `touch m`\nE",
  'cat <<-E\n\tindented\n\tE',
  'wc -l < f',
  'ls 2>/dev/null >&2',
  'echo $(cat f) "$(ls)"',
  '! grep -q x f',
  'time ls',
  'test -f f && echo yes',
  '[ -d src ]; echo $?',
  'timeout 5 cat f',
  'LC_ALL=C ls',
  'set -e; ls; true',
];

test('bash runs nothing but readers of what is taken for read-only', { timeout: 55_000 }, async () => {
  const allowed = programs().filter((line) => classifyLine(line, 'bash').class === 'read-only');
  // The oracle is seen to see: the last program runs a marker.
  const ran = await runInBash([...allowed, 'ls; touch m']);
  const off = new Set(OFF_THE_LIST);
  const caught = ran.marks.filter(({ name }) => off.has(name));
  const control = caught.filter(({ program }) => program === allowed.length);
  const missed = caught.filter(({ program }) => program !== allowed.length);
  expect(missed.map(({ program, name }) => ({ line: allowed[program], name }))).toEqual([]);
  expect(control.map(({ name }) => name)).toEqual(['touch']);
  expect(ran.files).toEqual(['f', 'src']);
  // Enough of them were allowed and really ran something.
  expect(allowed.length).toBeGreaterThan(300);
  expect(new Set(ran.marks.map(({ program }) => program)).size).toBeGreaterThan(150);
});

/** Seeds and lines of the corpus, spliced, cut and filled with pieces. The same ones each time. */
function programs(): readonly string[] {
  const random = generator(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const corpus = readLabelled().filter(
    ({ shell, class: label }) => shell === 'bash' && label !== 'forbidden',
  );
  const seeds = [...SEEDS, ...SEEDS, ...SEEDS, ...corpus.map(({ line }) => line)];
  const mutate = (line: string): string => {
    const at = Math.floor(random() * (line.length + 1));
    const kind = random();
    if (kind < 0.6) return line.slice(0, at) + pick(PIECES) + line.slice(at);
    if (kind < 0.8) return line.slice(0, at) + line.slice(at + 1 + Math.floor(random() * 4));
    if (kind < 0.9) return line.slice(0, at) + pick(seeds).slice(Math.floor(random() * 8));
    return `${line}${pick([' ; ', ' | ', ' && ', '\n', ' '])}${pick(seeds)}`;
  };
  return Array.from({ length: PROGRAMS }, () => {
    let line = pick(seeds);
    for (let rounds = Math.floor(random() * 4); rounds > 0; rounds--) line = mutate(line);
    return line;
  });
}

/** mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Ran {
  /** Which program ran which name, in order. */
  readonly marks: readonly { readonly program: number; readonly name: string }[];
  /** What lies where the programs ran. */
  readonly files: readonly string[];
}

/** In one sandbox, where every name that PATH finds is a marker. It fails where there is no sandbox: nothing is run outside one. */
async function runInBash(lines: readonly string[]): Promise<Ran> {
  const lab = sandboxLab();
  try {
    const marker = '#!/bin/sh\necho "$PROGRAM ${0##*/}" >>"$MARKS"\n';
    for (const name of [...ON_THE_LIST, ...OFF_THE_LIST]) {
      if (name !== ':' && name !== '[') lab.write(`workspace/names/${name}`, marker, 0o755);
    }
    for (const [index, line] of lines.entries()) lab.write(`workspace/programs/${index}`, line);
    lab.write('workspace/place/f', 'a\nb\n');
    lab.write('workspace/place/src/g', 'c\n');
    const { workspace } = lab;
    const { code, output } = await lab.run(`exec /bin/bash --norc --noprofile -c '
      cd ${workspace}/place; export MARKS=${workspace}/marks; ulimit -t 20
      for ((i = 0; i < ${lines.length}; i++)); do
        line=$(<${workspace}/programs/$i)
        PROGRAM=$i PATH=${workspace}/names /bin/bash --norc --noprofile -c "$line" </dev/null >/dev/null 2>&1
      done; exit 0'`);
    if (code !== 0) throw new Error(`the oracle failed: ${output}`);
    const marks = readFileSync(join(workspace, 'marks'), 'utf8').trim().split('\n');
    return {
      marks: marks.map((mark) => {
        const [program, name = ''] = mark.split(' ');
        return { program: Number(program), name };
      }),
      files: readdirSync(join(workspace, 'place')).sort(),
    };
  } finally {
    lab.dispose();
  }
}
