import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import { Emitter } from '#base/emitter';
import { CheckpointsTree } from '#editor/checkpoints-tree';
import type { CheckpointState, CheckpointSummary } from '#protocol/checkpoint';
import type { CheckpointId, TurnId } from '#protocol/ids';

suite('the tree of checkpoints', () => {
  test('is drawn anew once for what can be seen and not for the rest: a click on a row being drawn is lost', async () => {
    const changed = new Emitter<void>();
    let state: CheckpointState = 'open';
    const app = {
      sessions: () => [{ id: 's', title: 'Fix it', at: 0, running: true, waiting: 0 }],
      checkpoints: () => [checkpoint(state)],
      canRedo: () => false,
      background: () => [],
    };
    const core = {
      onDidChange: changed.event,
      ready: { app },
      session: { id: 's' },
      start: () => Promise.resolve({ kind: 'ready', app } as const),
    };
    const tree = new CheckpointsTree(core);
    try {
      let drawn = 0;
      tree.onDidChangeTreeData(() => {
        drawn += 1;
      });
      await tree.getChildren();
      changed.emit();
      const unchanged = drawn;
      state = 'sealed';
      // As at a turn's end, where two things are told before the editor asks.
      changed.emit();
      changed.emit();
      await tree.getChildren();
      changed.emit();
      assert.deepEqual({ unchanged, drawn }, { unchanged: 0, drawn: 1 });
    } finally {
      tree.dispose();
    }
  });

  test('out of sight no checkpoint is read for a change; the editor is told, and asks when it shows the tree', () => {
    const changed = new Emitter<void>();
    let read = 0;
    const app = {
      sessions: () => [{ id: 's', title: 'Fix it', at: 0, running: true, waiting: 0 }],
      checkpoints() {
        read += 1;
        return [checkpoint('open')];
      },
      canRedo: () => false,
      background: () => [],
    };
    const start = () => Promise.resolve({ kind: 'ready', app } as const);
    const core = { onDidChange: changed.event, ready: { app }, session: undefined, start };
    const tree = new CheckpointsTree(core, () => false);
    try {
      let told = 0;
      tree.onDidChangeTreeData(() => {
        told += 1;
      });
      changed.emit();
      assert.deepEqual({ read, told }, { read: 0, told: 1 });
    } finally {
      tree.dispose();
    }
  });

  test('a turn whose files alone can be redone offers that, and one whose undo can be redone whole offers both', async () => {
    const contexts: (string | undefined)[] = [];
    for (const whole of [true, false]) {
      const app = {
        sessions: () => [{ id: 's', title: 'Fix it', at: 0, running: false, waiting: 0 }],
        checkpoints: () => [checkpoint('undone')],
        canRedo: (_id: string, scope?: 'files') => whole || scope === 'files',
        background: () => [],
      };
      const start = () => Promise.resolve({ kind: 'ready', app } as const);
      const changed = new Emitter<void>();
      const core = { onDidChange: changed.event, ready: { app }, session: undefined, start };
      const tree = new CheckpointsTree(core);
      try {
        const [session] = await tree.getChildren();
        const [turn] = await tree.getChildren(session);
        contexts.push(turn && tree.getTreeItem(turn).contextValue);
      } finally {
        tree.dispose();
      }
    }
    assert.deepEqual(contexts, ['turn undone redoable filesRedoable', 'turn undone filesRedoable']);
  });

  test('a turn of folders alone has a row that counts them, and a row for each', async () => {
    const made = { path: 'src/new', operation: 'create' as const };
    const app = {
      sessions: () => [{ id: 's', title: 'Fix it', at: 0, running: false, waiting: 0 }],
      checkpoints: () => [{ ...checkpoint('sealed'), files: [], folders: [made] }],
      canRedo: () => false,
      background: () => [],
    };
    const start = () => Promise.resolve({ kind: 'ready', app } as const);
    const core = { onDidChange: new Emitter<void>().event, ready: { app }, session: undefined, start };
    const tree = new CheckpointsTree(core);
    try {
      const [session] = await tree.getChildren();
      const [turn] = await tree.getChildren(session);
      const rows = await tree.getChildren(turn);
      const items = [turn, ...rows].map((node) => node && tree.getTreeItem(node));
      assert.deepEqual(
        items.map((item) => [item?.contextValue, item?.description]),
        [
          ['turn undoable', '1 folder'],
          ['folder', 'src'],
        ],
      );
    } finally {
      tree.dispose();
    }
  });
});

function checkpoint(state: CheckpointState): CheckpointSummary {
  return {
    id: 'c' as CheckpointId,
    turnId: 't' as TurnId,
    turn: 1,
    prompt: 'Fix it',
    at: 0,
    state,
    files: [
      {
        path: 'a.txt',
        operation: 'create',
        before: { kind: 'absent' },
        after: { kind: 'absent' },
        added: 1,
        removed: 0,
      },
    ],
    commandChanges: [],
  };
}
