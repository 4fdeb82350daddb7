import { expect, test } from 'vitest';
import type { GateLine } from '#protocol/tool-call';
import type { CallItem } from '#protocol/turn';
import { callId } from '#test/unit/protocol/session-log';
import { stageLines, traceSummary } from '#webview/text/trace';

const line = (stage: string, why = '', verdict: GateLine['verdict'] = 'pass'): GateLine => ({
  stage,
  verdict,
  why,
  ms: 0.25,
});
const item = (trace: readonly GateLine[], state: CallItem['state'] = 'success'): CallItem => ({
  kind: 'call',
  key: 'c',
  callId: callId('c'),
  name: 'x',
  summary: '',
  state,
  trace,
  lastLine: '',
});

test('the stages that look at the arguments are one line with the sum of their time', () => {
  const lines = stageLines([
    line('find-tool'),
    line('parse'),
    line('schema'),
    line('classify', 'execute'),
    line('permission', 'your rule'),
  ]);
  expect(lines).toEqual([
    { name: 'Input', verdict: 'pass', why: 'valid', ms: 0.75, stages: 'find-tool, parse, schema' },
    { name: 'Classify', verdict: 'pass', why: 'execute', ms: 0.25, stages: 'classify' },
    { name: 'Permission', verdict: 'pass', why: 'your rule', ms: 0.25, stages: 'permission' },
  ]);
});

test('a stop among them gives the line its reason', () => {
  expect(stageLines([line('find-tool'), line('parse', 'not JSON', 'stop')])).toMatchObject([
    { name: 'Input', verdict: 'stop', why: 'not JSON' },
  ]);
});

test('an input that was changed on the way shows both walks in their order, and the last decision', () => {
  const trace = [
    line('parse'),
    line('permission', 'changed and allowed once', 'changed'),
    line('parse'),
    line('schema'),
    line('permission', 'allowed once (in the panel)'),
    line('confine', 'sandboxed'),
  ];
  expect(stageLines(trace).map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    'Input pass',
    'Permission changed',
    'Input pass',
    'Permission pass',
    'Sandbox pass',
  ]);
  expect(traceSummary(item(trace))).toBe('Why allowed: allowed once (in the panel)');
});

test('a stage that isn’t known keeps its own name, and a missing one leaves no line', () => {
  expect(stageLines([line('quarantine', 'x')]).map(({ name }) => name)).toEqual(['quarantine']);
  expect(stageLines([])).toEqual([]);
});

test('the summary says why a call was allowed, denied or stopped', () => {
  expect([
    traceSummary(item([])),
    traceSummary(item([line('parse'), line('permission', 'mode allow')])),
    traceSummary(item([line('parse')])),
    traceSummary(item([line('permission', 'deny rule', 'stop')], 'denied')),
    traceSummary(item([line('parse', 'not JSON', 'stop')], 'error')),
  ]).toEqual([
    undefined,
    'Why allowed: mode allow',
    'Why allowed: every gate passed',
    'Why denied: deny rule',
    'Why stopped: not JSON',
  ]);
});
