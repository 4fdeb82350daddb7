import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { SerialQueue } from '#base/queue';

/**
 * A file that stands while a turn runs in a folder. When the window dies it stays, so that the next one looks after what was left
 * though nobody opens the panel. The editor's own mementos lose their last seconds with the window; a file doesn't.
 */
export class RunningMark {
  readonly #file: vscode.Uri;
  /** A turn may begin before the mark of the last one is gone: the last word must win. */
  readonly #queue = new SerialQueue();
  #stands = false;

  constructor(storage: vscode.Uri, folder: vscode.Uri) {
    const name = createHash('sha256').update(folder.toString()).digest('hex').slice(0, 16);
    this.#file = vscode.Uri.joinPath(storage, 'running', name);
  }

  async isLeft(): Promise<boolean> {
    try {
      await vscode.workspace.fs.stat(this.#file);
      return true;
    } catch {
      return false;
    }
  }

  /** Only a hint for the next start: where it can't be written the turn goes on all the same. */
  set(running: boolean): void {
    if (running === this.#stands) return;
    this.#stands = running;
    this.#queue
      .run(async () => {
        if (running) await vscode.workspace.fs.writeFile(this.#file, new Uint8Array());
        else await vscode.workspace.fs.delete(this.#file);
      })
      .catch(() => undefined);
  }

  /** What was left has been looked after. */
  clear(): void {
    this.#stands = true;
    this.set(false);
  }
}

/** Whether a window ended in the middle of a turn in one of these folders. */
export async function isAnyLeft(storage: vscode.Uri, folders: readonly vscode.Uri[]): Promise<boolean> {
  const left = await Promise.all(folders.map((folder) => new RunningMark(storage, folder).isLeft()));
  return left.includes(true);
}
