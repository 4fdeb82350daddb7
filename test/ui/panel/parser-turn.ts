import type { ApprovalRequest } from '#protocol/approval';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { AgentEvent, EventBody, TurnStatus } from '#protocol/event';
import type { Sha256 } from '#protocol/ids';
import type { Transcript } from '#protocol/transcript';
import {
  approval,
  callId,
  checkpoint,
  folded,
  log,
  requested,
  SESSION,
  started,
  turnId,
} from '#test/unit/protocol/session-log';
import { call, command, edited, ONE_CHANGE, read, searched, TODOS, text } from './state-parts';

// The turn that most states show: a failing parser test is fixed.

export const INTRO = text(1, 'r1', 'The test expects `1.5` and gets `1`. I’ll look at the parser first.');
export const READ = call(1, 'c1', ['read_file', 'Read src/parser.ts'], { display: read });
export const SEARCH = call(1, 'c2', ['search_files', 'Search parseNumber'], { display: searched, ms: 21 });
export const EDIT = call(1, 'c3', ['edit_file', 'Edit src/parser.ts'], { display: edited, ms: 12 });
export const RAN = call(1, 'c4', ['run_command', 'npm test -- parser'], {
  display: command('npm test -- parser', 0, 'Tests  12 passed (12)\nTime   3.91 s'),
  ms: 4200,
  why: 'your rule for this session',
});
export const DONE = text(
  1,
  'r9',
  'All 12 parser tests pass. `parseNumber` now keeps decimals and rejects text that is not a number.',
);
export const PROMPT = started(1, 'fix the failing parser test');

export function ended(
  status: TurnStatus,
  problem?: Extract<EventBody, { type: 'turn.ended' }>['problem'],
): EventBody {
  return { type: 'turn.ended', turnId: turnId(1), status, ...(problem ? { problem } : {}) };
}

/** A command that runs; its line of output follows as a live event. */
export const RUNNING: readonly EventBody[] = [
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
export const OUTPUT: AgentEvent = {
  type: 'live.output',
  sessionId: SESSION,
  turnId: turnId(1),
  callId: callId('c8'),
  lastLine: 'PASS test/lexer.test.ts (12 tests) 1.2 s',
};

/** `log` dates events near 1970; a panel shows elapsed time, so running turns begin 14 seconds ago. */
export function recent(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.map((event) => ('at' in event ? { ...event, at: Date.now() - 14_000 } : event));
}

export const running = (...bodies: readonly EventBody[]) =>
  folded(recent([...log(PROMPT, INTRO, ...bodies)]));

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
export const seal = (files = 1): EventBody => ({
  type: 'checkpoint.sealed',
  turnId: turnId(1),
  checkpoint: sealed(files),
});

export const COMMAND_APPROVAL: ApprovalRequest = {
  ...approval('a1', 'c8'),
  summary: 'npm test -- parser',
  touches: [
    {
      kind: 'execute',
      command: 'npm test -- parser',
      cwd: '.',
      network: false,
      description: 'Runs the parser tests',
    },
  ],
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

export const todos: EventBody = { type: 'todos.changed', todos: TODOS };
export const finished = folded(
  log(PROMPT, INTRO, ...READ, ...SEARCH, ...EDIT, ...RAN, DONE, seal(), ended('done')),
);
export const busy = { running: true, changes: ONE_CHANGE };

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
