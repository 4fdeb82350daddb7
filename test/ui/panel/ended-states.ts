import type { CompactionResult } from '#protocol/compaction';
import type { EventBody } from '#protocol/event';
import type { ToPanel } from '#protocol/wire';
import { folded, log, SESSION, started, turnId } from '#test/unit/protocol/session-log';
import {
  busy,
  DONE,
  EDIT,
  ended,
  finished,
  INTRO,
  longSession,
  OUTPUT,
  PROMPT,
  RAN,
  READ,
  RUNNING,
  recent,
  running,
  SEARCH,
  seal,
  sealed,
  todos,
} from './parser-turn';
import { call, ONE_CHANGE, snapshot, text } from './state-parts';

function compacted(how: CompactionResult, before: number, after: number, problem?: string): EventBody {
  const why = problem === undefined ? {} : { problem };
  return { type: 'conversation.compacted', turnId: turnId(1), cause: 'window', how, before, after, ...why };
}

/** Turns that ended one way or another, and what stands around a conversation. */
export const ENDED_STATES: Readonly<Record<string, () => readonly ToPanel[]>> = {
  compacted: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          INTRO,
          ...READ,
          compacted('outputs', 164_000, 92_000),
          ...SEARCH,
          compacted('summary', 166_000, 41_000),
          ...EDIT,
          compacted('none', 168_000, 168_000, 'The model wrote no summary.'),
          { ...text(1, 'r9', 'Done.'), context: { used: 36_400, window: 200_000 } },
          ended('done'),
          { type: 'conversation.compacting', turnId: turnId(1), cause: 'asked' },
        ),
      ),
      { running: true },
    ),
  ],
  error: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          INTRO,
          ...READ,
          ...SEARCH,
          ...EDIT,
          ended('failed', {
            kind: 'auth',
            title: 'Anthropic refused the key (401)',
            detail: 'The turn stopped. 1 changed file and your message are kept.',
          }),
        ),
      ),
      { changes: ONE_CHANGE },
    ),
  ],
  cancelled: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          INTRO,
          ...READ,
          ...SEARCH,
          ...EDIT,
          ...call(1, 'c4', ['run_command', 'npm test -- parser'], { status: 'cancelled', ms: 6000 }),
          seal(),
          ended('cancelled'),
        ),
      ),
      { changes: ONE_CHANGE },
    ),
  ],
  crash: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          ...EDIT,
          ...call(1, 'c4', ['run_command', 'npm test -- parser'], { status: 'unknown', code: 'interrupted' }),
          seal(),
          ended('interrupted'),
        ),
      ),
      { changes: ONE_CHANGE, interrupted: true },
    ),
  ],
  readonly: () => [
    snapshot(
      folded(
        log(
          started(1, 'where are numbers parsed?'),
          ...SEARCH,
          text(
            1,
            'r3',
            'In [src/parser.ts:41](src/parser.ts:41). It calls `parseInt`, which drops decimals.',
          ),
          ended('done'),
        ),
      ),
      { trusted: false },
    ),
  ],
  elsewhere: () => [
    snapshot(folded(recent(log(PROMPT, ...READ, ...EDIT))), { elsewhere: true, changes: ONE_CHANGE }),
  ],
  todos: () => [
    snapshot(running(...READ, ...SEARCH, ...EDIT, todos, ...RUNNING), busy),
    { type: 'events', sessionId: SESSION, events: [OUTPUT] },
  ],
  changes: () => [
    snapshot(folded(log(PROMPT, INTRO, ...READ, ...SEARCH, ...EDIT, ...RAN, DONE, seal(2), ended('done'))), {
      changes: {
        files: 2,
        added: 5,
        removed: 2,
        turns: [1],
        paths: ['src/parser.ts', 'test/parser.test.ts'],
        notUndoable: [],
        list: [
          { path: 'src/parser.ts', turn: 1, operation: 'modify', added: 3, removed: 1 },
          { path: 'test/parser.test.ts', turn: 1, operation: 'modify', added: 2, removed: 1 },
        ],
      },
    }),
  ],
  undone: () => [
    snapshot(
      folded(
        log(PROMPT, ...EDIT, DONE, seal(), ended('done'), {
          type: 'checkpoint.undone',
          operation: 'o',
          turns: [1],
          checkpointIds: [sealed().id],
          files: ['src/parser.ts'],
        }),
      ),
      { canRedo: true },
    ),
  ],
  commandChanges: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          ...EDIT,
          DONE,
          {
            type: 'checkpoint.sealed',
            turnId: turnId(1),
            checkpoint: {
              ...sealed(),
              commandChanges: [
                { path: 'dist/index.js', operation: 'create', command: 'npm run build' },
                { path: 'src/parser.ts', operation: 'modify', command: 'npm run format' },
              ],
            },
          },
          ended('done'),
        ),
      ),
      { changes: { ...ONE_CHANGE, notUndoable: ['dist/index.js'] } },
    ),
  ],
  folders: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          DONE,
          {
            type: 'checkpoint.sealed',
            turnId: turnId(1),
            checkpoint: { ...sealed(0), folders: [{ path: 'src/new', operation: 'create' }] },
          },
          ended('done'),
        ),
      ),
      { canRedoFiles: true },
    ),
  ],
  conflict: () => [
    snapshot(finished, { changes: ONE_CHANGE }),
    {
      type: 'restore-outcome',
      sessionId: SESSION,
      title: 'Nothing was undone: 2 files are not as Belay left them',
      conflicts: [
        { path: 'src/parser.ts', why: 'Edited by hand after Belay’s change', mergeable: true },
        { path: 'test/parser.test.ts', why: 'Changed by the command npm run format after Belay’s change' },
      ],
      retry: { turn: 1, scope: 'files' },
    },
  ],
  notice: () => [
    snapshot(finished, { changes: ONE_CHANGE }),
    {
      type: 'notice',
      sessionId: SESSION,
      severity: 'error',
      title: 'That did not work',
      detail: 'src/gone.ts is not there.',
    },
  ],
  trace: () => [
    snapshot(
      folded(
        log(
          PROMPT,
          INTRO,
          ...READ,
          ...EDIT,
          ...RAN,
          ...call(1, 'g', ['run_command', 'git push'], {
            status: 'denied',
            code: 'permission_denied',
            why: 'denied by the rule Bash(git push:*) (.belay/settings.json:7)',
          }),
          ended('denied'),
        ),
      ),
      { changes: ONE_CHANGE },
    ),
  ],
  finished: () => [snapshot(finished, { changes: ONE_CHANGE })],
  markdown: () => [
    snapshot(folded(log(started(1, 'show me everything'), text(1, 'm', MARKDOWN), ended('done')))),
  ],
  danger: () => [
    snapshot(folded(log(PROMPT, DONE, ended('done'), { type: 'mode.changed', mode: 'danger-full-access' }))),
  ],
  long: () => [snapshot(longSession(40), { changes: { ...ONE_CHANGE, files: 9, added: 64, removed: 61 } })],
};

const MARKDOWN = `# Heading one
Some **bold**, *italic*, ~~struck~~, \`code\` and a [web link](https://example.com/a?b=c), a [file](src/parser.ts:41), a [bad one](javascript:alert(1)).

## Heading two
1. First
2. Second
   - nested
   - items with \`code\`

\`\`\`ts
export function parseNumber(text: string): number {
  return Number.parseFloat(text); // a rather long line that has to scroll sideways in its box
}
\`\`\`

> A quote
> of two lines

| Name | Count |
| :--- | ---: |
| a | 1 |
| b | 22 |

---

<b>html stays text</b> and ![an image](https://example.com/x.png)
`;
