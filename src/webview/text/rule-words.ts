import { t } from './words';

/** A rule as the menu shows it: what it means, and its exact matcher. */
export interface RuleChoice {
  readonly rule: string;
  readonly label: string;
  readonly matcher: string;
}

/** `run_command(npm test:*)` → what it allows, in words. */
export function ruleChoice(rule: string): RuleChoice {
  const { tool, matcher, network } = parts(rule);
  const label = labelOf(tool, matcher);
  return {
    rule,
    label: network ? t('{0}, with network', label) : label,
    matcher: matcher || tool,
  };
}

/** What stands on the button: "npm test …" for a prefix rule. The network is never left unsaid. */
export function shortRule(rule: string): string {
  const { tool, matcher, network } = parts(rule);
  const short = matcher === '' ? tool : matcher.replace(/:\*$/, ' …').replace(/^\.\//, '');
  return network ? t('{0} with network', short) : short;
}

interface Parts {
  readonly tool: string;
  readonly matcher: string;
  readonly network: boolean;
}

/** One answer may add two rules, a command's and its network's: `run_command(x) + @network(x)`. */
function parts(rule: string): Parts {
  const [first = '', second] = rule.trim().split(/(?<=\)) \+ (?=@network\()/);
  const match = /^([^(\s]+)\((.*)\)$/s.exec(first);
  const tool = match?.[1] ?? first;
  return { tool, matcher: match?.[2] ?? '', network: second !== undefined || tool === '@network' };
}

function labelOf(tool: string, matcher: string): string {
  const command = ['run_command', 'start_command', 'command_input', 'Bash', '@network'].includes(tool);
  if (matcher === '') return command ? t('Any command') : t('Anything with {0}', tool);
  if (!command) return labelOfPath(matcher);
  const prefix = /^(.*):\*$/s.exec(matcher)?.[1];
  if (prefix === undefined) return t('Only this command');
  return /\s/.test(prefix) ? t('{0} with any arguments', prefix) : t('Any {0} command', prefix);
}

function labelOfPath(matcher: string): string {
  const folder = /^(?:\.\/)?(.*)\/\*\*$/s.exec(matcher)?.[1];
  if (folder !== undefined) return t('Every file in {0}', folder);
  return matcher.startsWith('domain:') ? t('Only this host') : t('Only this file');
}
