import type { Memento } from 'vscode';

const PREFIX = 'belay.tab.';

/** What the pages of tabs keep, by session: a tab that is closed and opened again has its draft. */
export class KeptOfTabs {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get(sessionId: string | undefined): string {
    return sessionId === undefined ? '' : this.#memento.get(PREFIX + sessionId, '');
  }

  async set(sessionId: string | undefined, kept: string | undefined): Promise<void> {
    if (sessionId !== undefined) await this.#memento.update(PREFIX + sessionId, kept);
  }

  /** Forgets what belongs to sessions that are no more. */
  async prune(isKnown: (sessionId: string) => boolean): Promise<void> {
    const ids = this.#memento.keys().filter((key) => key.startsWith(PREFIX));
    for (const key of ids) if (!isKnown(key.slice(PREFIX.length))) await this.#memento.update(key, undefined);
  }
}
