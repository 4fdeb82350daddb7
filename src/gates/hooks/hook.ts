import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { Rule } from '#gates/rules/rule';
import type { HookMatcher } from './matcher';

/** The moments at which hooks run. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionStart',
  'PreCompact',
  'Stop',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** One command that a person wants run at one moment. */
export interface Hook {
  readonly event: HookEvent;
  /** Where it is configured, for people: ".belay/settings.json". */
  readonly source: string;
  readonly matcher: HookMatcher;
  readonly command: string;
  readonly timeoutMs: number;
  /** `if`: it runs only for calls that this rule may speak of. */
  readonly condition?: Rule;
}

/** What couldn't be read of a configuration. Where it may have been a guard, calls ask. */
export interface HookProblem {
  readonly source: string;
  readonly words: string;
  readonly guards: boolean;
}

/** What one source configures. */
export interface HookSet {
  readonly hooks: readonly Hook[];
  readonly problems: readonly HookProblem[];
}

/** A hook as traces and notices name it: its command, shortened, and where it stands. */
export function hookName({ command, source }: Pick<Hook, 'command' | 'source'>): string {
  return t('"{0}" ({1})', truncate(revealInvisible(command.trim().replace(/\s+/g, ' ')), 60), source);
}
