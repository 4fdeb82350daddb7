import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import type { QuestionLine } from '#editor/questions/line';
import type { Mcp } from './control';
import { mcpItem } from './items';
import { childNodes, type McpNode, rootNodes } from './nodes';

/** What the view *MCP Servers* shows. */
export class McpTree implements vscode.TreeDataProvider<McpNode>, Disposable {
  readonly #mcp: () => Mcp | undefined;
  readonly #line: QuestionLine;
  readonly #changed = new vscode.EventEmitter<undefined>();
  /** What the editor was last told to draw. */
  #shown = '';

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(mcp: () => Mcp | undefined, line: QuestionLine) {
    this.#mcp = mcp;
    this.#line = line;
  }

  /** Only for a difference to be seen: the editor draws every row anew, and a click on a row being drawn is lost. */
  refresh(): void {
    const now = JSON.stringify(this.roots());
    if (now === this.#shown) return;
    this.#shown = now;
    this.#changed.fire(undefined);
  }

  /** Draws all rows as they are: a checkbox may show what could not be done. */
  redraw(): void {
    this.#changed.fire(undefined);
  }

  roots(): readonly McpNode[] {
    return rootNodes(this.#mcp(), this.#line);
  }

  getChildren(node?: McpNode): McpNode[] {
    return [...(node ? childNodes(node) : this.roots())];
  }

  getTreeItem(node: McpNode): vscode.TreeItem {
    return mcpItem(node);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
