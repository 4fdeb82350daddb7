import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import type { ReadyCore } from '#editor/core';
import { readyCore } from '#editor/needs';
import { SessionTabs } from '#editor/panel/tabs';
import { pageWishes } from '#editor/panel/wishes';
import { Places } from '#editor/places';
import type { PanelState } from '#protocol/panel-state';
import type { ToHost, ToPanel } from '#protocol/wire';
import { eventually } from '#test/host/support/editor-world';
import { type WindowCore, windowCore } from '#test/host/support/window-core';

suite('sessions in tabs', () => {
  test('a tab whose session is gone says so, and begins a new one only when asked', async () => {
    await using window = windowCore();
    using tabs = opened(window);
    const tab = tabOfTheEditor();
    await tabs.restore(tab.panel, remembered('no more', true));
    const said = await tab.state(({ gone }) => gone !== undefined);
    assert.deepEqual([said.sessionId, said.gone?.title], [undefined, 'This session is gone']);
    tab.ask({ type: 'new-session' });
    const begun = await tab.state(({ sessionId }) => sessionId !== undefined);
    assert.deepEqual([begun.gone, tab.panel.title], [undefined, 'New session']);
    assert.notEqual(begun.sessionId, window.core.session?.id);
  });

  test('a tab in whose session nothing had been said begins a new one by itself', async () => {
    await using window = windowCore();
    using tabs = opened(window);
    const tab = tabOfTheEditor();
    await tabs.restore(tab.panel, remembered('never used', false));
    const state = await tab.state(() => true);
    assert.deepEqual([state.sessionId === undefined, state.gone], [false, undefined]);
  });

  test('of what no page of Belay can have left it is said that the session isn’t known; it is no error', async () => {
    await using window = windowCore();
    for (const left of [undefined, 'junk', { state: { session: 5 } }]) {
      using tabs = opened(window);
      const tab = tabOfTheEditor();
      await tabs.restore(tab.panel, left);
      const { gone } = await tab.state(() => true);
      assert.equal(gone?.title, 'Which session this tab showed is not known any more');
    }
  });

  test('a session has one tab at most, which shows another than the panel and goes with its session', async () => {
    await using window = windowCore();
    using tabs = opened(window);
    const ready = await readyCore(window.core);
    const session = ready.app.createSession({});
    const [tab, second] = [tabOfTheEditor(), tabOfTheEditor()];
    await tabs.restore(tab.panel, remembered(session.id, true));
    await tabs.restore(second.panel, remembered(session.id, true));
    const { sessionId } = await tab.state(() => true);
    tab.ask({ type: 'keep', kept: 'a draft' });
    await eventually('the draft is kept', () => keptOf(window, session.id) === 'a draft');
    assert.deepEqual(
      [sessionId, window.core.session?.id === sessionId, tab.closed(), second.closed()],
      [session.id, false, false, true],
    );
    await leave(window, ready, session.id);
    assert.deepEqual([tab.closed(), keptOf(window, session.id)], [true, undefined]);
  });
});

async function leave({ core }: WindowCore, ready: ReadyCore, sessionId: string): Promise<void> {
  await core.leaveSession(ready, sessionId);
  assert.ok((await ready.app.history.delete(sessionId)).ok);
}

function keptOf({ context }: WindowCore, sessionId: string): unknown {
  return context.workspaceState.get(`belay.tab.${sessionId}`);
}

function opened({ core, approvals, context, log }: WindowCore): SessionTabs & Disposable {
  const places = new Places(core, noPanel, () => undefined);
  const { extensionUri, workspaceState: memento } = context;
  const messages = pageWishes(approvals);
  const tabs = new SessionTabs({ core, approvals, places, extensionUri, log, memento, messages });
  return Object.assign(tabs, { [Symbol.dispose]: () => tabs.dispose() });
}

function noPanel(): never {
  throw new Error('nobody looks at the panel here');
}

/** As a page leaves it to the editor. */
function remembered(session: string, begun: boolean) {
  return { at: 1, state: { session, begun, drafts: {}, places: {}, unfolded: [] } };
}

/** A tab as the editor hands it out, and a test in the place of its page. */
function tabOfTheEditor() {
  const received = new vscode.EventEmitter<unknown>();
  const changed = new vscode.EventEmitter<unknown>();
  const disposed = new vscode.EventEmitter<void>();
  const told: ToPanel[] = [];
  let closed = false;
  const webview = {
    options: {},
    html: '',
    cspSource: 'self',
    asWebviewUri: (uri: vscode.Uri) => uri,
    postMessage: async (message: ToPanel) => told.push(message) > 0,
    onDidReceiveMessage: received.event,
  };
  const panel = {
    ...{ webview, title: '', visible: true, active: true },
    ...{ onDidChangeViewState: changed.event, onDidDispose: disposed.event },
    reveal: () => undefined,
    dispose: () => {
      closed = true;
      disposed.fire();
    },
  } as unknown as vscode.WebviewPanel;
  const ask = (message: ToHost) => received.fire(message);
  return {
    ...{ panel, ask },
    closed: () => closed,
    /** What the page was told first that is so. Says hello before. */
    async state(isSo: (state: PanelState) => boolean): Promise<PanelState> {
      ask({ type: 'hello' });
      const found = () => {
        const states = told.flatMap((each) => (each.type === 'snapshot' ? [each.state] : []));
        return states.find(isSo);
      };
      await eventually('the page is told', () => found() !== undefined);
      const state = found();
      assert.ok(state);
      return state;
    },
  };
}
