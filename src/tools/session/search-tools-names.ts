import type { ToolDefinition } from '#tools/tool';

/** Names that are looked for nearby; the rest is only counted. */
const NEAREST = 3;
/** Below this share of common pairs a name isn't near. */
const LEAST = 0.4;

/** The names of a `select:` query, each once; undefined for any other query. */
export function selectedNames(query: string): readonly string[] | undefined {
  const select = /^\s*select\s*:(.*)$/is.exec(query)?.[1];
  if (select === undefined) return undefined;
  return [...new Set(select.split(',').map((name) => name.trim().replace(/^["'`]|["'`]$/g, '')))].filter(
    (name) => name !== '',
  );
}

/** The names that look most like one that isn't there, the nearest first, ties by name. */
export function nearestNames(name: string, tools: readonly ToolDefinition[]): readonly string[] {
  const wanted = pairsOf(name);
  return tools
    .map((tool) => ({ name: tool.name, share: shareOf(wanted, pairsOf(tool.name)) }))
    .filter(({ share }) => share >= LEAST)
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
    .slice(0, NEAREST)
    .map((each) => each.name);
}

/** Dice's coefficient of the pairs of letters: 1 for the same, 0 for nothing in common. */
function shareOf(one: ReadonlySet<string>, two: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of one) if (two.has(pair)) common += 1;
  return (2 * common) / (one.size + two.size || 1);
}

/** Case and what stands between words don't matter. */
function pairsOf(name: string): ReadonlySet<string> {
  const plain = ` ${name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')} `;
  return new Set(Array.from({ length: plain.length - 1 }, (_, index) => plain.slice(index, index + 2)));
}
