import * as vscode from 'vscode';
import type { App } from '#app';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Event } from '#base/emitter';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { SessionSummary } from '#protocol/panel-state';
import { type CheckpointNode, decorationOf, treeItem } from './checkpoint-items';
import type { CoreState } from './core';

/** What the tree looks at in the window's core. */
interface Watched {
  readonly onDidChange: Event<void>;
  readonly ready: { readonly app: Listed } | undefined;
  readonly session: { readonly id: string } | undefined;
  start(): Promise<
    { readonly kind: 'ready'; readonly app: Listed } | { readonly kind: Exclude<CoreState['kind'], 'ready'> }
  >;
}
type Listed = Pick<App, 'sessions' | 'checkpoints' | 'canRedo' | 'background'>;

/** Sessions → what runs beside them, and turns that changed something → files. */
export class CheckpointsTree
  implements vscode.TreeDataProvider<CheckpointNode>, vscode.FileDecorationProvider, Disposable
{
  readonly #core: Watched;
  readonly #isSeen: () => boolean;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #disposables = new DisposableStore();
  /** What the editor was last handed, or told to ask for. */
  #shown: string | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  /** `isSeen`: whether the tree is on screen. */
  constructor(core: Watched, isSeen: () => boolean = () => true) {
    this.#core = core;
    this.#isSeen = isSeen;
    this.#disposables.add(core.onDidChange(() => this.#refresh()));
  }

  async getChildren(node?: CheckpointNode): Promise<CheckpointNode[]> {
    const state = await this.#core.start();
    if (state.kind !== 'ready') return [];
    if (!node) {
      this.#shown = this.#picture(state.app);
      return this.#roots(state.app.sessions());
    }
    if (node.kind === 'session') return this.#rows(node.session.id);
    if (node.kind !== 'turn') return [];
    const { sessionId, checkpoint } = node;
    return [
      ...checkpoint.files.map((change): CheckpointNode => ({ kind: 'file', sessionId, checkpoint, change })),
      ...(checkpoint.folders ?? []).map(
        (change): CheckpointNode => ({ kind: 'folder', sessionId, checkpoint, change }),
      ),
      ...checkpoint.commandChanges.map((change): CheckpointNode => ({ kind: 'command-file', ...change })),
    ];
  }

  getTreeItem(node: CheckpointNode): vscode.TreeItem {
    return treeItem(node, this.#core.session?.id);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return decorationOf(uri);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#changed.dispose();
  }

  /**
   * In sight only for a difference to be seen: the editor draws every row anew, and a click on a row being drawn is lost. Out of sight
   * nothing is compared, since that reads every checkpoint: the editor asks when the tree is shown.
   */
  #refresh(): void {
    const app = this.#core.ready?.app;
    const picture = app && this.#isSeen() ? this.#picture(app) : undefined;
    if (picture !== undefined && picture === this.#shown) return;
    // Until the editor asks, the same change may be told twice; it would draw it twice too.
    this.#shown = picture;
    this.#changed.fire(undefined);
  }

  #picture(app: Listed): string {
    const sessions = this.#roots(app.sessions());
    return JSON.stringify([
      this.#core.session?.id,
      sessions.map((node) => [node.session.id, node.session.title, this.#rows(node.session.id)]),
    ]);
  }

  #roots(sessions: readonly SessionSummary[]): (CheckpointNode & { kind: 'session' })[] {
    return sessions
      .filter(({ id }) => this.#checkpoints(id).length > 0 || this.#background(id).length > 0)
      .map((session) => ({ kind: 'session', session }));
  }

  #rows(sessionId: string): CheckpointNode[] {
    return [...this.#background(sessionId), ...this.#turns(sessionId)];
  }

  #background(sessionId: string): CheckpointNode[] {
    const rows = this.#core.ready?.app.background(sessionId) ?? [];
    return rows.map((row) => ({ kind: 'background', sessionId, row }));
  }

  #turns(sessionId: string): CheckpointNode[] {
    const app = this.#core.ready?.app;
    const redoable = app?.canRedo(sessionId) ?? false;
    const filesRedoable = app?.canRedo(sessionId, 'files') ?? false;
    const checkpoints = [...this.#checkpoints(sessionId)].sort((a, b) => b.turn - a.turn);
    return checkpoints.map((checkpoint) => ({
      kind: 'turn',
      sessionId,
      checkpoint,
      redoable: redoable && checkpoint.state === 'undone',
      filesRedoable: filesRedoable && checkpoint.state === 'undone',
    }));
  }

  #checkpoints(sessionId: string): readonly CheckpointSummary[] {
    const checkpoints = this.#core.ready?.app.checkpoints(sessionId) ?? [];
    return checkpoints.filter(
      ({ files, folders = [], commandChanges }) => files.length + folders.length + commandChanges.length > 0,
    );
  }
}
