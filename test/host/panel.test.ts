import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { Actions } from '#editor/actions';
import type { ReadyCore } from '#editor/core';
import { readyCore } from '#editor/needs';
import { PageFeed } from '#editor/panel/feed';
import { panelMessages } from '#editor/panel/messages';
import { ReviewActions } from '#editor/review/commands';
import type { ToHost, ToPanel } from '#protocol/wire';
import { eventually } from '#test/host/support/editor-world';
import { type WindowCore, windowCore } from '#test/host/support/window-core';

suite('what the panel asks', () => {
  test('a message that can’t be sent goes back into the composer, and why is told', async () => {
    await using window = windowCore();
    const { ask, told } = asking(window);
    const text = 'a long question';
    await assert.rejects(ask({ type: 'send', sessionId: 'of another folder', text, mentions: [] }), {
      message: 'That session is not in this folder.',
    });
    assert.deepEqual(told, [{ type: 'give-back', sessionId: 'of another folder', text, mentions: [] }]);
  });

  test('a wish for which there is nothing to do is answered, not passed over', async () => {
    await using window = windowCore();
    const { ask, told, actions } = asking(window);
    const sessionId = await shown(window);
    await ask({ type: 'keep-all', sessionId });
    await ask({ type: 'review', sessionId });
    await ask({ type: 'undo-changes', sessionId, onConflict: 'stop' });
    await ask({ type: 'redo', sessionId });
    await actions.changes.undoPicked('files');
    await actions.changes.showUndo();
    assert.deepEqual(
      told.map((message) => (message.type === 'notice' ? message.title : message.type)),
      [
        'Nothing to review',
        'Nothing to review',
        'Nothing to undo',
        'There is nothing to redo.',
        'Nothing to undo',
        'Nothing to undo',
      ],
    );
  });

  test('a folder is shown in the explorer, a file opened, and nothing outside of the folder', async () => {
    await using window = windowCore();
    const { ask } = asking(window);
    await ask({ type: 'open-file', path: 'src' });
    await ask({ type: 'open-file', path: 'package.json', line: 2 });
    await eventually('the file is open', () => {
      const { activeTextEditor } = vscode.window;
      return Boolean(activeTextEditor?.document.fileName.endsWith('package.json'));
    });
    const line = vscode.window.activeTextEditor?.selection.active.line;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(line, 1);
    await assert.rejects(ask({ type: 'open-file', path: '../../../../../../../../etc/hostname' }), {
      message: '../../../../../../../../etc/hostname is outside this folder.',
    });
    await assert.rejects(ask({ type: 'open-file', path: 'gone.ts' }), { message: 'gone.ts is not there.' });
  });
});

suite('what the panel is told', () => {
  test('state and transcript are of one session, though another was opened while they were put together', async () => {
    await using window = windowCore();
    const ready = await readyCore(window.core);
    const one = ready.app.createSession();
    const two = ready.app.createSession();
    const told: ToPanel[] = [];
    const core = { session: one, start: async () => state };
    const state = interrupted(ready, () => {
      core.session = two;
    });
    using feed = disposed(new PageFeed({ core, log: window.log, send: (message) => told.push(message) }));
    await feed.hello();
    const [snapshot] = told;
    assert.ok(snapshot?.type === 'snapshot');
    assert.deepEqual([snapshot.state.sessionId, snapshot.transcript?.sessionId], [two.id, two.id]);
  });

  test('a page that went while its snapshot was put together is told nothing, and nobody counts on it', async () => {
    await using window = windowCore();
    const ready = await readyCore(window.core);
    const told: ToPanel[] = [];
    const state = interrupted(ready, () => feed.close());
    const core = { session: ready.app.createSession(), start: async () => state };
    using feed = disposed(new PageFeed({ core, log: window.log, send: (message) => told.push(message) }));
    await feed.hello();
    assert.deepEqual([told, feed.post({ type: 'focus-composer' })], [[], false]);
  });

  test('a state that can’t be read is told in words, in place of an empty page', async () => {
    await using window = windowCore();
    const ready = await readyCore(window.core);
    const told: ToPanel[] = [];
    const state = interrupted(ready, () => {
      throw new Error('the disk is gone');
    });
    const core = { session: ready.app.createSession(), start: async () => state };
    using feed = disposed(new PageFeed({ core, log: window.log, send: (message) => told.push(message) }));
    await feed.hello();
    const [snapshot] = told;
    assert.ok(snapshot?.type === 'snapshot');
    assert.equal(snapshot.state.problem?.title, 'Belay can’t show this session');
  });
});

/** The core, in whose models something happens when the first state asks for them. */
function interrupted(ready: ReadyCore, happen: () => void): ReadyCore {
  let asked = false;
  const shortList = async () => {
    if (!asked) {
      asked = true;
      happen();
    }
    return [];
  };
  return { ...ready, models: Object.assign(Object.create(ready.models), { shortList }) };
}

function asking({ core, approvals }: WindowCore) {
  const told: ToPanel[] = [];
  const post = (message: ToPanel) => told.push(message) > 0;
  const actions = new Actions(core, post);
  const review = new ReviewActions(core, actions.changes);
  const carryOut = panelMessages({ core, actions, review, approvals, post });
  return { told, actions, ask: (message: ToHost) => carryOut(message) };
}

async function shown({ core }: WindowCore): Promise<string> {
  await readyCore(core);
  return core.session?.id ?? '';
}

function disposed<T extends { dispose(): void }>(item: T): T & Disposable {
  return Object.assign(item, { [Symbol.dispose]: () => item.dispose() });
}
