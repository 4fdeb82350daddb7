import * as vscode from 'vscode';
import { CheckpointFileSystem } from '#editor/checkpoint-files';
import { type ExtensionApi, extensionApi, toolRegistry } from '#editor/extensions/api';
import { offerTools } from '#editor/extensions/offered-tools';
import { LanguageServerWatch } from '#editor/language-servers/watch';
import { LaterTree } from '#editor/later-tree';
import { redactedChannel } from '#editor/log';
import { EditorSignIn } from '#editor/mcp/sign-in';
import { ARTIFACT_SCHEME, CHAT_VIEW, CHECKPOINTS_VIEW, SESSION_TAB } from '#editor/names';
import { type Once, once } from '#editor/once';
import { registerCommands } from '#editor/registered-commands';
import { traceOf } from '#editor/report';
import { registerReview } from '#editor/review/register';
import { isAnyLeft } from '#editor/running-mark';
import { StatusBar } from '#editor/status-bar';
import type { BelayWindow } from '#editor/window';
import { speakTheEditorsLanguage } from '#editor/words';

let open:
  | {
      readonly belay: Once<BelayWindow>;
      readonly languageServers: LanguageServerWatch;
      readonly log: vscode.LogOutputChannel;
    }
  | undefined;

/** A table of contents: what the editor may ask Belay for. All that answers is loaded with the first question, as one window. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  speakTheEditorsLanguage();
  const log = redactedChannel(vscode.window.createOutputChannel('Belay', { log: true }));
  const registry = toolRegistry(context.extension.id, log);
  const languageServers = new LanguageServerWatch(log);
  const statusBar = new StatusBar();
  const signIn = new EditorSignIn(context.extension.id, log);
  const comparisons = new CheckpointFileSystem(async (query) => (await belay()).readSide(query));
  const tree = new LaterTree(async () => (await belay()).tree);
  const treeView = vscode.window.createTreeView(CHECKPOINTS_VIEW, { treeDataProvider: tree });
  const belay = once(async () => {
    const { BelayWindow } = await import('#editor/window');
    const isTreeSeen = () => treeView.visible;
    const made = { context, log, registry, languageServers, statusBar, signIn, comparisons, isTreeSeen };
    const window = new BelayWindow(made);
    context.subscriptions.push(window);
    return window;
  });
  open = { belay, languageServers, log };
  context.subscriptions.push(
    ...[statusBar, signIn, tree, treeView, registerReview(comparisons)],
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, {
      resolveWebviewView: async (view) => (await belay()).chat.resolveWebviewView(view),
    }),
    vscode.window.registerWebviewPanelSerializer(SESSION_TAB, {
      deserializeWebviewPanel: async (panel, state) => (await belay()).restoreTab(panel, state),
    }),
    vscode.workspace.registerTextDocumentContentProvider(ARTIFACT_SCHEME, {
      provideTextDocumentContent: async (uri) => (await belay()).artifacts.provideTextDocumentContent(uri),
    }),
    offerTools(async () => (await belay()).core),
    registerCommands(context.extension, async (id, args) => (await belay()).run(id, args), log),
  );
  lookAfterLeft(context, belay).catch((error: unknown) => log.error(traceOf(error)));
  return extensionApi(registry);
}

/** Starts only where a window ended in the middle of a turn: what it left is brought to its end and told. */
async function lookAfterLeft(context: vscode.ExtensionContext, belay: Once<BelayWindow>): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = folders.map(({ uri }) => uri);
  if (await isAnyLeft(context.globalStorageUri, places)) await (await belay()).core.start();
}

/**
 * The editor kills the host 5 s after this: turns are stopped, children killed, journals sealed, the database closed. The subscriptions are
 * disposed at the same moment, and a disposed log throws: so it isn't one of them.
 */
export async function deactivate(): Promise<void> {
  try {
    await Promise.all([closeWindow(), open?.languageServers.close()]);
  } finally {
    open?.log.dispose();
  }
}

/** One that is about to load is waited for: it may have begun to build a core. */
async function closeWindow(): Promise<void> {
  await (await open?.belay.begun())?.close();
}
