import type { EventBody } from '#protocol/event';
import type { Display } from '#protocol/tool-result';
import type { ToPanel } from '#protocol/wire';
import { ended, folded, log, started } from '#test/unit/protocol/session-log';
import { call, command, edited, read, searched, snapshot } from './state-parts';

/** What each tool that makes one shows, with its row: all six kinds, and what each looks like with nothing in it. */
const CALLS: readonly (readonly [tool: string, summary: string, display: Display, artifact?: number])[] = [
  ['read_file', 'Read src/parser.ts', read],
  [
    'read_file',
    'Read empty.txt',
    { kind: 'text', title: 'empty.txt', fields: [{ key: 'lines', value: 'empty' }], body: '' },
  ],
  [
    'run_command',
    'npm test',
    {
      ...command(
        'npm test',
        1,
        'FAIL src/parser.test.ts\n  parses decimals\n    expected 1.5, got 1\n\n1 failed, 12 passed',
      ),
      fields: [
        { key: 'duration', value: '4.2 s' },
        { key: 'sandbox', value: 'bubblewrap' },
        { key: 'left out', value: '78894 characters' },
      ],
    },
    108_894,
  ],
  ['run_command', 'true', command('true', 0, '')],
  [
    'run_command',
    'for f in src/*.ts; do\n  npx tsc --noEmit "$f" || echo "$f fails"\ndone',
    command(
      'for f in src/*.ts; do\n  npx tsc --noEmit "$f" || echo "$f fails"\ndone',
      0,
      'src/index.ts fails',
    ),
  ],
  ['search_files', 'Search parseNumber', searched],
  ['search_files', 'Search nowhere', { kind: 'search', title: 'nowhere', body: '', hits: 0, files: 0 }],
  ['edit_file', 'Edit src/parser.ts', edited],
  [
    'rename_file',
    'Rename a.ts to b.ts',
    {
      kind: 'diff',
      title: 'a.ts → b.ts',
      path: 'b.ts',
      from: 'a.ts',
      operation: 'rename',
      added: 0,
      removed: 0,
      hunks: [],
    },
  ],
  [
    'read_artifact',
    'Read a long output',
    { kind: 'artifact', title: 'a long output', fields: [{ key: 'lines', value: '1201–1400' }], body: '' },
    108_894,
  ],
  [
    'mcp__tracker__find',
    'Find open issues',
    {
      kind: 'json',
      title: '',
      body: JSON.stringify(
        { issues: [{ id: 41, title: 'Decimals are cut', open: true }], next: null },
        null,
        2,
      ),
    },
  ],
];

/** Hostile strings, wherever a display has one. */
const EVIL =
  'a\u202Egnp.exe\u2066 <img src=x onerror=alert(1)> [x](command:belay.approve) \u001b[2J\u200b\u0000';
const long = (sign: string) =>
  Array.from({ length: 480 }, (_, line) => `${sign}line ${line} ${'x'.repeat(20)}`);
const HOSTILE: readonly (readonly [tool: string, summary: string, display: Display])[] = [
  ['read_file', EVIL, { kind: 'text', title: EVIL, fields: [{ key: EVIL, value: EVIL }], body: EVIL }],
  [
    'run_command',
    EVIL,
    { ...command(EVIL, 0, `${EVIL}\n${'wide '.repeat(400)}`), fields: [{ key: EVIL, value: EVIL }] },
  ],
  ['search_files', EVIL, { kind: 'search', title: EVIL, body: EVIL, hits: 1, files: 1 }],
  [
    'edit_file',
    EVIL,
    {
      kind: 'diff',
      title: EVIL,
      path: EVIL,
      operation: 'modify',
      added: 9000,
      removed: 1,
      hunks: [{ oldStart: 1, newStart: 1, lines: [`-${EVIL}`, ...long('+')] }],
    },
  ],
  [
    'read_artifact',
    EVIL,
    { kind: 'artifact', title: EVIL, fields: [{ key: 'hits', value: EVIL }], body: '' },
  ],
  ['mcp__evil__tool', EVIL, { kind: 'json', title: EVIL, body: JSON.stringify({ [EVIL]: EVIL }) + EVIL }],
];

/** One turn whose calls show all kinds of displays. */
export function displays(which: 'plain' | 'hostile'): readonly ToPanel[] {
  const calls: readonly (readonly [string, string, Display, number?])[] = which === 'plain' ? CALLS : HOSTILE;
  const events: EventBody[] = calls.flatMap(([tool, summary, display, artifact], index) => [
    ...call(1, `c${index}`, [tool, summary], { display, ...(artifact ? { artifact } : {}) }),
  ]);
  return [snapshot(folded(log(started(1, 'show everything'), ...events, ended(1))))];
}
