/** A call in a history, whatever API it came by. */
export interface HistoryCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What is wrong with a call itself. `seen` gathers the ids of the whole history. */
export function callFault({ id, name, input }: HistoryCall, seen: Set<string>): string | undefined {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return `id "${id}" does not match the pattern`;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `name "${name}" does not match the pattern`;
  if (seen.has(id)) return `id "${id}" is not unique`;
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return 'input must be an object';
  seen.add(id);
  return undefined;
}

/** Whether these calls and these results belong together, one to one and in order. */
export function pairingFault(calls: readonly string[], results: readonly string[]): string | undefined {
  const open = calls.find((id) => !results.includes(id));
  if (open !== undefined) return `ids were found without results immediately after: ${open}`;
  const ghost = results.find((id) => !calls.includes(id));
  if (ghost !== undefined) return `unexpected result for ${ghost}, which no call before it has`;
  if (results.length > calls.length) return 'there are more results than calls';
  if (calls.some((id, index) => results[index] !== id))
    return 'results are in another order than their calls';
  return undefined;
}

/** Arguments as they travel in OpenAI's APIs: JSON text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
