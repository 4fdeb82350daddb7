import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { areSame, runsScripts, type ScriptHashes, scriptHashes } from './package-scripts';
import { parseRule, type Rule } from './rule';
import type { RuleSource } from './sources';

/** A rule and the packages' scripts when it was given. */
interface AllowedRule {
  readonly rule: Rule;
  readonly scripts: ScriptHashes;
}

/** Joins the two rules of one answer: a command and its network. */
export const AND = ' + ';

/** Answers given in this session. They live in memory and end with the window's run of it. */
export class SessionRules {
  #deny: readonly Rule[] = [];
  #allow: readonly AllowedRule[] = [];
  #scripts: ScriptHashes = new Map();
  readonly #deniedInputs = new Set<string>();

  /** Adds the rule of an answer; what can't be read adds nothing and says why. */
  add(kind: 'allow' | 'deny', text: string): Result<readonly Rule[], string> {
    const rules: Rule[] = [];
    for (const part of splitRules(text)) {
      const rule = parseRule(part, kind);
      if (!rule.ok) return fail(rule.error);
      rules.push(rule.value);
    }
    const scripts = this.#scripts;
    if (kind === 'allow') this.#allow = [...this.#allow, ...rules.map((rule) => ({ rule, scripts }))];
    else this.#deny = [...this.#deny, ...rules];
    return ok(rules);
  }

  /**
   * Looks at the scripts that a command in these folders would run. A rule for `npm test` holds while they are what they were when it
   * was given: who changes them changes what the person allowed.
   */
  async look(folders: readonly AbsolutePath[], files: Pick<Files, 'stat' | 'read'>): Promise<void> {
    this.#scripts = await scriptHashes(folders, files);
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
      allow: this.#allow
        .filter(({ rule, scripts }) => !runsScripts(rule) || areSame(scripts, this.#scripts))
        .map(({ rule }) => rule),
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
