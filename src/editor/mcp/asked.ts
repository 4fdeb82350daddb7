import type { Memento } from 'vscode';

const KEY = 'belay.mcp.asked';
/** Older ones may be asked again. */
const MOST = 200;

/** Contents that a notification has told of, in this window or one before it on the same folder. */
export class Asked {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  #known: readonly string[];

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    const kept: unknown = memento.get(KEY);
    this.#known = Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  }

  has(sha256: string): boolean {
    return this.#known.includes(sha256);
  }

  add(sha256: string): void {
    this.#known = [...this.#known.filter((one) => one !== sha256), sha256].slice(-MOST);
    void this.#memento.update(KEY, this.#known);
  }
}
