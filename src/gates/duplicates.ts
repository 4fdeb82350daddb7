import type { ToolCall } from '#protocol/tool-call';
import { argumentsKey } from './arguments';

/** Same name and arguments → same text. Kept per call, so that a batch is parsed once. */
const keys = new WeakMap<ToolCall, string>();

/** The earlier call of the batch that this one repeats: same provider id, or same tool with the same arguments. */
export function duplicateOf(call: ToolCall, batch: readonly ToolCall[]): 'id' | 'arguments' | undefined {
  for (const earlier of batch) {
    if (earlier.id === call.id) return undefined;
    // Some servers give no ids at all; an empty one says nothing.
    if (call.providerId !== '' && earlier.providerId === call.providerId) return 'id';
    if (earlier.name === call.name && keyOf(earlier) === keyOf(call)) return 'arguments';
  }
  return undefined;
}

function keyOf(call: ToolCall): string {
  const known = keys.get(call);
  if (known !== undefined) return known;
  const key = argumentsKey(call.rawInput);
  keys.set(call, key);
  return key;
}
