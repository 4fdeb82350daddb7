import type { Memento } from 'vscode';
import type { McpQuestion } from '#protocol/mcp';

const KEY = 'belay.mcp.asked';
/** Older ones may be asked again. */
const MOST = 200;

/** Two servers may be written alike, and each asks for itself. */
type Told = Pick<McpQuestion, 'server' | 'sha256'>;

/** Contents of servers that a notification has told of, in this window or one before it on the same folder. */
export class Asked {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  #known: readonly string[];

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    const kept: unknown = memento.get(KEY);
    this.#known = Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  }

  has(question: Told): boolean {
    return this.#known.includes(keyOf(question));
  }

  add(question: Told): void {
    const key = keyOf(question);
    this.#known = [...this.#known.filter((one) => one !== key), key].slice(-MOST);
    void this.#memento.update(KEY, this.#known);
  }
}

function keyOf({ server, sha256 }: Told): string {
  return `${sha256} ${server}`;
}
