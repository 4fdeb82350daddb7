import type { Rule } from './rule';
import type { RuleSource } from './sources';

/** A rule that speaks of a subject, and whose it is. */
export interface SourceHit {
  readonly rule: Rule;
  readonly source: RuleSource;
}

/** How to tell whether a rule speaks of the subject that is judged. */
export interface Speaks {
  /** Read as one that opens: it must match for certain. */
  readonly allows: (rule: Rule) => boolean;
  /** Read as one that guards: it hits when it may match. */
  readonly asks: (rule: Rule) => boolean;
}

/** What the strongest source that has anything to say says; inside one source an allow comes before an ask. */
export function strongest(
  sources: readonly RuleSource[],
  speaks: Speaks,
): (SourceHit & { readonly says: 'allow' | 'ask' }) | undefined {
  for (const source of sources) {
    const allow = source.allow.find(speaks.allows);
    // Files that keep Claude Code's order keep it among all of them: any of their asks comes first.
    const before = source.asksFirst && allow ? sources.filter(({ asksFirst }) => asksFirst) : [];
    for (const asking of allow ? before : [source]) {
      const rule = asking.ask.find(speaks.asks);
      if (rule) return { says: 'ask', rule, source: asking };
    }
    if (allow) return { says: 'allow', rule: allow, source };
  }
  return undefined;
}

/** Where a rule stands, for people: ".belay/settings.json:7", or the source's name. */
export function whereOf({ rule, source }: SourceHit): string {
  return rule.origin ? `${rule.origin.file}:${rule.origin.line}` : source.name;
}
