import type { CallId } from '#protocol/ids';
import type { Message } from '#protocol/message';

/** Longest id that OpenAI takes; other providers allow more. */
const LONGEST = 64;

/**
 * Gives every call an id for the wire: the provider's own where it is legal and first of its name, else one made from it.
 * Depends only on the calls before it, so a longer history keeps the ids of a shorter one (prompt caches go on matching).
 */
export function wireIds(messages: readonly Message[]): ReadonlyMap<CallId, string> {
  const ids = new WireIds();
  for (const message of messages) ids.add(message);
  return ids.all;
}

/** The same for a conversation that goes on. */
export class WireIds {
  readonly #ids = new Map<CallId, string>();
  readonly #used = new Set<string>();
  readonly all: ReadonlyMap<CallId, string> = this.#ids;

  add(message: Message): void {
    if (message.kind !== 'assistant') return;
    for (const part of message.parts) {
      if (part.kind !== 'call' || this.#ids.has(part.call.id)) continue;
      const id = unused(legal(part.call.providerId), this.#used);
      this.#used.add(id);
      this.#ids.set(part.call.id, id);
    }
  }
}

/** Anthropic takes letters, digits, `_` and `-` in ids and names. */
export function legal(text: string, fallback = 'call'): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST) || fallback;
}

function unused(id: string, used: ReadonlySet<string>): string {
  if (!used.has(id)) return id;
  for (let n = 2; ; n++) {
    const candidate = `${id.slice(0, LONGEST - 8)}_${n}`;
    if (!used.has(candidate)) return candidate;
  }
}
