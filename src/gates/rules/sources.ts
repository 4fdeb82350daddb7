import { t } from '#base/l10n';
import type { PermissionLists } from '#protocol/settings';
import { parseRule, type Rule, type RuleKind, type RuleReading } from './rule';

/** Rules of one origin. Sources are handed on as a list, strong to weak; a deny counts from any of them. */
export interface RuleSource {
  /** For people: "user settings", "this session", ".belay/settings.json". */
  readonly name: string;
  readonly deny: readonly Rule[];
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  /** Its allow rules lift the built-in ask lists. A project's never do. */
  readonly liftsBuiltIns: boolean;
  /** Claude Code's order: of all these sources, an ask comes before an allow. */
  readonly asksFirst?: boolean;
  /** No answer of a session can lift what it asks: the policy. */
  readonly asksAlways?: boolean;
  /** Rules that can't be read, in words for the person who wrote them. One that would guard makes everything ask. */
  readonly problems: readonly RuleProblem[];
}

export interface RuleProblem {
  readonly kind: RuleKind;
  readonly words: string;
}

/** One rule of a list as it was written, with what its place says about it. */
export interface WrittenRule extends RuleReading {
  readonly kind: RuleKind;
  readonly text: string;
}

/** The user's own rules. Kept while the lists stay the same: they are asked for on every call. */
export function userRules(lists: PermissionLists): RuleSource {
  if (last?.lists !== lists) last = { lists, source: readRules(t('user settings'), lists) };
  return last.source;
}
let last: { readonly lists: PermissionLists; readonly source: RuleSource } | undefined;

/** Reads lists of rules; what can't be read is kept as a problem. */
export function readRules(name: string, lists: PermissionLists, liftsBuiltIns = true): RuleSource {
  const written = (['deny', 'allow', 'ask'] as const).flatMap((kind) =>
    lists[kind].map((text) => ({ kind, text })),
  );
  const { rules, problems } = parseRules(written);
  return { name, ...rules, liftsBuiltIns, problems: problems.map(({ kind, words }) => ({ kind, words })) };
}

/** Each rule that can be read, by its kind, and what is wrong with the others. */
export function parseRules(written: readonly WrittenRule[]): {
  readonly rules: Readonly<Record<RuleKind, readonly Rule[]>>;
  readonly problems: readonly (RuleProblem & { readonly written: WrittenRule })[];
} {
  const rules: Record<RuleKind, Rule[]> = { deny: [], allow: [], ask: [] };
  const problems: (RuleProblem & { readonly written: WrittenRule })[] = [];
  for (const each of written) {
    const rule = parseRule(each.text, each.kind, each);
    if (rule.ok) rules[each.kind].push(rule.value);
    else problems.push({ kind: each.kind, words: rule.error, written: each });
  }
  return { rules, problems };
}
