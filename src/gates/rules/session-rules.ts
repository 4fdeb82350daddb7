import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { parseRule, type Rule } from './rule';
import type { RuleSource } from './sources';

/** Joins the two rules of one answer: a command and its network. */
export const AND = ' + ';

/** Answers given in this session. They live in memory and end with the window's run of it. */
export class SessionRules {
  #deny: readonly Rule[] = [];
  #allow: readonly Rule[] = [];
  readonly #deniedInputs = new Set<string>();

  /** Adds the rule of an answer; what can't be read adds nothing and says why. */
  add(kind: 'allow' | 'deny', text: string): Result<readonly Rule[], string> {
    const rules: Rule[] = [];
    for (const part of splitRules(text)) {
      const rule = parseRule(part, kind);
      if (!rule.ok) return fail(rule.error);
      rules.push(rule.value);
    }
    if (kind === 'allow') this.#allow = [...this.#allow, ...rules];
    else this.#deny = [...this.#deny, ...rules];
    return ok(rules);
  }

  /** Denies exactly this call from now on, where no rule could speak of it. */
  denyInput(inputSha256: string): void {
    this.#deniedInputs.add(inputSha256);
  }

  /** The hash is asked for only where it can matter: most sessions have denied nothing. */
  isDenied(inputSha256: () => string): boolean {
    return this.#deniedInputs.size > 0 && this.#deniedInputs.has(inputSha256());
  }

  source(): RuleSource {
    return {
      name: t('this session'),
      deny: this.#deny,
      allow: this.#allow,
      ask: [],
      liftsBuiltIns: true,
      problems: [],
    };
  }
}

/** `A(x) + @network(x)` is two rules; a plus elsewhere belongs to a matcher. */
function splitRules(text: string): readonly string[] {
  const at = text.indexOf(`)${AND}@`);
  return at < 0 ? [text] : [text.slice(0, at + 1), text.slice(at + 1 + AND.length)];
}
