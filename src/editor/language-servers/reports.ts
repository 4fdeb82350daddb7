import * as vscode from 'vscode';
import { delay } from '#base/queue';

/** Documents that are remembered; beyond that all are forgotten. */
const MOST = 10_000;
const PAUSE = 30;

/** Which texts a server has said its problems of: "none" is only known of those. */
export class Reports {
  readonly #versions = new Map<string, number>();

  /** The server told the problems of a document: of this version, or, where it doesn't say of which, as it is now. */
  heard(uri: vscode.Uri, version?: number): void {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (this.#versions.size >= MOST) this.#versions.clear();
    if (document) this.#versions.set(uri.toString(), version ?? document.version);
  }

  has(document: vscode.TextDocument): boolean {
    return this.#versions.get(document.uri.toString()) === document.version;
  }

  /** Waits for it, at most so many milliseconds. */
  async wait(document: vscode.TextDocument, ms: number): Promise<void> {
    for (const end = performance.now() + ms; !this.has(document) && performance.now() < end; )
      await delay(PAUSE);
  }

  /** Its server began anew. */
  clear(): void {
    this.#versions.clear();
  }
}
