import type { Rule } from '#gates/rules/rule';
import { ruleHits } from '#gates/rules/rule-hits';
import type { CallFacts, PathSubject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import type { DeniedReads } from '#sandbox/workspace-walk';
import type { Standing } from './circumstances';

const FACTS: CallFacts = { tool: 'run_command', risk: 'execute', capabilities: ['filesystem.read'] };
const SUBJECT = { kind: 'path', access: 'read', certain: true, via: 'command' } as const;

type Deciding = Pick<Standing, 'sources' | 'place'>;

/** Whether a deny rule of any source keeps something from being read. */
export function deniesReading({ sources }: Pick<Standing, 'sources'>): boolean {
  return sources.some(({ deny }) => deny.some(mayDenyReading));
}

/**
 * What the sandbox masks because a deny rule of any source keeps it from being read: whatever a command runs, it meets no
 * other rules than a tool does. Undefined where no rule does. It gives the same function while the rules are the same, since what
 * was found by that is kept.
 */
export function deniedReads(): (deciding: Deciding) => DeniedReads | undefined {
  let last: { readonly key: readonly unknown[]; readonly denies: DeniedReads } | undefined;
  return ({ sources, place }) => {
    const rules = sources.flatMap(({ deny }) => deny).filter(mayDenyReading);
    if (rules.length === 0) return undefined;
    const key = [place.root, place.home, ...rules];
    const isSame = last?.key.length === key.length && key.every((part, index) => part === last?.key[index]);
    if (!last || !isSame) last = { key, denies: deniedBy(rules, place) };
    return last.denies;
  };
}

function deniedBy(rules: readonly Rule[], place: Standing['place']): DeniedReads {
  return (path, folder) => {
    const places = [path as AbsolutePath];
    const subject: PathSubject = { ...SUBJECT, path, places, folder };
    return rules.some((rule) => ruleHits(rule, subject, { facts: FACTS, place, strictness: 'guard' }));
  };
}

/** `Read(x)`, `read_file(x)` and `@filesystem.read(x)`; what names no path but a command can't. */
function mayDenyReading({ target, matcher }: Rule): boolean {
  if (matcher !== undefined && matcher.path === undefined) return false;
  switch (target.kind) {
    case 'path':
      return target.access === 'read';
    case 'tool':
      return target.name === 'read_file' && matcher !== undefined;
    case 'capability':
      return target.capability === 'filesystem.read';
    case 'command':
    case 'host':
    case 'risk':
      return false;
  }
}
