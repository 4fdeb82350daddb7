import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import type { CheckpointNode } from './checkpoint-items';
import type { CheckpointsTree } from './checkpoints-tree';
import { once } from './once';

/** The tree of checkpoints as the editor knows it from the start: what it shows is loaded when the editor first asks for rows. */
export class LaterTree implements vscode.TreeDataProvider<CheckpointNode>, Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #tree: () => Promise<CheckpointsTree>;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<CheckpointsTree>) {
    this.#tree = once(async () => {
      const tree = await load();
      // Gone with the tree's own end, which is the window's.
      tree.onDidChangeTreeData(() => this.#changed.fire(undefined));
      return tree;
    });
  }

  async getChildren(node?: CheckpointNode): Promise<CheckpointNode[]> {
    return (await this.#tree()).getChildren(node);
  }

  async getTreeItem(node: CheckpointNode): Promise<vscode.TreeItem> {
    return (await this.#tree()).getTreeItem(node);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
