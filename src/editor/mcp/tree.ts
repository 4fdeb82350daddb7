import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import type { QuestionLine } from '#editor/questions/line';
import type { Mcp } from './control';
import { mcpItem } from './items';
import { childNodes, type McpNode, nodeKey, rootNodes } from './nodes';

/** What the view *MCP Servers* shows. */
export class McpTree implements vscode.TreeDataProvider<McpNode>, Disposable {
  readonly #mcp: () => Mcp | undefined;
  readonly #line: QuestionLine;
  readonly #changed = new vscode.EventEmitter<McpNode | undefined>();
  /** The rows that the editor has, by their keys: it knows a row by the object, and a click on one that is no more is lost. */
  readonly #kept = new Map<string, { readonly node: McpNode; drawn: string }>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(mcp: () => Mcp | undefined, line: QuestionLine) {
    this.#mcp = mcp;
    this.#line = line;
  }

  /** Only what differs is drawn anew: a click on a row being drawn is lost. */
  refresh(): void {
    const before = this.#shape();
    const drawn = new Map([...this.#kept].map(([key, kept]) => [key, kept.drawn]));
    this.#roots();
    if (before !== this.#shape()) {
      this.#changed.fire(undefined);
      return;
    }
    for (const [key, kept] of this.#kept) if (drawn.get(key) !== kept.drawn) this.#changed.fire(kept.node);
  }

  /** Draws all rows as they are: a checkbox may show what could not be done. */
  redraw(): void {
    this.#changed.fire(undefined);
  }

  getChildren(node?: McpNode): McpNode[] {
    return [...(node ? childNodes(node) : this.#roots())];
  }

  getTreeItem(node: McpNode): vscode.TreeItem {
    return mcpItem(node);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Which rows there are and which of them unfold: the editor aligns all of them by that. */
  #shape(): string {
    return JSON.stringify([...this.#kept].map(([key, { node }]) => [key, childNodes(node).length > 0]));
  }

  /** The rows as they are now, in the objects that the editor knows. */
  #roots(): readonly McpNode[] {
    const known = new Map(this.#kept);
    this.#kept.clear();
    return rootNodes(this.#mcp(), this.#line).map((now) => {
      const key = nodeKey(now);
      const node = Object.assign(known.get(key)?.node ?? {}, now);
      this.#kept.set(key, { node, drawn: JSON.stringify(now) });
      return node;
    });
  }
}
