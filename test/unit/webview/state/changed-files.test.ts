import { expect, test } from 'vitest';
import type { FileChange } from '#protocol/checkpoint';
import { checkpoint, ended, folded, log, started, turnId } from '#test/unit/protocol/session-log';
import { changedFiles } from '#webview/state/changed-files';

const change = (path: string, operation: FileChange['operation'], added: number): FileChange => ({
  path,
  operation,
  before: { kind: 'absent' },
  after: { kind: 'absent' },
  added,
  removed: 0,
});
const turn = (n: number, ...files: readonly FileChange[]) => [
  started(n),
  { type: 'checkpoint.sealed', turnId: turnId(n), checkpoint: { ...checkpoint(n), files } } as const,
  ended(n),
];
const transcript = folded(
  log(
    ...turn(1, change('old.ts', 'modify', 9)),
    ...turn(2, change('a.ts', 'create', 5)),
    ...turn(3, change('a.ts', 'modify', 2)),
  ),
);
const changes = {
  files: 1,
  added: 0,
  removed: 0,
  turns: [2, 3],
  paths: ['a.ts', 'unknown.ts'],
  notUndoable: [],
};

test('lines are summed over the turns under review, and a file made there stays a new one', () => {
  expect(changedFiles(transcript, changes)).toEqual([
    { path: 'a.ts', turn: 2, operation: 'create', added: 7, removed: 0 },
    { path: 'unknown.ts', turn: 2, operation: 'modify', added: 0, removed: 0 },
  ]);
});
