import { visit } from 'jsonc-parser';

/** The first key that stands twice in an object of this JSON; readers differ in which of the two they take. */
export function doubledKey(json: string): string | undefined {
  let found: string | undefined;
  const open: Set<string>[] = [];
  visit(json, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (name) => {
      const keys = open.at(-1);
      if (keys?.has(name)) found ??= name;
      keys?.add(name);
    },
  });
  return found;
}
