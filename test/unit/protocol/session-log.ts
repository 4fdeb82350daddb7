import type { ApprovalRequest } from '#protocol/approval';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { AgentEvent, EventBody, SessionEvent } from '#protocol/event';
import type {
  ApprovalId,
  ArtifactId,
  CallId,
  CheckpointId,
  RequestId,
  SessionId,
  Sha256,
  TurnId,
} from '#protocol/ids';
import { emptyTranscript, type Transcript } from '#protocol/transcript';
import { foldEvents } from '#protocol/transcript-fold';

// Builders for event logs: short names for what a session says.

export const SESSION = 's1' as SessionId;
export const turnId = (turn: number) => `t${turn}` as TurnId;
export const callId = (id: string) => id as CallId;
export const requestId = (id: string) => id as RequestId;

/** Numbers bodies 1, 2, 3 …; the moment of each is its sequence in seconds. */
export function log(...bodies: readonly EventBody[]): readonly SessionEvent[] {
  return bodies.map((body, index) => ({
    ...body,
    sequence: index + 1,
    sessionId: SESSION,
    at: (index + 1) * 1000,
  }));
}

export function folded(
  events: readonly AgentEvent[],
  from: Transcript = emptyTranscript(SESSION),
): Transcript {
  return foldEvents(from, events);
}

export function started(turn: number, prompt = `prompt ${turn}`): EventBody {
  return { type: 'turn.started', turnId: turnId(turn), turn, prompt, mentions: [] };
}

export function ended(turn: number): EventBody {
  return { type: 'turn.ended', turnId: turnId(turn), status: 'done' };
}

export function requested(turn: number, id: string, name = 'run_command'): EventBody {
  return {
    type: 'tool.requested',
    turnId: turnId(turn),
    callId: callId(id),
    name,
    inputSha256: 'i',
    inputBytes: 2,
  };
}

export function said(turn: number, request: string, text: string): EventBody {
  return {
    type: 'model.completed',
    turnId: turnId(turn),
    requestId: requestId(request),
    text,
    reasoning: '',
    usage: { inputTokens: 10, outputTokens: 1 },
    finish: 'stop',
  };
}

export function streamed(turn: number, request: string, delta: string): AgentEvent {
  return {
    type: 'live.text',
    sessionId: SESSION,
    turnId: turnId(turn),
    requestId: requestId(request),
    kind: 'text',
    delta,
  };
}

export function approval(id: string, call: string): ApprovalRequest {
  return {
    id: id as ApprovalId,
    sessionId: SESSION,
    callId: callId(call),
    inputSha256: 'sha',
    tool: 'run_command',
    summary: 'npm test',
    subject: 'npm test',
    description: 'Runs the tests',
    risk: 'execute',
    touches: [
      { kind: 'execute', command: 'npm test', cwd: '.', network: false, description: 'Runs the tests' },
    ],
    concerns: [],
    suggestedRule: 'run_command(npm test)',
    ruleChoices: ['run_command(npm test)', 'run_command(npm test:*)'],
    sandbox: { active: true, words: 'sandboxed' },
    network: false,
  };
}

export function checkpoint(turn: number): CheckpointSummary {
  return {
    id: `cp${turn}` as CheckpointId,
    turnId: turnId(turn),
    turn,
    prompt: `prompt ${turn}`,
    at: 5,
    state: 'sealed',
    files: [
      {
        path: 'a.ts',
        operation: 'modify',
        before: { kind: 'file', sha256: 'x' as Sha256, bytes: 1, mode: 420 },
        after: { kind: 'absent' },
        added: 1,
        removed: 2,
      },
    ],
    commandChanges: [{ path: 'dist/a.js', operation: 'create', command: 'npm run build' }],
    omittedCommandChanges: 3,
  };
}

/** One event of every type: a new type doesn't compile until it stands here. */
export const EVERY_EVENT: { readonly [T in EventBody['type']]: Extract<EventBody, { readonly type: T }> } = {
  'session.created': { type: 'session.created', title: 'New' },
  'session.titled': { type: 'session.titled', title: 'Fix it' },
  'session.rewound': { type: 'session.rewound', toSequence: 2, operation: 'o', scope: 'all', turns: [9] },
  'session.unwound': { type: 'session.unwound', operation: 'o' },
  'session.forked': { type: 'session.forked', from: 's0' as SessionId, title: 'Old', turn: 2 },
  'mode.changed': { type: 'mode.changed', mode: 'prompt' },
  'model.changed': { type: 'model.changed', modelId: 'demo' },
  'turn.started': {
    type: 'turn.started',
    turnId: turnId(1),
    turn: 1,
    prompt: 'p',
    mentions: [{ kind: 'file', path: 'a.ts' }],
  },
  'message.queued': { type: 'message.queued', turnId: turnId(1), text: 'also' },
  'message.delivered': { type: 'message.delivered', turnId: turnId(1), text: 'also' },
  'model.requested': {
    type: 'model.requested',
    turnId: turnId(1),
    requestId: requestId('r'),
    step: 1,
    modelId: 'demo',
    toolNames: ['read_file'],
    toolSchemaSha256: 'x',
    activatedTools: [],
  },
  'model.retrying': {
    type: 'model.retrying',
    turnId: turnId(1),
    requestId: requestId('r'),
    attempt: 2,
    attempts: 5,
    delayMs: 800,
    reason: '529',
  },
  'model.completed': {
    type: 'model.completed',
    turnId: turnId(1),
    requestId: requestId('r'),
    text: 'x',
    reasoning: 'y',
    usage: { inputTokens: 1 },
    finish: 'stop',
  },
  'rules.loaded': {
    type: 'rules.loaded',
    turnId: turnId(1),
    files: [{ path: 'AGENTS.md', sha256: 'a', state: 'whole', hidden: 0 }],
  },
  'conversation.compacting': { type: 'conversation.compacting', turnId: turnId(1), cause: 'window' },
  'conversation.compacted': {
    type: 'conversation.compacted',
    turnId: turnId(1),
    cause: 'window',
    how: 'outputs',
    before: 900,
    after: 400,
    problem: 'The model could not be reached.',
  },
  'tool.requested': {
    type: 'tool.requested',
    turnId: turnId(1),
    callId: callId('c'),
    name: 'read_file',
    inputSha256: 'x',
    inputBytes: 3,
  },
  'tool.gated': {
    type: 'tool.gated',
    turnId: turnId(1),
    callId: callId('c'),
    summary: 'Read a.ts',
    trace: [{ stage: 'parse', verdict: 'pass', why: '', ms: 0.1 }],
  },
  'approval.requested': { type: 'approval.requested', turnId: turnId(1), request: approval('a', 'c') },
  'approval.answered': {
    type: 'approval.answered',
    turnId: turnId(1),
    approvalId: 'a',
    callId: callId('c'),
    answer: { answer: 'allow-session', rule: 'x' },
    by: 'notification',
  },
  'tool.started': {
    type: 'tool.started',
    turnId: turnId(1),
    callId: callId('c'),
    name: 'read_file',
    risk: 'read',
    sideEffect: false,
    schemaSha256: 'x',
  },
  'tool.completed': {
    type: 'tool.completed',
    turnId: turnId(1),
    callId: callId('c'),
    name: 'read_file',
    status: 'error',
    code: 'timed_out',
    contentBytes: 1,
    contentSha256: 'x',
    display: {
      kind: 'diff',
      title: 'a.ts',
      path: 'a.ts',
      operation: 'rename',
      from: 'b.ts',
      added: 1,
      removed: 0,
      hunks: [{ oldStart: 1, newStart: 1, lines: ['+x'] }],
    },
    artifact: { id: 'art' as ArtifactId, bytes: 60_000 },
    trace: [],
    ms: 4,
  },
  'hook.reported': {
    type: 'hook.reported',
    turnId: turnId(1),
    callId: callId('c'),
    event: 'PostToolUse',
    hook: '"check" (user settings)',
    kind: 'problem',
    text: 'it failed with 1',
  },
  'tools.changed': { type: 'tools.changed', version: 2, toolNames: ['x'] },
  'todos.changed': {
    type: 'todos.changed',
    todos: [{ content: 'Do', activeForm: 'Doing', status: 'pending' }],
  },
  'checkpoint.sealed': { type: 'checkpoint.sealed', turnId: turnId(1), checkpoint: checkpoint(1) },
  'checkpoint.changed': { type: 'checkpoint.changed', turnId: turnId(1), checkpoint: checkpoint(1) },
  'checkpoint.undone': {
    type: 'checkpoint.undone',
    operation: 'o',
    turns: [1],
    checkpointIds: ['cp1' as CheckpointId],
    files: ['a.ts'],
  },
  'checkpoint.redone': {
    type: 'checkpoint.redone',
    operation: 'o',
    turns: [1],
    checkpointIds: ['cp1' as CheckpointId],
    files: ['a.ts'],
  },
  'checkpoint.pruned': { type: 'checkpoint.pruned', turns: [1], checkpointIds: ['cp1' as CheckpointId] },
  'files.kept': { type: 'files.kept' },

  'turn.ended': {
    type: 'turn.ended',
    turnId: turnId(1),
    status: 'failed',
    problem: { kind: 'auth', title: 'x', detail: 'y' },
  },
};
