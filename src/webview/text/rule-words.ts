import { t } from './words';

/** A rule as the menu shows it: what it means, and its exact text. */
export interface RuleChoice {
  readonly rule: string;
  readonly label: string;
  readonly matcher: string;
}

/** `run_command(npm test:*)` → what it allows, in words. */
export function ruleChoice(rule: string): RuleChoice {
  const { tool, matcher } = parts(rule);
  return { rule, matcher: matcher || tool, label: label(tool, matcher) };
}

/** What stands on the button: "npm test …" for a prefix rule. */
export function shortRule(rule: string): string {
  const { tool, matcher } = parts(rule);
  return matcher === '' ? tool : matcher.replace(/:\*$/, ' …');
}

function parts(rule: string): { readonly tool: string; readonly matcher: string } {
  const match = /^([^(\s]+)\((.*)\)$/s.exec(rule.trim());
  return match ? { tool: match[1] ?? '', matcher: match[2] ?? '' } : { tool: rule.trim(), matcher: '' };
}

function label(tool: string, matcher: string): string {
  const command = tool === 'run_command' || tool === 'Bash';
  if (matcher === '') return command ? t('Any command') : t('Anything with {0}', tool);
  const prefix = /^(.*):\*$/s.exec(matcher)?.[1];
  if (prefix !== undefined)
    return /\s/.test(prefix) ? t('{0} with any arguments', prefix) : t('Any {0} command', prefix);
  if (command) return t('Only this command');
  return /[*?]/.test(matcher) ? t('Every file that matches') : t('Only this file');
}
