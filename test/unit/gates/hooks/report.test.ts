import { expect, test } from 'vitest';
import type { HookEnd } from '#commands/hook-process';
import type { Hook, HookEvent } from '#gates/hooks/hook';
import { readReport } from '#gates/hooks/report';

const NAME = '"check.sh" (user settings)';

function hook(event: HookEvent = 'PreToolUse'): Hook {
  return { event, source: 'user settings', matcher: { kind: 'all' }, command: 'check.sh', timeoutMs: 60_000 };
}

function exited(stdout: string, code = 0, stderr = '', cut = false): HookEnd {
  return { kind: 'exited', code, stdout: { text: stdout, cut }, stderr: { text: stderr, cut: false } };
}

function specific(more: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });
}

test.each<[string, HookEnd, object]>([
  ['silence', exited(''), {}],
  ['plain text', exited('all is well\n'), { text: 'all is well' }],
  ['text that only looks like a list', exited('[1]'), { text: '[1]' }],
  ['an empty object', exited('{}'), {}],
  ['unknown keys', exited('{"suppressOutput":true,"x":1}'), {}],
  ['nulls', exited('{"decision":null,"hookSpecificOutput":null,"continue":null}'), {}],
  ['an allow', exited(specific({ permissionDecision: 'allow' })), { decision: 'allow' }],
  [
    'a deny with its reason',
    exited(specific({ permissionDecision: 'deny', permissionDecisionReason: 'no rm' })),
    { decision: 'deny', reason: 'no rm' },
  ],
  ['an ask', exited(specific({ permissionDecision: 'ask' })), { decision: 'ask' }],
  ['a defer, which is for people', exited(specific({ permissionDecision: 'defer' })), { decision: 'ask' }],
  ['the older approve', exited('{"decision":"approve","reason":"ok"}'), { decision: 'allow', reason: 'ok' }],
  ['the older block', exited('{"decision":"block","reason":"no"}'), { decision: 'deny', reason: 'no' }],
  [
    'the stricter of two',
    exited('{"decision":"block","hookSpecificOutput":{"permissionDecision":"allow"}}'),
    { decision: 'deny' },
  ],
  ['a message', exited('{"systemMessage":"hi"}'), { message: 'hi' }],
  ['context', exited(specific({ additionalContext: 'mind the gap' })), { context: 'mind the gap' }],
  ['an input', exited(specific({ updatedInput: { command: 'ls' } })), { updatedInput: { command: 'ls' } }],
  ['an end of the turn', exited('{"continue":false,"stopReason":"enough"}'), { stop: 'enough' }],
  ['exit code 2', exited('ignored', 2, 'not here\n'), { decision: 'deny', reason: 'not here' }],
  ['exit code 2 without words', exited('', 2), { decision: 'deny', reason: 'it gave no reason' }],
  ['another exit code', exited('{"decision":"approve"}', 1, 'oops'), { problem: 'it failed with 1: oops' }],
  ['a command that isn’t there', exited('', 127), { problem: 'it failed with 127' }],
  ['broken JSON', exited('{"decision": "appr'), { problem: 'it printed broken JSON' }],
  [
    'a key that stands twice, of which readers take one or the other',
    exited('{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecision":"allow"}}'),
    { problem: 'it printed broken JSON: permissionDecision stands there twice' },
  ],
  [
    'the same key in two objects',
    exited('{"reason":"a","hookSpecificOutput":{"permissionDecision":"ask","updatedInput":{"reason":"b"}}}'),
    { decision: 'ask', reason: 'a', updatedInput: { reason: 'b' } },
  ],
  ['JSON nested without end', exited('{"a":'.repeat(100_000)), { problem: 'it printed broken JSON' }],
  ['two JSON objects', exited('{}{}'), { problem: 'it printed broken JSON' }],
  ['a flood of JSON', exited('{"a":', 0, '', true), { problem: 'it printed more than 1 MB' }],
  ['a time-out', { kind: 'timed-out' }, { problem: 'it was not done after 60 s and was ended' }],
  ['a signal', { kind: 'killed', signal: 'SIGSEGV' }, { problem: 'it was ended by SIGSEGV' }],
  ['no start', { kind: 'not-started', why: 'ENOENT' }, { problem: 'it could not be started: ENOENT' }],
])('%s', (_what, end, expected) => {
  expect(readReport(hook(), end)).toEqual({ name: NAME, ...expected });
});

test.each([
  ['{"decision":"perhaps"}', 'decision'],
  ['{"continue":"no"}', 'continue'],
  [specific({ permissionDecision: 'Allow' }), 'hookSpecificOutput.permissionDecision'],
  [specific({ updatedInput: 'ls' }), 'hookSpecificOutput.updatedInput'],
])('%s makes no sense, so nothing of it counts', (printed, field) => {
  expect(readReport(hook(), exited(printed))).toEqual({
    name: NAME,
    problem: expect.stringContaining(`its answer makes no sense: ${field} `),
  });
});

test('an answer for another event does not count', () => {
  expect(readReport(hook('PostToolUse'), exited(specific({ permissionDecision: 'allow' })))).toEqual({
    name: NAME,
    problem: 'it answered for PreToolUse, but this was PostToolUse',
  });
});

test('no text is longer than 10,000 characters', () => {
  const long = 'x'.repeat(50_000);
  const report = readReport(hook(), exited(JSON.stringify({ systemMessage: long, reason: long })));
  expect([report?.message?.length, report?.reason?.length]).toEqual([10_000, 10_000]);
  expect(readReport(hook(), exited(long))?.text).toHaveLength(10_000);
});

test('of a hook that was stopped with the turn nothing is heard', () => {
  expect(readReport(hook(), { kind: 'cancelled' })).toBeUndefined();
});
