/** Lists and objects within each other. Nothing that means something to a person or a model goes there. */
const DEEPEST = 500;
const CUT = '(nested too deeply)';

/** Cuts off, in place, what lies deeper than anybody's stack should have to go: whoever looks at the value next may recurse. */
export function withinDepth<T>(value: T): T {
  cut(value, DEEPEST);
  return value;
}

function cut(value: unknown, left: number): void {
  if (!isTree(value)) return;
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (!isTree(inner)) continue;
    if (left > 0) cut(inner, left - 1);
    // Not by assignment: the key may be `__proto__`.
    else Object.defineProperty(value, key, { value: CUT });
  }
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
