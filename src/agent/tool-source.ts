import { type Disposable, DisposableStore } from '#base/disposable';
import { messageOf } from '#base/result';
import { shownName } from '#gates/refusal';
import { isAlias } from '#gates/rules/rule';
import type { Log } from '#host';
import type { ToolDefinition } from '#tools/tool';
import { createToolbox, type DroppedTool, type ToolTable, withTools } from '#tools/toolbox';
import type { Contribution } from './contribution';

/** Dropped tools that are logged, of thousands that a hostile server may name. */
const MOST_TOLD = 200;

/** Keeps the tool table: our own tools and what contributions add. Each change makes a new snapshot with a higher version. */
export class ToolSource implements Disposable {
  readonly #base: ToolTable;
  readonly #contributions: readonly Contribution[];
  readonly #log: Log;
  readonly #owned = new DisposableStore();
  readonly #told = new Set<string>();
  #table: ToolTable;
  #added: readonly ToolDefinition[] = [];

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
    for (const contribution of this.#contributions) this.#look(contribution);
    return this.#table;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #rebuild(): void {
    const added = this.#contributions.flatMap((contribution) => this.#toolsOf(contribution));
    // What changed was something else: the tools are the very same.
    if (added.length === this.#added.length && added.every((tool, index) => tool === this.#added[index]))
      return;
    this.#added = added;
    const { table, dropped } = withTools({ ...this.#base, version: this.#table.version }, added, isAlias);
    for (const each of dropped) this.#tell(each);
    this.#table = table;
  }

  /** Once: a list may change often. */
  #tell({ name, kept, dropped }: DroppedTool): void {
    const words = `tools: ${shownName(String(name))} of ${shownName(dropped)} is left out, the name is taken by ${shownName(kept)}`;
    if (this.#told.has(words) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(words);
    this.#log.warn(words);
  }

  #look(contribution: Contribution): void {
    try {
      contribution.look?.();
    } catch (error) {
      this.#log.error(`tools: ${contribution.name} can't look for changes: ${messageOf(error)}`);
    }
  }

  /** One that fails costs its own tools alone. */
  #toolsOf(contribution: Contribution): readonly ToolDefinition[] {
    try {
      return contribution.tools();
    } catch (error) {
      this.#log.error(`tools: those of ${contribution.name} are left out: ${messageOf(error)}`);
      return [];
    }
  }
}
