import * as vscode from 'vscode';
import { Approvals } from '#editor/approvals';
import { ARTIFACT_SCHEME, ArtifactDocuments } from '#editor/artifact-documents';
import { CheckpointsTree } from '#editor/checkpoints-tree';
import { registerCommands } from '#editor/commands';
import { Core } from '#editor/core';
import { type ExtensionApi, extensionApi, toolRegistry } from '#editor/extensions/api';
import { offerTools } from '#editor/extensions/offered-tools';
import { LanguageServerWatch } from '#editor/language-servers/watch';
import { redactedChannel } from '#editor/log';
import { McpServers } from '#editor/mcp/servers';
import { EditorSignIn } from '#editor/mcp/sign-in';
import type { Post } from '#editor/notices';
import { ApprovalNotifications } from '#editor/notifications';
import { once } from '#editor/once';
import { CHAT_VIEW, ChatView } from '#editor/panel/view';
import { QuestionLine } from '#editor/questions/line';
import { QuestionNotifications } from '#editor/questions/notification';
import { traceOf } from '#editor/report';
import { registerReview } from '#editor/review/register';
import { SettingsAcceptance } from '#editor/settings-acceptance';
import { StatusWatch } from '#editor/status';
import { StatusBar } from '#editor/status-bar';
import { speakTheEditorsLanguage } from '#editor/words';

let open:
  | {
      readonly core: Core;
      readonly languageServers: LanguageServerWatch;
      readonly log: vscode.LogOutputChannel;
    }
  | undefined;

/** A table of contents: what Belay puts into the editor. What is heavy loads with its first use, behind `import()`. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  speakTheEditorsLanguage();
  const log = redactedChannel(vscode.window.createOutputChannel('Belay', { log: true }));
  const approvals = new Approvals();
  const line = new QuestionLine();
  const signIn = new EditorSignIn(context.extension.id, log);
  const registry = toolRegistry(context.extension.id, log);
  const languageServers = new LanguageServerWatch(log);
  const core = new Core(context, log, { approvals, line, signIn, registry, languageServers });
  open = { core, languageServers, log };
  const post: Post = (message) => chat.post(message);
  const actions = once(async () => new (await import('#editor/actions')).Actions(core, post));
  const review = once(async () => {
    const { ReviewActions } = await import('#editor/review/commands');
    return new ReviewActions(core, (await actions()).changes);
  });
  const onMessage = once(async () => {
    const { panelMessages } = await import('#editor/panel/messages');
    return panelMessages({ core, actions: await actions(), review: await review(), approvals, post });
  });
  const chat = new ChatView({
    core,
    approvals,
    extensionUri: context.extensionUri,
    memento: context.workspaceState,
    log,
    onMessage: async (message) => (await onMessage())(message),
  });
  const tree = new CheckpointsTree(core, () => treeView.visible);
  const treeView = vscode.window.createTreeView('belay.checkpoints', { treeDataProvider: tree });
  const statusBar = new StatusBar();
  const settings = new SettingsAcceptance(core, log);
  const servers = new McpServers({ core, line, memento: context.workspaceState, log });
  const explainer = once(async () => {
    const { ExplainCommand } = await import('#editor/explain-command');
    const command = new ExplainCommand(core);
    context.subscriptions.push(command);
    return command;
  });
  context.subscriptions.push(
    ...[approvals, line, signIn, settings, servers, statusBar],
    new QuestionNotifications(line, log),
    chat,
    tree,
    treeView,
    new StatusWatch({ core, approvals, statusBar, log }),
    new ApprovalNotifications({
      approvals,
      log,
      review: async ({ sessionId }) => {
        await core.show(sessionId);
        await chat.show();
      },
    }),
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, chat),
    vscode.workspace.registerTextDocumentContentProvider(ARTIFACT_SCHEME, new ArtifactDocuments(core)),
    vscode.window.registerFileDecorationProvider(tree),
    offerTools(core),
    registerReview(core, log),
    registerCommands({
      ...{ context, core, actions, review, approvals, chat, settings, explainer },
      ...{ servers, languageServers, line, log },
    }),
  );
  core.startIfLeftRunning().catch((error: unknown) => log.error(traceOf(error)));
  return extensionApi(registry);
}

/**
 * The editor kills the host 5 s after this: turns are stopped, children killed, journals sealed, the database closed. The subscriptions are
 * disposed at the same moment, and a disposed log throws: so it isn't one of them.
 */
export async function deactivate(): Promise<void> {
  try {
    await Promise.all([open?.core.close(), open?.languageServers.close()]);
  } finally {
    open?.log.dispose();
  }
}
