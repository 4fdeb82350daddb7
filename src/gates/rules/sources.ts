import { t } from '#base/l10n';
import type { PermissionLists } from '#protocol/settings';
import { parseRule, type Rule, type RuleKind } from './rule';

/** Rules of one origin. Sources are handed on as a list, strong to weak; a deny counts from any of them. */
export interface RuleSource {
  /** For people: "user settings", "this session". */
  readonly name: string;
  readonly deny: readonly Rule[];
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  /** Its allow rules lift the built-in ask lists. A project's never do. */
  readonly liftsBuiltIns: boolean;
  /** Rules that can't be read, in words for the person who wrote them. One that would guard makes everything ask. */
  readonly problems: readonly RuleProblem[];
}

export interface RuleProblem {
  readonly kind: RuleKind;
  readonly words: string;
}

/** The user's own rules. Kept while the lists stay the same: they are asked for on every call. */
export function userRules(lists: PermissionLists): RuleSource {
  if (last?.lists !== lists) last = { lists, source: readRules(t('user settings'), lists) };
  return last.source;
}
let last: { readonly lists: PermissionLists; readonly source: RuleSource } | undefined;

/** Reads lists of rules; what can't be read is kept as a problem. */
export function readRules(name: string, lists: PermissionLists, liftsBuiltIns = true): RuleSource {
  const problems: RuleProblem[] = [];
  const read = (kind: RuleKind) =>
    lists[kind].flatMap((text) => {
      const rule = parseRule(text, kind);
      if (rule.ok) return [rule.value];
      problems.push({ kind, words: rule.error });
      return [];
    });
  return { name, deny: read('deny'), allow: read('allow'), ask: read('ask'), liftsBuiltIns, problems };
}
