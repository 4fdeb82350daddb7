import type { Memento } from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Core } from '#editor/core';
import type { EditorLog } from '#editor/log';
import { readyCore } from '#editor/needs';
import { once } from '#editor/once';
import type { QuestionLine } from '#editor/questions/line';
import { showFailure } from '#editor/report';
import type { Mcp } from './control';
import type { McpWindow } from './window';

/** The MCP servers' part of the window, loaded once there is a core to follow. */
export class McpServers implements Disposable {
  readonly #core: Core;
  readonly #owned = new DisposableStore();
  readonly #load: () => Promise<McpWindow>;

  constructor(world: { core: Core; line: QuestionLine; memento: Memento; log: EditorLog }) {
    const { core, log } = world;
    this.#core = core;
    this.#load = once(async () => {
      const { McpWindow } = await import('#editor/mcp/window');
      return this.#owned.add(new McpWindow(world));
    });
    this.#owned.add(
      core.onDidChange(() => {
        if (core.ready) this.#load().catch((error: unknown) => showFailure(error, log));
      }),
    );
  }

  /** For what a person asked for: throws in words for people where there is no folder. */
  async opened(): Promise<{ readonly window: McpWindow; readonly mcp: Mcp }> {
    const { app } = await readyCore(this.#core);
    return { window: await this.#load(), mcp: app.mcp };
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
