import { expect, test } from 'vitest';
import { parseToPanel } from '#protocol/panel-schema';
import type { PanelState } from '#protocol/panel-state';
import type { ToPanel } from '#protocol/wire';
import { approval, EVERY_EVENT, folded, log, SESSION, started, streamed, turnId } from './session-log';

const state: PanelState = {
  folder: { kind: 'choose', names: ['api', 'web'] },
  trusted: true,
  sessionId: 's1',
  sessions: [{ id: 's1', title: 'Fix', at: 5, running: true, waiting: 1 }],
  modes: ['read-only', 'prompt'],
  models: [{ id: 'demo', name: 'Demo model', detail: 'offline' }],
  modelId: 'demo',
  running: true,
  elsewhere: false,
  suggestions: ['Fix it'],
  slashCommands: [{ name: 'undo', usage: '/undo', description: 'Take back' }],
  sandbox: { active: true, words: 'sandboxed' },
  problem: { title: 'x', detail: 'y' },
  interrupted: false,
  changes: {
    ...{ files: 1, added: 1, removed: 2, turns: [1], paths: ['a.ts'], notUndoable: ['b.ts'] },
    list: [{ path: 'a.ts', turn: 1, operation: 'modify', added: 1, removed: 2 }],
  },
  background: [{ id: 'c1', command: 'npm run dev', running: true, ending: '', taken: false }],
  canRedo: true,
  canRedoFiles: true,
};
const everyEvent = log(...Object.values(EVERY_EVENT));
const waiting = folded(
  log(started(1), {
    type: 'approval.requested',
    turnId: turnId(1),
    request: { ...approval('a', 'c'), preview: { kind: 'text', title: 't', body: 'b' } },
  }),
);

/** One message of every type: a new type doesn't compile until it stands here. */
const MESSAGES: { readonly [T in ToPanel['type']]: Extract<ToPanel, { readonly type: T }> } = {
  snapshot: { type: 'snapshot', state, transcript: folded(everyEvent) },
  state: { type: 'state', state },
  events: { type: 'events', sessionId: SESSION, events: [...everyEvent, streamed(1, 'r', 'x')] },
  'resources-found': {
    type: 'resources-found',
    requestId: 1,
    resources: [{ uri: 'mcp:s:a', name: 'a', owner: 'the MCP server s', description: '' }],
  },
  'give-back': {
    type: 'give-back',
    sessionId: 's',
    text: '/x',
    mentions: [
      { kind: 'file', path: 'a' },
      { kind: 'resource', uri: 'mcp:s:a', name: 'a' },
    ],
  },
  'files-found': { type: 'files-found', requestId: 1, files: [{ path: 'a.ts', positions: [0] }] },
  'restore-outcome': {
    type: 'restore-outcome',
    sessionId: SESSION,
    title: 'x',
    conflicts: [{ path: 'a', why: 'b' }],
    retry: { turn: 1, scope: 'files', only: true },
  },
  page: {
    type: 'page',
    sessionId: SESSION,
    wish: { place: 'before', turn: 2 },
    page: { turns: waiting.turns, approvals: waiting.approvals, before: 1, after: 2 },
  },
  'show-sessions': { type: 'show-sessions' },
  'sessions-found': {
    type: 'sessions-found',
    requestId: 1,
    answer: {
      indexing: true,
      found: [
        {
          ...{
            sessionId: 's',
            title: 't',
            folder: undefined,
            archived: true,
            at: 1,
            turn: 2,
            kind: 'answer',
          },
          snippet: [{ text: 'x', hit: true }],
        },
      ],
    },
  },
  reveal: { type: 'reveal', sessionId: SESSION, turn: 1 },
  notice: { type: 'notice', sessionId: undefined, severity: 'error', title: 'x', detail: 'y' },
  'focus-composer': { type: 'focus-composer' },
  'insert-text': { type: 'insert-text', text: 'x' },
};

test.each(Object.values(MESSAGES))('a well-formed $type message arrives whole', (message) => {
  expect(parseToPanel(message)).toEqual(message);
});

test('a transcript with an open approval arrives whole', () => {
  expect(parseToPanel({ type: 'snapshot', state, transcript: waiting })).toEqual({
    type: 'snapshot',
    state,
    transcript: waiting,
  });
});

test.each([
  ['no object', 'hello'],
  ['an unknown type', { type: 'run-script', text: 'x' }],
  ['a state without its folder', { type: 'state', state: { ...state, folder: undefined } }],
  ['a mode that does not exist', { type: 'state', state: { ...state, modes: ['root'] } }],
  [
    'an event of an unknown type',
    { type: 'events', sessionId: 's1', events: [{ type: 'x', sequence: 1, sessionId: 's1', at: 0 }] },
  ],
  [
    'an event without its sequence',
    { type: 'events', sessionId: 's1', events: [{ ...EVERY_EVENT['mode.changed'], sessionId: 's1', at: 0 }] },
  ],
  [
    'a position that is no number',
    { type: 'files-found', requestId: 1, files: [{ path: 'a', positions: ['0'] }] },
  ],
])('drops %s', (_what, message) => {
  expect(parseToPanel(message)).toBeUndefined();
});
