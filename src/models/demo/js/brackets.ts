import type { Token } from './scan';

const pairsOf = new WeakMap<readonly Token[], ReadonlyMap<number, number>>();

/** Index of the bracket that closes the one at `open`; undefined when there is none. */
export function closing(tokens: readonly Token[], open: number | undefined): number | undefined {
  if (open === undefined) return undefined;
  const pairs = pairsOf.get(tokens) ?? match(tokens);
  pairsOf.set(tokens, pairs);
  return pairs.get(open);
}

/** All pairs at once: asked for one by one, deep nesting would take forever. */
function match(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const opened: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (/^[([{]$/.test(text)) opened.push(at);
    else if (/^[)\]}]$/.test(text)) pairs.set(opened.pop() ?? -1, at);
  }
  return pairs;
}
