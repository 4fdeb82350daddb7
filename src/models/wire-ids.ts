import type { CallId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { ToolCall } from '#protocol/tool-call';

/** Longest id that OpenAI takes; other providers allow more. */
const LONGEST = 64;

/**
 * Gives every call an id for the wire: the provider's own where it is legal and first of its name, else one made from it.
 * Depends only on the calls before it, so a longer history keeps the ids of a shorter one (prompt caches go on matching).
 */
export function wireIds(messages: readonly Message[]): ReadonlyMap<CallId, string> {
  const ids = new Map<CallId, string>();
  const used = new Set<string>();
  for (const message of messages) {
    if (message.kind !== 'assistant') continue;
    for (const part of message.parts) {
      if (part.kind !== 'call' || ids.has(part.call.id)) continue;
      const id = unused(legalId(part.call), used);
      used.add(id);
      ids.set(part.call.id, id);
    }
  }
  return ids;
}

const legalIds = new WeakMap<ToolCall, string>();

/** Looked at once: a conversation is sent again and again. */
function legalId(call: ToolCall): string {
  const known = legalIds.get(call) ?? legal(call.providerId);
  legalIds.set(call, known);
  return known;
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
