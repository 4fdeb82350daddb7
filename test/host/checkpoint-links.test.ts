import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import { treeItem } from '#editor/checkpoint-items';
import type { CheckpointSummary, FileChange, FileState } from '#protocol/checkpoint';
import type { CheckpointId, TurnId } from '#protocol/ids';

const ABSENT: FileState = { kind: 'absent' };
const FILE = { kind: 'file', sha256: 'x', bytes: 1, mode: 0o644 } as FileState;
const link = (target: string): FileState => ({ kind: 'link', target });

suite('a link in the tree of checkpoints', () => {
  test('says where it leads, as text that can be seen', () => {
    const rows = [
      [ABSENT, link('../lib')],
      [link('a'), link('b')],
      [link('a'), FILE],
      [FILE, link('\u202eevil\n')],
      [ABSENT, link('x'.repeat(4000))],
    ].map(([before = ABSENT, after = ABSENT]) => row(before, after));
    assert.deepEqual(rows, [
      'd · link → ../lib',
      'd · link → b (before: a)',
      'd · was a link → a',
      'd · link → \\u{202e}evil\\n',
      `d · link → ${'x'.repeat(79)}…`,
    ]);
  });
});

function row(before: FileState, after: FileState): unknown {
  const change: FileChange = { path: 'd/l', operation: 'modify', before, after, added: 1, removed: 1 };
  const checkpoint: CheckpointSummary = {
    ...{ id: 'c' as CheckpointId, turnId: 't' as TurnId, turn: 1, prompt: 'p', at: 0, state: 'sealed' },
    ...{ files: [change], commandChanges: [] },
  };
  return treeItem({ kind: 'file', sessionId: 's', checkpoint, change }, undefined).description;
}
