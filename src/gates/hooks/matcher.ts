import { fail, messageOf, ok, type Result } from '#base/result';

/** Which tools (or ways a session starts) a hook is for. */
export type HookMatcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'pattern'; readonly pattern: RegExp };

/** Letters, digits and _ with | (or a comma) between: a list of exact names. Anything else is a regular expression. */
const LIST = /^[\w\s,|]+$/;

/** Reads a matcher as Claude Code does: `""` and `"*"` mean all; a pattern may match anywhere in the name. */
export function parseMatcher(text: string): Result<HookMatcher, string> {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '*') return ok({ kind: 'all' });
  if (LIST.test(trimmed)) {
    const names = trimmed.split(/[\s,|]+/).filter((name) => name !== '');
    return ok({ kind: 'names', names: new Set(names) });
  }
  try {
    return ok({ kind: 'pattern', pattern: new RegExp(trimmed) });
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** Whether it is for one of these names. Nothing to match on, nothing to leave out. */
export function fits(matcher: HookMatcher, names: readonly string[]): boolean {
  if (names.length === 0) return true;
  switch (matcher.kind) {
    case 'all':
      return true;
    case 'names':
      return names.some((name) => matcher.names.has(name));
    case 'pattern':
      return names.some((name) => matcher.pattern.test(name));
  }
}
