import { resolve } from 'node:path';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import { judgeLine } from '#gates/rules/command-line';
import type { PatternPlace } from '#gates/rules/path-pattern';
import type { Rule, RuleKind, RuleTarget } from '#gates/rules/rule';
import { ruleHits } from '#gates/rules/rule-hits';
import type { CallFacts, Subject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { CAPABILITIES } from '#protocol/tool-call';
import type { WrittenExample } from './parse';

/** A rule of the file and what it is for. */
export interface KindedRule {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

/** What an example says that isn't so, a sentence for each line; empty when all holds. */
export function failures(
  example: WrittenExample,
  rules: readonly KindedRule[],
  place: PatternPlace,
): readonly string[] {
  const meant = rules.filter(({ rule }) => example.rule === undefined || rule.text === example.rule);
  if (meant.length === 0) return [t('its example belongs to no rule of this file')];
  const name = example.rule === undefined ? t('a rule of this file') : t('the rule {0}', example.rule);
  const isMet = (line: string) => meant.some((each) => speaksOf(each, line, place));
  return [
    ...example.match
      .filter((line) => !isMet(line))
      .map((line) => t('{0} should speak of {1} and does not', name, shown(line))),
    ...example.notMatch.filter(isMet).map((line) => t('{0} speaks of {1} and should not', name, shown(line))),
  ];
}

/** As at a call: what opens must mean all of it for certain, what guards any part of it. */
function speaksOf({ kind, rule }: KindedRule, line: string, place: PatternPlace): boolean {
  const { subjects, facts } = exampleCall(rule.target, line, place);
  const strictness = kind === 'allow' ? 'allow' : 'guard';
  const isHit = (subject: Subject) => ruleHits(rule, subject, { facts, place, strictness });
  return kind === 'allow' ? subjects.every(isHit) : subjects.some(isHit);
}

/** The call that a line stands for: a command, a path or a host, as the rule's target has it. */
function exampleCall(
  target: RuleTarget,
  line: string,
  place: PatternPlace,
): { readonly subjects: readonly Subject[]; readonly facts: CallFacts } {
  const tool = target.kind === 'tool' ? target.name.replace(/\*$/, '') : 'run_command';
  const facts: CallFacts = { tool, risk: 'execute', capabilities: CAPABILITIES };
  if (target.kind === 'host') return { facts, subjects: [{ kind: 'host', host: line }] };
  if (!isOfPaths(target)) {
    const commands = judgeLine(line, 'bash').subjects;
    const network = target.kind === 'capability' && target.capability === 'network';
    return { facts, subjects: network ? commands.map((each) => ({ ...each, kind: 'network' })) : commands };
  }
  const path = resolve(place.root, line.replace(/^~(?=\/|$)/, place.home)) as AbsolutePath;
  const access = target.kind === 'path' ? target.access : isOfReads(target) ? 'read' : 'write';
  const folder = line.endsWith('/');
  return {
    facts,
    subjects: [{ kind: 'path', access, certain: true, path: line, places: [path], folder, via: 'tool' }],
  };
}

function isOfPaths(target: RuleTarget): boolean {
  if (target.kind === 'tool') return !['run_command', 'start_command', 'command_input'].includes(target.name);
  return (
    target.kind === 'path' || (target.kind === 'capability' && target.capability.startsWith('filesystem'))
  );
}

function isOfReads(target: RuleTarget): boolean {
  if (target.kind === 'tool') return target.name === 'read_file';
  return target.kind === 'capability' && target.capability === 'filesystem.read';
}

function shown(line: string): string {
  return `"${truncate(revealInvisible(line), 100)}"`;
}
