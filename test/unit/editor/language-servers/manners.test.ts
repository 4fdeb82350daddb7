import { expect, test } from 'vitest';
import { received } from '#editor/language-servers/manners';

const from = (method: string, params?: unknown) => received({ jsonrpc: '2.0', id: 1, method, params });

test('what would pop up, open or edit is answered in the person’s place or written down', () => {
  expect([
    from('window/showMessage', { type: 1, message: 'Buy me' }),
    from('window/logMessage', { type: 4, message: 'thinking' }),
    from('window/showMessageRequest', { message: 'Now?', actions: [{ title: 'Yes' }] }),
    from('window/showDocument', { uri: 'https://example.org', external: true, takeFocus: true }),
    from('workspace/applyEdit', { edit: { changes: {} } }),
    from('window/workDoneProgress/create', { token: 'index' }),
    from('telemetry/event', { a: 1 }),
  ]).toEqual([
    { kind: 'noted', note: 'Buy me' },
    { kind: 'noted', note: 'thinking' },
    { kind: 'answered', result: null, note: 'Now?' },
    { kind: 'answered', result: { success: false }, note: 'would open https://example.org' },
    {
      kind: 'answered',
      result: { applied: false, failureReason: 'Edits are made by Belay’s tools alone.' },
      note: 'would change files by itself: refused',
    },
    { kind: 'answered', result: null },
    { kind: 'noted' },
  ]);
});

test('parameters of any shape break nothing', () => {
  const shapes = [undefined, null, 7, 'text', [], { message: 7 }];
  expect(shapes.map((params) => from('window/showMessage', params))).toEqual(
    shapes.map(() => ({ kind: 'noted', note: '' })),
  );
});

test('all else is for the client', () => {
  expect([from('textDocument/publishDiagnostics', {}), received({ jsonrpc: '2.0', id: 1 })]).toEqual([
    { kind: 'passed' },
    { kind: 'passed' },
  ]);
});
