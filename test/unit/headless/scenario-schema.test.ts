import { expect, test } from 'vitest';
import { readScenario } from '#headless/scenario';
import { settingsSchema } from '#protocol/settings';

const read = (value: unknown) => readScenario(JSON.stringify(value));
const turn = { prompt: 'go' };

test('fills in every default', () => {
  const scenario = read({ steps: [turn] });
  const settings = { ...settingsSchema.parse({}), assumeSandbox: false };
  expect(scenario).toEqual({
    ok: true,
    value: {
      workspace: {},
      outside: {},
      settings,
      policy: {},
      project: { settings: {}, trusted: true, accepted: true },
      steps: [{ prompt: 'go', model: [], answers: [], during: [] }],
    },
  });
});

test('takes the whole example of the format', () => {
  const example = {
    workspace: {
      'a.txt': 'text',
      'b.bin': { base64: 'AAE=' },
      l: { symlink: '../outside/x' },
      p: { fifo: true },
      d: { dir: true },
      's.sh': { text: '#!/bin/sh\n', mode: '755' },
    },
    outside: { x: 'beside the workspace; its path is ${OUTSIDE}' },
    settings: {
      mode: 'workspace-write',
      permissions: { allow: [], ask: [], deny: [] },
      hooks: {},
      sandbox: 'workspace-only',
    },
    policy: {},
    project: { settings: {}, trusted: true, accepted: true },
    steps: [
      {
        prompt: 'do it',
        cancelAfter: { after: 'tool.started', call: 'c1' },
        model: [
          {
            text: '…',
            calls: [
              { id: 'c1', name: 'read_file', input: { path: 'a.txt' } },
              { id: 'c2', name: 'edit_file', rawInput: '{not json' },
            ],
          },
          { error: { status: 429, retryAfter: 0 } },
          { cut: true },
          { text: 'done' },
        ],
        answers: ['allow-once', { answer: 'deny-session', rule: 'Bash(x)', feedback: 'no' }],
        during: [
          { after: 'tool.completed', call: 'c1', write: { 'a.txt': 'changed by hand' } },
          { after: 'tool.started', call: 'c2', restart: 'kill' },
          { after: 'model.requested', queue: 'and this' },
        ],
      },
      { undo: { turn: 1, scope: 'files' } },
      { redo: {} },
      { write: { 'a.txt': 'by hand', 'b.bin': null } },
      { mode: 'read-only' },
      { restart: 'kill' },
    ],
  };
  expect(read(example).ok).toBe(true);
});

test.each([
  [{ steps: [], extra: 1 }, 'Unrecognized key: "extra"'],
  [{ steps: [{ prompt: 'x', modle: [] }] }, 'steps[0]: Unrecognized key: "modle"'],
  [{ steps: [{ prompt: 'x', model: [{ say: 'x' }] }] }, 'steps[0].model[0]: Unrecognized key: "say"'],
  [
    { steps: [{ undo: { turn: 1, scope: 'files', onConflct: 'skip' } }] },
    'steps[0].undo: Unrecognized key: "onConflct"',
  ],
  [{ steps: [{}] }, 'steps[0]: needs one of prompt, undo, redo, write, restart, mode, fork'],
  [{ steps: [{ prompt: 'x', during: [{ after: 'tool.started' }] }] }, 'needs one of write, queue, restart'],
  [{ steps: [{ prompt: 'x', during: [{ after: 'tool.begun', queue: 'x' }] }] }, 'steps[0].during[0].after'],
  [{ settings: { maxStep: 3 }, steps: [] }, 'settings: Unrecognized key: "maxStep"'],
  [{ settings: { permissions: { alow: [] } }, steps: [] }, 'settings.permissions: Unrecognized key: "alow"'],
  [{ workspace: { a: { txt: '' } }, steps: [] }, 'workspace.a'],
  [
    { steps: [{ prompt: 'x', model: [{ calls: [{ id: 'c', name: 'n', input: {}, rawInput: '{}' }] }] }] },
    'has input or rawInput, not both',
  ],
  [{}, 'steps'],
  [[], 'expected object'],
])('refuses %j and says where', (value, words) => {
  expect(read(value)).toMatchObject({ ok: false, error: expect.stringContaining(words) });
});

test('a fork names a turn or none, and a session its number from 1 on', () => {
  const steps = [{ fork: { turn: 2 } }, { fork: {} }, { session: 1 }];
  expect(read({ steps })).toMatchObject({ ok: true, value: { steps } });
  expect(read({ steps: [{ fork: { turn: 0 } }] })).toMatchObject({
    ok: false,
    error: expect.stringContaining('steps[0].fork.turn'),
  });
  expect(read({ steps: [{ session: 0 }] })).toMatchObject({
    ok: false,
    error: expect.stringContaining('steps[0].session'),
  });
});

test.each([
  [{ policy: [] }, 'policy'],
  [{ project: { settings: 'x' } }, 'project.settings'],
  [{ project: { acepted: true } }, 'project: Unrecognized key: "acepted"'],
])('refuses %j', (value, words) => {
  expect(read({ steps: [], ...value })).toMatchObject({ ok: false, error: expect.stringContaining(words) });
});

test('refuses what is no JSON', () => {
  expect(readScenario('{"steps": [}')).toMatchObject({
    ok: false,
    error: expect.stringContaining('not JSON'),
  });
});

test.each(['../x', '/etc/passwd', 'a/../../x'])('refuses the path %s', (path) => {
  const places = [
    { workspace: { [path]: '' } },
    { outside: { [path]: '' } },
    { steps: [{ write: { [path]: '' } }] },
  ];
  const words = { ok: false, error: expect.stringContaining('leaves its folder') };
  expect(places.map((place) => read({ steps: [], ...place }))).toEqual([words, words, words]);
});
