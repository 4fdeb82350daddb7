import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { ToolRegistry } from '#editor/extensions/registry';
import type { LanguageServerWatch } from '#editor/language-servers/watch';
import { McpServers } from '#editor/mcp/servers';
import type { EditorSignIn } from '#editor/mcp/sign-in';
import type { SessionTabs } from '#editor/panel/tabs';
import { ChatView } from '#editor/panel/view';
import { pageWishes } from '#editor/panel/wishes';
import { QuestionLine } from '#editor/questions/line';
import { QuestionNotifications } from '#editor/questions/notification';
import { sideReader } from '#editor/review/read-side';
import { Approvals } from './approvals';
import { ArtifactDocuments } from './artifact-documents';
import type { CheckpointFileSystem, ReadSide } from './checkpoint-files';
import { CheckpointsTree } from './checkpoints-tree';
import { type CommandTable, commandTable } from './commands';
import { setContext } from './context-keys';
import { EditorCore } from './core';
import type { EditorLog } from './log';
import { ApprovalNotifications } from './notifications';
import { type Once, once } from './once';
import { Places } from './places';
import { traceOf } from './report';
import { SettingsAcceptance } from './settings-acceptance';
import { StatusWatch } from './status';
import type { StatusBar } from './status-bar';

/** What stands from the first moment of the window on, made by `activate`. */
export interface WindowWorld {
  readonly context: vscode.ExtensionContext;
  readonly log: EditorLog;
  readonly registry: ToolRegistry;
  readonly signIn: EditorSignIn;
  readonly languageServers: LanguageServerWatch;
  readonly statusBar: StatusBar;
  readonly comparisons: CheckpointFileSystem;
  /** Whether the tree of checkpoints is on screen. */
  readonly isTreeSeen: () => boolean;
}

/** All that answers what `activate` has registered. Loaded with the first question; its core is built when one needs it. */
export class BelayWindow implements Disposable {
  readonly core: EditorCore;
  readonly chat: ChatView;
  readonly tree: CheckpointsTree;
  readonly artifacts: ArtifactDocuments;
  /** Reads a side of a comparison. */
  readonly readSide: ReadSide;
  readonly #approvals: Approvals;
  /** Loaded with the first tab. */
  readonly #tabs: Once<SessionTabs>;
  readonly #commands: CommandTable;
  readonly #owned = new DisposableStore();

  constructor(world: WindowWorld) {
    const { context, log, statusBar } = world;
    const approvals = this.#owned.add(new Approvals());
    const line = this.#owned.add(new QuestionLine());
    const core = new EditorCore(context, log, { ...world, approvals, line });
    const memento = context.workspaceState;
    const servers = this.#owned.add(new McpServers({ core, line, memento, log }));
    const settings = this.#owned.add(new SettingsAcceptance(core, log));
    const keyboard = (here: boolean) => setContext('belay.chatFocused', here);
    const places = this.#owned.add(new Places(core, () => this.chat, keyboard));
    const late = this.#late(places);
    const { extensionUri } = context;
    const messages = pageWishes(approvals);
    const standing = { core, approvals, places, extensionUri, memento, log };
    this.core = core;
    this.#approvals = approvals;
    this.#tabs = once(async () => {
      const { SessionTabs } = await import('#editor/panel/tabs');
      return this.#owned.add(new SessionTabs({ ...standing, messages }));
    });
    this.artifacts = new ArtifactDocuments(core);
    this.readSide = sideReader(core);
    this.tree = this.#owned.add(new CheckpointsTree(places.core, world.isTreeSeen));
    const onMessage = messages(core, (message) => this.chat.post(message));
    this.chat = this.#owned.add(new ChatView({ ...standing, onMessage }));
    this.#commands = commandTable({
      ...{ ...world, ...late, core, places, approvals, line, servers, settings },
      ...{ chat: this.chat, tabs: this.#tabs },
    });
    this.#owned.add(vscode.window.registerFileDecorationProvider(this.tree));
    this.#owned.add(new StatusWatch({ core: places.core, approvals, statusBar, log }));
    this.#owned.add(new QuestionNotifications(line, log));
    this.#owned.add(this.#notifications(log));
    this.#owned.add(
      core.onDidChange(() => {
        world.comparisons.refresh().catch((error: unknown) => log.error(`review: ${traceOf(error)}`));
      }),
    );
  }

  /** Carries out a command, by its id without `belay.`. Rejects with words for people. */
  async run(id: string, args: readonly unknown[]): Promise<void> {
    const command = this.#commands[id];
    if (!command) throw new Error(`There is no command belay.${id}.`);
    await command(...args);
  }

  /** Turns are stopped, children killed, journals sealed, the database closed. */
  close(): Promise<void> {
    return this.core.close();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** A tab of an earlier window. */
  async restoreTab(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.#tabs()).restore(panel, state);
  }

  /** What only a person's wish needs, loaded with the first of them. What names no session means the current place's. */
  #late({ core, post }: Places) {
    const actions = once(async () => new (await import('#editor/actions')).Actions(core, post));
    const review = once(async () => {
      const { ReviewActions } = await import('#editor/review/commands');
      return new ReviewActions(core, (await actions()).changes);
    });
    const explainer = once(async () => {
      const { ExplainCommand } = await import('#editor/explain-command');
      return this.#owned.add(new ExplainCommand(core));
    });
    return { actions, review, explainer };
  }

  #notifications(log: EditorLog): ApprovalNotifications {
    return new ApprovalNotifications({
      approvals: this.#approvals,
      log,
      review: async ({ sessionId }) => {
        const tab = (await this.#tabs.begun())?.of(sessionId);
        if (tab && this.core.session?.id !== sessionId) return tab.show();
        await this.core.show(sessionId);
        await this.chat.show();
      },
    });
  }
}
