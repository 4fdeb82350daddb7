import * as vscode from 'vscode';
import { Approvals } from '#editor/approvals';
import { CHECKPOINT_SCHEME, CheckpointFileSystem } from '#editor/checkpoint-files';
import { CheckpointsTree } from '#editor/checkpoints-tree';
import { registerCommands } from '#editor/commands';
import { Core } from '#editor/core';
import { readyCore } from '#editor/needs';
import { ApprovalNotifications } from '#editor/notifications';
import { once } from '#editor/once';
import { CHAT_VIEW, ChatView } from '#editor/panel/view';
import { watchStatus } from '#editor/status';
import { StatusBar } from '#editor/status-bar';

let core: Core | undefined;

/** A table of contents: what Belay puts into the editor. What is heavy loads with its first use, behind `import()`. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Belay', { log: true });
  const approvals = new Approvals();
  const theCore = new Core(context, log, approvals);
  core = theCore;
  const post = (message: Parameters<ChatView['post']>[0]) => chat.post(message);
  const actions = once(async () => new (await import('#editor/actions')).Actions(theCore, post));
  const onMessage = once(async () =>
    (await import('#editor/panel/messages')).panelMessages({
      core: theCore,
      actions: await actions(),
      approvals,
      post,
    }),
  );
  const chat = new ChatView({
    core: theCore,
    approvals,
    extensionUri: context.extensionUri,
    memento: context.workspaceState,
    log,
    onMessage: async (message) => (await onMessage())(message),
  });
  const tree = new CheckpointsTree(theCore);
  const status = new StatusBar();
  const files = new CheckpointFileSystem(async (id, path, side) =>
    (await readyCore(theCore)).app.checkpointContent(id, path, side),
  );
  context.subscriptions.push(
    log,
    approvals,
    chat,
    tree,
    status,
    watchStatus(theCore, approvals, status),
    new ApprovalNotifications(approvals, async ({ sessionId }) => {
      await theCore.show(sessionId);
      await chat.show();
    }),
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, chat),
    vscode.window.registerTreeDataProvider('belay.checkpoints', tree),
    vscode.window.registerFileDecorationProvider(tree),
    vscode.workspace.registerFileSystemProvider(CHECKPOINT_SCHEME, files, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
    registerCommands({ context, core: theCore, actions, approvals, chat, log }),
  );
  void theCore.startIfLeftRunning();
}

/** The editor kills the host 5 s after this: turns are stopped, children killed, journals sealed, the database closed. */
export async function deactivate(): Promise<void> {
  await core?.close();
}
