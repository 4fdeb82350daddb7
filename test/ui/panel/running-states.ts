import type { ApprovalAnswer } from '#protocol/approval';
import type { EventBody } from '#protocol/event';
import type { Display } from '#protocol/tool-result';
import type { ToPanel } from '#protocol/wire';
import {
  approval,
  callId,
  folded,
  log,
  requested,
  requestId,
  SESSION,
  turnId,
} from '#test/unit/protocol/session-log';
import {
  asked,
  busy,
  COMMAND_APPROVAL,
  EDIT,
  INTRO,
  OUTPUT,
  PROMPT,
  READ,
  RUNNING,
  recent,
  running,
  SEARCH,
  todos,
} from './parser-turn';
import { call, command, edited, snapshot, text, traceOf } from './state-parts';

/** A command that a person let run in their own way. */
function allowed(id: string, summary: string, answer: Omit<ApprovalAnswer, 'answer'>): readonly EventBody[] {
  const [begun, ...rest] = call(1, id, ['run_command', summary], {
    display: command(summary, 0, 'ok'),
    ms: 4200,
    why: 'allowed once (in the panel); asked because: the mode workspace-write asks',
  });
  if (!begun) return [];
  return [
    begun,
    asked({ ...approval(`a-${id}`, id), summary }),
    {
      type: 'approval.answered',
      turnId: turnId(1),
      approvalId: `a-${id}`,
      callId: callId(id),
      answer: { answer: 'allow-once', ...answer },
      by: 'panel',
    },
    ...rest,
  ];
}

/** While a turn runs, or waits for somebody. */
export const RUNNING_STATES: Readonly<Record<string, () => readonly ToPanel[]>> = {
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
  /** It failed in the sandbox a moment ago. */
  outside: () => [
    snapshot(
      running(
        requested(1, 'c8'),
        asked({
          ...COMMAND_APPROVAL,
          summary: 'docker compose up -d',
          touches: [
            {
              kind: 'execute',
              command: 'docker compose up -d',
              cwd: '.',
              network: false,
              description: 'Starts the services',
            },
          ],
          description: 'Starts the services',
          concerns: [],
          withoutSandbox: { why: 'in the sandbox it failed: it could not reach /var/run/docker.sock' },
        }),
      ),
      { running: true },
    ),
  ],
  /** The person changed one command and let another out of the sandbox. */
  marked: () => [
    snapshot(
      running(
        ...allowed('m1', 'npm test -- lexer', { input: { command: 'npm test -- lexer' } }),
        ...allowed('m2', 'docker compose up -d', { withoutSandbox: true }),
        text(1, 'r3', 'Both ran.'),
      ),
      { running: true },
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
};
