import { expect, test } from 'vitest';
import { notificationText } from '#editor/notification-text';
import { approvalRequest } from '#test/support/approval-request';

const textOf = (summary: string, sandboxed = true) =>
  notificationText(approvalRequest({ summary, sandboxed }));

test('shows a short command exactly, with its buttons', () => {
  expect(textOf('npm test -- parser')).toEqual({
    text: 'Belay wants to run: npm test -- parser',
    whole: true,
  });
});

test('offers only a review when the command has more lines than one', () => {
  expect(textOf('echo a\nrm -r build').whole).toBe(false);
});

test('offers only a review when the command had to be cut', () => {
  const { text, whole } = textOf(`echo ${'x'.repeat(500)}`);
  expect([whole, text.endsWith('…')]).toEqual([false, true]);
});

test('CVE-2026-25805 shows invisible characters as escapes and offers only a review', () => {
  expect(textOf('echo \u202egnp.exe')).toEqual({
    text: 'Belay wants to run: echo \\u{202e}gnp.exe',
    whole: false,
  });
});

test('offers only a review where a secret was taken out of what would run', () => {
  expect(textOf('curl -H [redacted: GitHub token] localhost').whole).toBe(false);
});

test('never lets a command render as a link', () => {
  const { text, whole } = textOf('echo [Allow](command:belay.approve)');
  expect([text.includes(']('), whole]).toEqual([false, false]);
});

test('says when there is no sandbox', () => {
  expect(textOf('npm test', false).text).toBe('Belay wants to run: npm test · runs without a sandbox');
});

test('offers only a review when the summary shows as an escape what the command holds', () => {
  const request = approvalRequest({ summary: 'echo \\u{202e}gnp.exe' });
  const held = { ...request, touches: [{ ...EXECUTE, command: 'echo \u202egnp.exe' }] };
  expect([notificationText(request).whole, notificationText(held).whole]).toEqual([true, false]);
});

test('offers only a review when a file’s name holds a line break', () => {
  const request = approvalRequest({ summary: 'Edit a' });
  const touches = [{ kind: 'write', path: 'a\nb', operation: 'modify' }] as const;
  expect(notificationText({ ...request, risk: 'workspace-write', touches })).toEqual({
    text: 'Belay asks: Edit a',
    whole: false,
  });
});

test('says that the network is asked for', () => {
  expect(notificationText({ ...approvalRequest({ summary: 'npm install' }), network: true }).text).toBe(
    'Belay wants to run: npm install · with the network',
  );
});

const EXECUTE = { kind: 'execute', command: '', cwd: '.', network: false, description: 'Prints' } as const;
