import type { Capability } from '#protocol/tool-call';
import { matchesCommand, mayMatchCommand, opensCommand } from './command-matcher';
import { matchesPath, type PatternPlace } from './path-pattern';
import type { Matcher, Rule, RuleTarget } from './rule';
import type { CallFacts, CommandSubject, NetworkSubject, PathSubject, Strictness, Subject } from './subject';
import { namesTool } from './tool-names';

/** The call that a rule is held against, and how strictly. */
export interface HitOptions {
  readonly facts: CallFacts;
  readonly strictness: Strictness;
  readonly place: PatternPlace;
}

/** Does this rule speak of this subject? */
export function ruleHits(rule: Rule, subject: Subject, options: HitOptions): boolean {
  if (!targets(rule, subject, options)) return false;
  return rule.matcher === undefined ? anyHits(subject, options) : matcherHits(rule.matcher, subject, options);
}

/** Could this guard speak of that command, once the words that aren't on the line are known? */
export function ruleMayHit(
  rule: Rule,
  subject: CommandSubject | NetworkSubject,
  options: HitOptions,
): boolean {
  const command = rule.matcher?.command;
  if (command === undefined || (subject.plain && !subject.hides) || !targets(rule, subject, options))
    return false;
  return subject.spellings.some((words) => mayMatchCommand(command, words));
}

function targets({ target, matcher }: Rule, subject: Subject, { facts, strictness }: HitOptions): boolean {
  const own = subject.kind !== 'path' || subject.via === 'tool';
  switch (target.kind) {
    case 'tool':
      if (strictness === 'guard' && matcher && subject.kind === 'path' && guardsAll(target, subject))
        return true;
      // `run_command(…)` speaks of commands; what a command's operands are is for Read and Edit to say.
      return own && subject.kind !== 'network' && namesTool(target.name, facts, strictness);
    case 'command':
      return subject.kind === 'command';
    case 'path':
      return subject.kind === 'path' && subject.access === target.access;
    case 'host':
      return subject.kind === 'host';
    case 'capability':
      return hasCapability(target.capability, subject, facts, strictness);
    case 'risk':
      return own && subject.kind !== 'network' && facts.risk === target.risk;
  }
}

/** `read_file(secret/**)` and `edit_file(src/**)` that guard mean the path, whichever tool gets at it. */
function guardsAll(target: RuleTarget & { kind: 'tool' }, subject: PathSubject): boolean {
  return target.name === (subject.access === 'read' ? 'read_file' : 'edit_file');
}

/** `@network` of a command counts only where this call asks for the network: every command could. */
function hasCapability(
  capability: Capability,
  subject: Subject,
  facts: CallFacts,
  strictness: Strictness,
): boolean {
  switch (subject.kind) {
    case 'command':
      return capability === 'process.execute' || (strictness === 'guard' && declared(capability, facts));
    case 'network':
      return capability === 'network';
    case 'host':
      return capability === 'network' || (strictness === 'guard' && facts.capabilities.includes(capability));
    case 'path':
      if (capability === 'filesystem.read') return subject.access === 'read';
      if (capability === 'filesystem.write') return subject.access === 'write';
      return strictness === 'guard' && subject.via === 'tool' && facts.capabilities.includes(capability);
    case 'tool':
      return facts.capabilities.includes(capability);
  }
}

function declared(capability: Capability, facts: CallFacts): boolean {
  return capability !== 'network' && facts.capabilities.includes(capability);
}

function anyHits(subject: Subject, { strictness }: HitOptions): boolean {
  return strictness === 'guard' || !isCommand(subject) || (subject.plain && subject.alone && !subject.narrow);
}

function matcherHits(matcher: Matcher, subject: Subject, options: HitOptions): boolean {
  if (isCommand(subject)) return commandHits(matcher, subject, options.strictness);
  if (subject.kind === 'path') return pathHits(matcher, subject, options);
  if (subject.kind === 'host') return hostHits(matcher.text, subject.host, options.strictness);
  return false;
}

function isCommand(subject: Subject): subject is CommandSubject | NetworkSubject {
  return subject.kind === 'command' || subject.kind === 'network';
}

function commandHits(
  { command }: Matcher,
  subject: CommandSubject | NetworkSubject,
  strictness: Strictness,
): boolean {
  if (command === undefined) return false;
  if (strictness === 'guard') return subject.spellings.some((words) => matchesCommand(command, words));
  return subject.plain && opensCommand(command, subject);
}

function pathHits({ path }: Matcher, subject: PathSubject, { strictness, place }: HitOptions): boolean {
  if (path === undefined || subject.places.length === 0) return false;
  const takesIn = (at: PathSubject['places'][number]) =>
    matchesPath(path, at, { place, strictness, folder: subject.folder });
  return strictness === 'guard' ? subject.places.some(takesIn) : subject.places.every(takesIn);
}

/** `domain:example.com`; a guard takes its subdomains in, `*.example.com` means only them. */
function hostHits(matcher: string, host: string, strictness: Strictness): boolean {
  const domain = matcher.replace(/^domain:/, '').toLowerCase();
  const name = host.toLowerCase().replace(/\.$/, '');
  if (domain.startsWith('*.')) return name.endsWith(domain.slice(1));
  return name === domain || (strictness === 'guard' && name.endsWith(`.${domain}`));
}
