/**
 * The part of an entry's settings that a server asks for: `python.analysis` of `{"python": {"analysis": {…}}}`, or of what the editor's
 * own settings files write, `{"python.analysis.typeCheckingMode": "strict"}`. Null when there is none, all of it without a section.
 */
export function sectionOf(settings: unknown, section: string | null | undefined): unknown {
  const parts = section ? section.split('.') : [];
  return parts.reduce((value: unknown, part) => own(value, part), nested(settings)) ?? null;
}

/** Dotted keys as objects in each other; what is written later wins. */
function nested(settings: unknown): unknown {
  if (!isObject(settings)) return settings;
  const all: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(settings)) put(all, key.split('.'), value);
  return all;
}

function put(into: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const there = into[first];
  if (rest.length === 0) {
    into[first] =
      isObject(there) && isObject(value) ? Object.assign(Object.create(null), there, value) : value;
    return;
  }
  const inner: Record<string, unknown> = Object.assign(Object.create(null), isObject(there) ? there : {});
  into[first] = inner;
  put(inner, rest, value);
}

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
