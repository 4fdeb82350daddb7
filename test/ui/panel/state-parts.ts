import type { EventBody } from '#protocol/event';
import type { ArtifactId } from '#protocol/ids';
import type { PanelState } from '#protocol/panel-state';
import { MODES } from '#protocol/settings';
import type { Todo } from '#protocol/todo';
import type { GateLine } from '#protocol/tool-call';
import type { DiffHunk, Display } from '#protocol/tool-result';
import type { Transcript } from '#protocol/transcript';
import type { ToPanel } from '#protocol/wire';
import { callId, requested, requestId, SESSION, turnId } from '#test/unit/protocol/session-log';

// What the states of the panel are put together from: folded from events, never made by hand.

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
  changes: { files: 0, added: 0, removed: 0, turns: [], paths: [], notUndoable: [], list: [] },
  background: [],
  canRedo: false,
  canRedoFiles: false,
};

export const ONE_CHANGE: PanelState['changes'] = {
  files: 1,
  added: 3,
  removed: 1,
  turns: [1],
  paths: ['src/parser.ts'],
  notUndoable: [],
  list: [{ path: 'src/parser.ts', turn: 1, operation: 'modify', added: 3, removed: 1 }],
};

export const TODOS: readonly Todo[] = [
  {
    content: 'Find where numbers are parsed',
    activeForm: 'Finding where numbers are parsed',
    status: 'completed',
  },
  { content: 'Run the parser tests', activeForm: 'Running the parser tests', status: 'in_progress' },
  { content: 'Fix the stale import', activeForm: 'Fixing the stale import', status: 'pending' },
  { content: 'Run all tests', activeForm: 'Running all tests', status: 'pending' },
];

export const HUNK: DiffHunk = {
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

export function text(
  turn: number,
  request: string,
  words: string,
): Extract<EventBody, { type: 'model.completed' }> {
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

export interface CallFacts {
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

export const read: Display = {
  kind: 'text',
  title: 'src/parser.ts',
  fields: [{ key: 'lines', value: '1–120' }],
  body: '1→import { fail } from "./fail";\n2→',
};
export const searched: Display = {
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
export const command = (line: string, exitCode: number, body: string): Display => ({
  kind: 'command',
  title: line,
  command: line,
  body,
  exitCode,
});
