import type { McpServerRow } from '#protocol/mcp';

/** Remembers which servers' ends were told, so that one that ends again and again is told once. */
export class Crashes {
  readonly #told = new Set<string>();

  /** Those that are to be told now. */
  news(rows: readonly McpServerRow[]): readonly McpServerRow[] {
    const ended = rows.filter(({ state }) => state === 'failed' || state === 'waiting');
    const fresh = ended.filter(({ name }) => !this.#told.has(name));
    for (const { name } of fresh) this.#told.add(name);
    return fresh;
  }

  /** The person is with it, answering what it asks: how that ends isn't news. */
  attended(server: string): void {
    this.#told.add(server);
  }

  /** The person started it anew: how that ends is news again. */
  forget(server: string): void {
    this.#told.delete(server);
  }
}
