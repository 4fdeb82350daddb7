import { type Disposable, DisposableStore } from '#base/disposable';
import type { Log } from '#host';
import type { ToolDefinition } from '#tools/tool';
import { createToolbox, type ToolTable, withTools } from '#tools/toolbox';
import type { Contribution } from './contribution';

/** Keeps the tool table: our own tools and what contributions add. Each change makes a new snapshot with a higher version. */
export class ToolSource implements Disposable {
  readonly #base: ToolTable;
  readonly #contributions: readonly Contribution[];
  readonly #log: Log;
  readonly #owned = new DisposableStore();
  #table: ToolTable;

  constructor(own: readonly ToolDefinition[], contributions: readonly Contribution[], log: Log) {
    this.#base = createToolbox(own);
    this.#contributions = contributions;
    this.#log = log;
    this.#table = this.#base;
    if (contributions.length > 0) this.#rebuild();
    for (const contribution of contributions) {
      this.#owned.add(contribution);
      this.#owned.add(contribution.onDidChange(() => this.#rebuild()));
    }
  }

  /** As the world is now. */
  get table(): ToolTable {
    for (const contribution of this.#contributions) contribution.look?.();
    return this.#table;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #rebuild(): void {
    const added = this.#contributions.flatMap((contribution) => contribution.tools());
    const { table, dropped } = withTools({ ...this.#base, version: this.#table.version }, added);
    for (const { name, kept, dropped: owner } of dropped)
      this.#log.warn(`tools: ${name} of ${owner} is left out, the name is taken by ${kept}`);
    this.#table = table;
  }
}
