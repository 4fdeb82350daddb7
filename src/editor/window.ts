import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { ToolRegistry } from '#editor/extensions/registry';
import type { LanguageServerWatch } from '#editor/language-servers/watch';
import { McpServers } from '#editor/mcp/servers';
import type { EditorSignIn } from '#editor/mcp/sign-in';
import type { Post } from '#editor/notices';
import { ChatView } from '#editor/panel/view';
import { QuestionLine } from '#editor/questions/line';
import { QuestionNotifications } from '#editor/questions/notification';
import { sideReader } from '#editor/review/read-side';
import { Approvals } from './approvals';
import { ArtifactDocuments } from './artifact-documents';
import type { CheckpointFileSystem, ReadSide } from './checkpoint-files';
import { CheckpointsTree } from './checkpoints-tree';
import { type CommandTable, commandTable } from './commands';
import { Core } from './core';
import type { EditorLog } from './log';
import { ApprovalNotifications } from './notifications';
import { once } from './once';
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
  readonly core: Core;
  readonly chat: ChatView;
  readonly tree: CheckpointsTree;
  readonly artifacts: ArtifactDocuments;
  /** Reads a side of a comparison. */
  readonly readSide: ReadSide;
  readonly #approvals: Approvals;
  readonly #commands: CommandTable;
  readonly #owned = new DisposableStore();

  constructor(world: WindowWorld) {
    const { context, log, statusBar } = world;
    const approvals = this.#owned.add(new Approvals());
    const line = this.#owned.add(new QuestionLine());
    const core = new Core(context, log, { ...world, approvals, line });
    const memento = context.workspaceState;
    const servers = this.#owned.add(new McpServers({ core, line, memento, log }));
    const settings = this.#owned.add(new SettingsAcceptance(core, log));
    const late = this.#late(core, approvals);
    this.core = core;
    this.#approvals = approvals;
    this.artifacts = new ArtifactDocuments(core);
    this.readSide = sideReader(core);
    this.tree = this.#owned.add(new CheckpointsTree(core, world.isTreeSeen));
    this.chat = this.#owned.add(
      new ChatView({ core, approvals, extensionUri: context.extensionUri, memento, log, ...late }),
    );
    this.#commands = commandTable({
      ...world,
      ...late,
      core,
      approvals,
      line,
      servers,
      settings,
      chat: this.chat,
    });
    this.#owned.add(vscode.window.registerFileDecorationProvider(this.tree));
    this.#owned.add(new StatusWatch({ core, approvals, statusBar, log }));
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

  /** What only a person's wish needs, loaded with the first of them. */
  #late(core: Core, approvals: Approvals) {
    const post: Post = (message) => this.chat.post(message);
    const actions = once(async () => new (await import('#editor/actions')).Actions(core, post));
    const review = once(async () => {
      const { ReviewActions } = await import('#editor/review/commands');
      return new ReviewActions(core, (await actions()).changes);
    });
    const explainer = once(async () => {
      const { ExplainCommand } = await import('#editor/explain-command');
      return this.#owned.add(new ExplainCommand(core));
    });
    const messages = once(async () => {
      const { panelMessages } = await import('#editor/panel/messages');
      return panelMessages({ core, actions: await actions(), review: await review(), approvals, post });
    });
    const onMessage: Awaited<ReturnType<typeof messages>> = async (message) => (await messages())(message);
    return { actions, review, explainer, onMessage };
  }

  #notifications(log: EditorLog): ApprovalNotifications {
    return new ApprovalNotifications({
      approvals: this.#approvals,
      log,
      review: async ({ sessionId }) => {
        await this.core.show(sessionId);
        await this.chat.show();
      },
    });
  }
}
