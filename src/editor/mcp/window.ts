import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import { setContext } from '#editor/context-keys';
import type { Core, ReadyCore } from '#editor/core';
import type { EditorLog } from '#editor/log';
import type { QuestionLine } from '#editor/questions/line';
import { showFailure } from '#editor/report';
import { McpAcceptance } from './acceptance';
import { tellEnded } from './actions';
import { Asked } from './asked';
import type { Mcp } from './control';
import { Crashes } from './crashes';
import { toolSwitch } from './disabled';
import { McpLogs } from './logs';
import { type McpNode, waitingCount } from './nodes';
import { McpReview } from './review';
import { switchAll } from './switches';
import { McpTree } from './tree';
import { watchConfig } from './watch';
import { serverWords } from './words';

/** The view's id. */
export const MCP_VIEW = 'belay.mcpServers';

/** What the window builds on. */
export interface McpWorld {
  readonly core: Core;
  readonly line: QuestionLine;
  readonly memento: vscode.Memento;
  readonly log: EditorLog;
}

/** The view of the MCP servers, what they ask and what they log, for whichever folder the window works in. */
export class McpWindow implements Disposable {
  readonly #world: McpWorld;
  readonly #owned = new DisposableStore();
  readonly #tree: McpTree;
  readonly #view: vscode.TreeView<McpNode>;
  readonly #crashes = new Crashes();
  #followed = new DisposableStore();
  #ready: ReadyCore | undefined;
  /** The person asked for the view: it stays though it is empty. */
  #wanted = false;

  readonly acceptance: McpAcceptance;
  readonly logs: McpLogs;

  constructor(world: McpWorld) {
    const { core, line, memento, log } = world;
    this.#world = world;
    const mcp = () => this.mcp;
    const review = this.#owned.add(new McpReview());
    this.logs = this.#owned.add(new McpLogs(mcp));
    this.acceptance = new McpAcceptance({ mcp, review, asked: new Asked(memento), log });
    this.#tree = this.#owned.add(new McpTree(mcp, line));
    this.#view = this.#owned.add(
      vscode.window.createTreeView(MCP_VIEW, {
        treeDataProvider: this.#tree,
        manageCheckboxStateManually: true,
      }),
    );
    this.#owned.add(this.#view.onDidChangeCheckboxState(({ items }) => this.#orTell(this.#switch(items))));
    this.#owned.add(line.onDidChange(() => this.#update()));
    this.#owned.add(core.onDidChange(() => this.#follow()));
    this.#follow();
  }

  /** The servers of the folder the window works in. */
  get mcp(): Mcp | undefined {
    return this.#ready?.app.mcp;
  }

  /** Brings the view before the person who asked for it; without a server it tells where servers are written down. */
  async show(): Promise<void> {
    this.#wanted = true;
    this.#update();
    await vscode.commands.executeCommand(`${MCP_VIEW}.focus`);
  }

  /** Starts a server anew; how it ends then is told again. */
  async restart(server: string): Promise<void> {
    this.#crashes.forget(server);
    await this.mcp?.restart(server);
  }

  dispose(): void {
    this.#followed.dispose();
    this.#owned.dispose();
  }

  /** The core of another folder has other servers. */
  #follow(): void {
    const { ready } = this.#world.core;
    if (ready === this.#ready) return;
    this.#followed.dispose();
    this.#followed = new DisposableStore();
    this.#ready = ready;
    if (ready) {
      this.#followed.add(ready.app.mcp.onDidChange(() => this.#update()));
      this.#followed.add(watchConfig(ready, (error) => showFailure(error, this.#world.log)));
    }
    this.#update();
  }

  #update(): void {
    const rows = this.mcp?.servers() ?? [];
    const { line } = this.#world;
    setContext('belay.hasMcpServers', this.#wanted || rows.length > 0 || line.waiting().length > 0);
    this.#tree.refresh();
    this.logs.refresh();
    const value = waitingCount(this.mcp, line);
    const tooltip = value === 1 ? t('1 question waits for you') : t('{0} questions wait for you', value);
    this.#view.badge = value === 0 ? undefined : { value, tooltip };
    this.acceptance.update();
    for (const { name } of rows)
      if (line.waiting().some(({ from }) => from === serverWords(name))) this.#crashes.attended(name);
    for (const row of this.#crashes.news(rows)) this.#orTell(tellEnded(row, () => this.logs.open(row.name)));
  }

  async #switch(items: readonly (readonly [McpNode, vscode.TreeItemCheckboxState])[]): Promise<void> {
    const names = (on: boolean) =>
      items.flatMap(([node, state]) =>
        node.kind === 'tool' && (state === vscode.TreeItemCheckboxState.Checked) === on
          ? [toolSwitch(node.server, node.tool.original)]
          : [],
      );
    try {
      for (const on of [true, false]) {
        const switched = names(on);
        if (switched.length > 0) await switchAll(switched, on);
      }
    } finally {
      this.#tree.redraw();
    }
  }

  #orTell(work: Promise<unknown>): void {
    work.catch((error: unknown) => showFailure(error, this.#world.log));
  }
}
