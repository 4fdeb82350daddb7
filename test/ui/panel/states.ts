import type { ApprovalRequest } from '#protocol/approval';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { AgentEvent, EventBody, TurnStatus } from '#protocol/event';
import type { ArtifactId, Sha256 } from '#protocol/ids';
import { MODES } from '#protocol/settings';
import type { Todo } from '#protocol/todo';
import type { GateLine } from '#protocol/tool-call';
import type { DiffHunk, Display } from '#protocol/tool-result';
import type { Transcript } from '#protocol/transcript';
import type { PanelState, ToPanel } from '#protocol/wire';
import {
  approval,
  callId,
  checkpoint,
  folded,
  log,
  requested,
  requestId,
  SESSION,
  started,
  turnId,
} from '#test/unit/protocol/session-log';

// Each state of the panel as messages that the extension would send: folded from events, never made by hand.

export const STATE: PanelState = {
  folder: { kind: 'open', name: 'sample' },
  trusted: true,
  sessionId: SESSION,
  sessions: [],
  modes: MODES,
  models: [
    { id: 'demo', name: 'Demo model', detail: 'offline' },
    { id: 'ollama/qwen3-coder', name: 'qwen3-coder:30b', detail: 'Ollama' },
    { id: 'copilot/gpt-5-mini', name: 'GPT-5 mini', detail: 'Copilot' },
    { id: 'anthropic/claude', name: 'Claude Sonnet', detail: 'Anthropic, key refused' },
  ],
  modelId: 'demo',
  running: false,
  elsewhere: false,
  suggestions: [
    'Fix the failing test in parser.test.ts',
    'Explain the 3 problems in src',
    'Review my 2 uncommitted files',
  ],
  slashCommands: [
    { name: 'undo', usage: '/undo', description: 'Take back the files of the last turn' },
    {
      name: 'undo files',
      usage: '/undo files N',
      description: 'Take back the files of turn N and all turns after it',
    },
    { name: 'redo', usage: '/redo', description: 'Bring them back' },
    { name: 'stop', usage: '/stop', description: 'Stop the running turn' },
    { name: 'help', usage: '/help', description: 'List these commands' },
  ],
  sandbox: { active: true, words: 'sandboxed' },
  interrupted: false,
  changes: { files: 0, added: 0, removed: 0, turns: [], paths: [], notUndoable: [] },
  canRedo: false,
};

export const ONE_CHANGE: PanelState['changes'] = {
  files: 1,
  added: 3,
  removed: 1,
  turns: [1],
  paths: ['src/parser.ts'],
  notUndoable: [],
};

const TODOS: readonly Todo[] = [
  {
    content: 'Find where numbers are parsed',
    activeForm: 'Finding where numbers are parsed',
    status: 'completed',
  },
  { content: 'Run the parser tests', activeForm: 'Running the parser tests', status: 'in_progress' },
  { content: 'Fix the stale import', activeForm: 'Fixing the stale import', status: 'pending' },
  { content: 'Run all tests', activeForm: 'Running all tests', status: 'pending' },
];

const HUNK: DiffHunk = {
  oldStart: 41,
  newStart: 41,
  lines: [
    ' function parseNumber(text: string) {',
    '-  return parseInt(text);',
    '+  const n = Number.parseFloat(text);',
    '+  if (Number.isNaN(n)) throw fail(text);',
    '+  return n;',
    ' }',
  ],
};

export function snapshot(transcript: Transcript, state: Partial<PanelState> = {}): ToPanel {
  return { type: 'snapshot', state: { ...STATE, ...state }, transcript };
}

export function text(turn: number, request: string, words: string): EventBody {
  return {
    type: 'model.completed',
    turnId: turnId(turn),
    requestId: requestId(request),
    text: words,
    reasoning: '',
    usage: {},
    finish: 'stop',
  };
}

interface CallFacts {
  readonly display?: Display;
  readonly ms?: number;
  readonly why?: string;
  readonly status?: 'success' | 'error' | 'denied' | 'cancelled' | 'unknown';
  readonly code?: Extract<EventBody, { type: 'tool.completed' }>['code'];
  readonly artifact?: number;
  readonly begun?: boolean;
}

/** All events of one call that ended. */
export function call(
  turn: number,
  id: string,
  [name, summary]: readonly [string, string],
  facts: CallFacts = {},
): readonly EventBody[] {
  const {
    display,
    ms = 8,
    why = 'mode workspace-write',
    status = 'success',
    code,
    artifact,
    begun = status !== 'denied',
  } = facts;
  const trace = traceOf(why, status === 'denied' ? 'stop' : 'pass');
  const common = { turnId: turnId(turn), callId: callId(id), name };
  return [
    requested(turn, id, name),
    { type: 'tool.gated', turnId: turnId(turn), callId: callId(id), summary, trace },
    ...(begun
      ? [{ type: 'tool.started', ...common, risk: 'execute', sideEffect: true, schemaSha256: 's' } as const]
      : []),
    {
      type: 'tool.completed',
      ...common,
      status,
      contentBytes: 1,
      contentSha256: 's',
      trace,
      ms,
      ...(code ? { code } : {}),
      ...(display ? { display } : {}),
      ...(artifact ? { artifact: { id: 'a1' as ArtifactId, bytes: artifact } } : {}),
    },
  ];
}

export function traceOf(why: string, verdict: GateLine['verdict']): readonly GateLine[] {
  const line = (stage: string, words: string, ms: number): GateLine => ({
    stage,
    verdict: 'pass',
    why: words,
    ms,
  });
  const before = [
    line('find-tool', '', 0.02),
    line('origin', 'built into Belay', 0.01),
    line('parse', '', 0.02),
    line('schema', '', 0.03),
    line('validate', '', 0.1),
    line('classify', 'execute: runs a project script', 0.4),
  ];
  const permission: GateLine = { stage: 'permission', verdict, why, ms: 0.2 };
  return verdict === 'stop'
    ? [...before, permission]
    : [...before, permission, line('confine', 'workspace only, no network', 6)];
}

const read: Display = {
  kind: 'text',
  title: 'src/parser.ts',
  fields: [{ key: 'lines', value: '1–120' }],
  body: '1→import { fail } from "./fail";\n2→',
};
const searched: Display = {
  kind: 'search',
  title: 'parseNumber',
  body: 'src/parser.ts:41: function parseNumber(text: string) {\nsrc/index.ts:7: parseNumber',
  hits: 14,
  files: 6,
};
export const edited: Display = {
  kind: 'diff',
  title: 'src/parser.ts',
  path: 'src/parser.ts',
  operation: 'modify',
  added: 3,
  removed: 1,
  hunks: [HUNK],
};
const command = (line: string, exitCode: number, body: string): Display => ({
  kind: 'command',
  title: line,
  command: line,
  body,
  exitCode,
});

const INTRO = text(1, 'r1', 'The test expects `1.5` and gets `1`. I’ll look at the parser first.');
const READ = call(1, 'c1', ['read_file', 'Read src/parser.ts'], { display: read });
const SEARCH = call(1, 'c2', ['search_files', 'Search parseNumber'], { display: searched, ms: 21 });
const EDIT = call(1, 'c3', ['edit_file', 'Edit src/parser.ts'], { display: edited, ms: 12 });
const RAN = call(1, 'c4', ['run_command', 'npm test -- parser'], {
  display: command('npm test -- parser', 0, 'Tests  12 passed (12)\nTime   3.91 s'),
  ms: 4200,
  why: 'your rule for this session',
});
const DONE = text(
  1,
  'r9',
  'All 12 parser tests pass. `parseNumber` now keeps decimals and rejects text that is not a number.',
);
const PROMPT = started(1, 'fix the failing parser test');

export function ended(
  status: TurnStatus,
  problem?: Extract<EventBody, { type: 'turn.ended' }>['problem'],
): EventBody {
  return { type: 'turn.ended', turnId: turnId(1), status, ...(problem ? { problem } : {}) };
}

/** A command that runs; its line of output follows as a live event. */
const RUNNING: readonly EventBody[] = [
  requested(1, 'c8'),
  { type: 'tool.gated', turnId: turnId(1), callId: callId('c8'), summary: 'npm test -- parser', trace: [] },
  {
    type: 'tool.started',
    turnId: turnId(1),
    callId: callId('c8'),
    name: 'run_command',
    risk: 'execute',
    sideEffect: true,
    schemaSha256: 's',
  },
];
const OUTPUT: AgentEvent = {
  type: 'live.output',
  sessionId: SESSION,
  turnId: turnId(1),
  callId: callId('c8'),
  lastLine: 'PASS test/lexer.test.ts (12 tests) 1.2 s',
};

/** `log` dates events near 1970; a panel shows elapsed time, so running turns begin 14 seconds ago. */
function recent(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.map((event) => ('at' in event ? { ...event, at: Date.now() - 14_000 } : event));
}

const running = (...bodies: readonly EventBody[]) => folded(recent([...log(PROMPT, INTRO, ...bodies)]));

export function sealed(files = 1): CheckpointSummary {
  const summary = checkpoint(1);
  const file = (path: string, added: number, removed: number) => ({
    path,
    operation: 'modify' as const,
    added,
    removed,
    before: { kind: 'file' as const, sha256: 'a' as Sha256, bytes: 1, mode: 420 },
    after: { kind: 'file' as const, sha256: 'b' as Sha256, bytes: 1, mode: 420 },
  });
  return {
    ...summary,
    files: [file('src/parser.ts', 3, 1), file('test/parser.test.ts', 2, 1)].slice(0, files),
    commandChanges: [],
  };
}
const seal = (files = 1): EventBody => ({
  type: 'checkpoint.sealed',
  turnId: turnId(1),
  checkpoint: sealed(files),
});

export const COMMAND_APPROVAL: ApprovalRequest = {
  ...approval('a1', 'c8'),
  summary: 'npm test -- parser',
  description: 'Runs the parser tests',
  concerns: ['Not in the undo: writes to coverage/, which git ignores'],
  suggestedRule: 'run_command(npm test:*)',
  ruleChoices: ['run_command(npm test -- parser)', 'run_command(npm test:*)', 'run_command(npm:*)'],
};
export const asked = (request: ApprovalRequest): EventBody => ({
  type: 'approval.requested',
  turnId: turnId(1),
  request,
});

const todos: EventBody = { type: 'todos.changed', todos: TODOS };
const finished = folded(log(PROMPT, INTRO, ...READ, ...SEARCH, ...EDIT, ...RAN, DONE, seal(), ended('done')));
const busy = { running: true, changes: ONE_CHANGE };

/** Everything that the panel can look like, by name. */
export const STATES: Readonly<Record<string, () => readonly ToPanel[]>> = {
  empty: () => [snapshot(folded([]))],
  sessions: () => [
    snapshot(folded([]), {
      sessions: [
        {
          id: 'x',
          title: 'rename the tokenizer to lexer everywhere',
          at: Date.now() - 5e6,
          running: false,
          waiting: 0,
        },
        { id: 'y', title: 'and the docs?', at: Date.now() - 5e5, running: true, waiting: 1 },
      ],
    }),
  ],
  nofolder: () => [
    {
      type: 'snapshot',
      state: { ...STATE, folder: { kind: 'none' }, sessionId: undefined },
      transcript: undefined,
    },
  ],
  choose: () => [
    {
      type: 'snapshot',
      state: { ...STATE, folder: { kind: 'choose', names: ['api', 'web', 'docs'] }, sessionId: undefined },
      transcript: undefined,
    },
  ],
  problem: () => [
    {
      type: 'snapshot',
      state: {
        ...STATE,
        problem: {
          title: 'Belay can’t open its database',
          detail:
            'The file is not readable: permission denied. Nothing was changed. Give yourself the right to read it, then reload the window.',
        },
      },
      transcript: undefined,
    },
  ],
  streaming: () => [
    snapshot(
      running(
        ...READ,
        ...SEARCH,
        ...call(1, 'f', ['glob_files', 'Find test/**/*.test.ts'], {
          display: { kind: 'search', title: 'test/**/*.test.ts', body: '', hits: 9, files: 9 },
          ms: 6,
        }),
        ...call(1, 'e', ['edit_file', 'Edit src/lexer.ts'], {
          status: 'error',
          code: 'rejected_arguments',
          ms: 3,
        }),
        ...EDIT,
        ...call(1, 't', ['run_command', 'npx tsc --noEmit'], {
          ms: 2800,
          display: command(
            'npx tsc --noEmit',
            2,
            'src/index.ts:7:10 - error TS2305: Module\n"./lexer" has no exported member "Tokenizer".\n\nFound 1 error in src/index.ts:7',
          ),
        }),
        requested(1, 'd'),
        { type: 'tool.gated', turnId: turnId(1), callId: callId('d'), summary: 'rm -rf dist', trace: [] },
        asked({ ...approval('ad', 'd'), summary: 'rm -rf dist' }),
        {
          type: 'approval.answered',
          turnId: turnId(1),
          approvalId: 'ad',
          callId: callId('d'),
          answer: { answer: 'deny-once', feedback: 'not now' },
          by: 'panel',
        },
        {
          type: 'tool.completed',
          turnId: turnId(1),
          callId: callId('d'),
          name: 'run_command',
          status: 'denied',
          code: 'permission_denied',
          contentBytes: 1,
          contentSha256: 's',
          trace: traceOf('you denied it', 'stop'),
          ms: 1,
        },
        text(1, 'r2', 'The types point at a stale import. I’ll run the parser tests, then fix that line.'),
        todos,
        ...RUNNING,
      ),
      busy,
    ),
    { type: 'events', sessionId: SESSION, events: [OUTPUT] },
  ],
  queued: () => [
    snapshot(
      running(...READ, ...SEARCH, ...EDIT, todos, ...RUNNING, {
        type: 'message.queued',
        turnId: turnId(1),
        text: 'also check exponents like 1e3',
      }),
      busy,
    ),
    { type: 'events', sessionId: SESSION, events: [OUTPUT] },
  ],
  working: () => [snapshot(running(...READ), { running: true })],
  approval: () => [
    snapshot(
      running(
        ...READ,
        ...SEARCH,
        ...EDIT,
        todos,
        requested(1, 'c8'),
        asked(COMMAND_APPROVAL),
        asked({ ...approval('a2', 'c9') }),
      ),
      busy,
    ),
  ],
  unconfined: () => [
    snapshot(
      running(
        requested(1, 'c8'),
        asked({
          ...COMMAND_APPROVAL,
          sandbox: { active: false, words: 'bwrap was not found' },
          network: true,
        }),
      ),
      busy,
    ),
  ],
  writeApproval: () => [
    snapshot(
      running(
        requested(1, 'c8', 'edit_file'),
        asked({
          ...approval('a3', 'c8'),
          tool: 'edit_file',
          summary: 'Edit .vscode/tasks.json',
          risk: 'workspace-write',
          description: '',
          touches: [{ kind: 'write', path: '.vscode/tasks.json', operation: 'modify' }],
          concerns: ['writes to .vscode/tasks.json, which can make the editor run code'],
          suggestedRule: 'edit_file(.vscode/tasks.json)',
          ruleChoices: ['edit_file(.vscode/tasks.json)'],
          preview: { ...edited, title: '.vscode/tasks.json', path: '.vscode/tasks.json' } as Display,
        }),
      ),
      { running: true },
    ),
  ],
  retrying: () => [
    snapshot(
      folded(
        recent(
          log(PROMPT, INTRO, ...READ, ...SEARCH, ...EDIT, {
            type: 'model.retrying',
            turnId: turnId(1),
            requestId: requestId('r5'),
            attempt: 2,
            attempts: 5,
            delayMs: 22_000,
            reason: 'Anthropic answered 529: overloaded',
          }),
        ),
      ),
      busy,
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
  conflict: () => [
    snapshot(finished, { changes: ONE_CHANGE }),
    {
      type: 'restore-outcome',
      sessionId: SESSION,
      title: 'Nothing was undone: 2 files are not as Belay left them',
      conflicts: [
        { path: 'src/parser.ts', why: 'Edited by hand after Belay’s change' },
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
            why: 'deny rule git push:* of user settings',
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

/** Many turns with rows and text, as an afternoon makes them. */
export function longSession(turns: number): Transcript {
  const bodies = Array.from({ length: turns }, (_, index) => index + 1).flatMap((turn): EventBody[] => [
    started(turn, `prompt ${turn}: rename the tokenizer to lexer everywhere`),
    ...call(turn, `s${turn}`, ['search_files', 'Search Tokenizer'], {
      display: { ...searched, title: 'Tokenizer' },
      ms: 24,
    }),
    ...call(turn, `e${turn}`, ['edit_file', 'Edit src/lexer.ts'], {
      display: { ...edited, title: 'src/deeply/nested/folder/of/things/lexer.ts' },
      ms: 14,
    }),
    ...call(turn, `r${turn}`, ['run_command', 'npm test'], {
      display: command('npm test', 0, 'ok'),
      ms: 6100,
    }),
    text(
      turn,
      `t${turn}`,
      `\`Tokenizer\` is now \`Lexer\` in 9 files. All 48 tests pass (${turn}).\n\n- \`export { Lexer as Tokenizer }\` carries a deprecation note.\n- The docs still say *tokenizer* in two places; I left those.`,
    ),
    { type: 'turn.ended', turnId: turnId(turn), status: 'done' },
  ]);
  return folded(log(...bodies));
}

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
