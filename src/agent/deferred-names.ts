/** Most names that are listed; the rest is only counted. */
const MOST = 1000;

/**
 * The names of deferred tools for the system prompt: each exactly as it is called, those of one server behind their common beginning.
 * They depend on the tools alone, not on the order in which they came. With very many, each server has its share of the list.
 */
export function deferredWords(names: readonly string[]): string {
  if (names.length === 0) return '';
  const shown = fairShare(groupsOf([...names].sort()), MOST);
  const rest = names.length - shown.reduce((sum, [, ends]) => sum + ends.length, 0);
  const more = rest > 0 ? `\nand ${rest} more, which search_tools finds by words.` : '';
  const grouped = shown.some(([prefix, ends]) => isGrouped(prefix, ends))
    ? ' a__{b,c} stands for a__b and a__c.'
    : '';
  return `# More tools\nKnown by name; search_tools makes one usable from your next reply on.${grouped}\n${shown.map(groupWords).join('\n')}${more}`;
}

/** A common beginning, maybe none, and what follows it. */
type Group = readonly [prefix: string, ends: readonly string[]];

/** `mcp__server__`, or whatever else stands before a name's first two double underscores. */
const PREFIX = /^.+?__(?:.+?__)?/;

function groupsOf(names: readonly string[]): readonly Group[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const prefix = PREFIX.exec(name)?.[0] ?? '';
    const ends = groups.get(prefix) ?? [];
    ends.push(name.slice(prefix.length));
    groups.set(prefix, ends);
  }
  return [...groups];
}

/** Small groups whole, what is left over for the large ones. */
function fairShare(groups: readonly Group[], most: number): readonly Group[] {
  const sizes = new Map<string, number>();
  let room = most;
  const bySize = [...groups].sort(([, a], [, b]) => a.length - b.length);
  for (const [index, [prefix, ends]] of bySize.entries()) {
    const size = Math.min(ends.length, Math.floor(room / (bySize.length - index)));
    sizes.set(prefix, size);
    room -= size;
  }
  return groups
    .map(([prefix, ends]): Group => [prefix, ends.slice(0, sizes.get(prefix) ?? 0)])
    .filter(([, ends]) => ends.length > 0);
}

function groupWords([prefix, ends]: Group): string {
  return isGrouped(prefix, ends)
    ? `${prefix}{${ends.join(',')}}`
    : ends.map((end) => prefix + end).join(', ');
}

function isGrouped(prefix: string, ends: readonly string[]): boolean {
  return prefix !== '' && ends.length > 1;
}
