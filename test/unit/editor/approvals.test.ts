import { expect, test } from 'vitest';
import { Approvals } from '#editor/approvals';
import { approvalRequest } from '#test/support/approval-request';

const once = { answer: 'allow-once' } as const;

test('the first answer counts, a later one is told who was faster and changes nothing', async () => {
  const approvals = new Approvals();
  const asked = approvals.ask(approvalRequest({ id: 'a1', inputSha256: 'h1' }), new AbortController().signal);
  const first = approvals.answer('a1', 'h1', once, 'notification');
  const second = approvals.answer('a1', 'h1', { answer: 'deny-once' }, 'panel');
  expect({ first, second, decided: await asked }).toEqual({
    first: { kind: 'decided' },
    second: { kind: 'late', answer: 'allow-once', by: 'notification' },
    decided: { answer: once, by: 'notification' },
  });
});

test('an answer for another input than the one asked about decides nothing', () => {
  const approvals = new Approvals();
  void approvals.ask(approvalRequest({ id: 'a1', inputSha256: 'h1' }), new AbortController().signal);
  expect([approvals.answer('a1', 'other', once, 'panel'), approvals.waiting().length]).toEqual([
    { kind: 'unknown' },
    1,
  ]);
});

test('a question is withdrawn when its turn is stopped', async () => {
  const approvals = new Approvals();
  const stop = new AbortController();
  const asked = approvals.ask(approvalRequest({ id: 'a1' }), stop.signal).catch(() => 'withdrawn');
  stop.abort();
  expect([await asked, approvals.waiting()]).toEqual(['withdrawn', []]);
});

test('questions wait in the order in which they came', () => {
  const approvals = new Approvals();
  for (const id of ['a1', 'a2', 'a3'])
    void approvals.ask(approvalRequest({ id }), new AbortController().signal);
  expect(approvals.waiting().map(({ id }) => id)).toEqual(['a1', 'a2', 'a3']);
});
