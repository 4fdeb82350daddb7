import { t } from '#base/l10n';
import type { BuiltInLists } from '#gates/rules/built-in-lists';
import type { Rule } from '#gates/rules/rule';
import { type HitOptions, ruleHits, ruleMayHit } from '#gates/rules/rule-hits';
import { type SourceHit, strongest, whereOf } from '#gates/rules/source-hits';
import type { RuleSource } from '#gates/rules/sources';
import { type PathSubject, riskOf, type Subject } from '#gates/rules/subject';
import type { Mode } from '#protocol/settings';
import { type Circumstances, modeOutcome, type Outcome } from './circumstances';

/** What is decided about one subject, and why, in words for people. */
export interface Opinion {
  readonly outcome: Outcome;
  readonly why: string;
  /** A rule or a list spoke, not just the mode: more worth telling. */
  readonly special: boolean;
  /** Only with `deny`: a rule of a person's said it. */
  readonly by?: 'rule';
  /** Only with `ask`: a rule of the session could answer it from now on. */
  readonly ruleable: boolean;
}

/** Decides about one subject over all sources: a deny of any, then the strongest that says anything, then the mode. */
export function judgeSubject(subject: Subject, circumstances: Circumstances): Opinion {
  return (
    hidden(subject, circumstances) ??
    denied(subject, circumstances) ??
    perhapsGuarded(subject, circumstances) ??
    redirectedOutside(subject, circumstances) ??
    ruled(subject, circumstances) ??
    listed(subject, circumstances) ??
    undecided(subject, circumstances)
  );
}

/** No rule, answer or mode lifts it. A glob that takes in what is hidden is as good as its name. */
function hidden(subject: Subject, circumstances: Circumstances): Opinion | undefined {
  if (subject.kind !== 'path') return undefined;
  const { path, places, folder } = subject;
  const all = places.map((place) => circumstances.hidden.by(place, folder));
  const by = all.find((each) => each !== undefined);
  if (by === undefined) return undefined;
  const words = all[0]
    ? t('{0} is hidden by {1}', path, by.file)
    : t('{0} takes in what {1} hides', path, by.file);
  const why = by.problem === undefined ? words : t('{0} ({1} {2})', words, by.file, by.problem);
  return { outcome: 'deny', why, special: true, ruleable: false };
}

function denied(subject: Subject, circumstances: Circumstances): Opinion | undefined {
  const found = guardHit(
    circumstances,
    (source) => source.deny,
    (rule) => ruleHits(rule, subject, guard(circumstances)),
  );
  if (!found) return undefined;
  const why = t('denied by the rule {0} ({1})', found.rule.text, whereOf(found));
  // Nobody knows whether that command would write there, so it isn't denied but asked.
  if (subject.kind === 'path' && subject.access === 'write' && !subject.certain) {
    return asks(t('{0} may be changed, which is {1}', subject.path, why), false);
  }
  return { outcome: 'deny', why, by: 'rule', special: true, ruleable: false };
}

/** A word known only when it runs may complete what a rule guards: `git $1` may be `git push`. */
function perhapsGuarded(subject: Subject, circumstances: Circumstances): Opinion | undefined {
  if (subject.kind !== 'command' && subject.kind !== 'network') return undefined;
  const found = guardHit(
    circumstances,
    (source) => [...source.deny, ...source.ask],
    (rule) => ruleMayHit(rule, subject, guard(circumstances)),
  );
  return found && asks(t('the rule {0} may speak of it ({1})', found.rule.text, whereOf(found)), false);
}

/** Whatever a rule says of the command: what the shell writes outside the workspace is for a person to see. */
function redirectedOutside(subject: Subject, { mode }: Circumstances): Opinion | undefined {
  if (subject.kind !== 'path' || subject.redirect !== 'outside' || !mayAsk(mode)) return undefined;
  return asks(t('it writes to {0}, outside the workspace', subject.path), false);
}

function ruled(subject: Subject, circumstances: Circumstances): Opinion | undefined {
  if (!circumstances.sources.some(({ allow, ask }) => allow.length + ask.length > 0)) return undefined;
  // A project's own rules can't open what the built-in lists hold.
  const sources = circumstances.sources.filter(
    ({ liftsBuiltIns }) => liftsBuiltIns || listWords(subject, circumstances) === undefined,
  );
  const options = guard(circumstances);
  const found = strongest(sources, {
    allows: (rule) => ruleHits(rule, subject, { ...options, strictness: 'allow' }),
    asks: (rule) => ruleHits(rule, subject, options),
  });
  if (!found) return undefined;
  const where = whereOf(found);
  if (found.says === 'allow') {
    const why = t('allowed by the rule {0} ({1})', found.rule.text, where);
    return { outcome: 'allow', why, special: true, ruleable: false };
  }
  const answerable = !found.source.asksAlways && isRuleable(subject);
  return asks(t('the rule {0} asks ({1})', found.rule.text, where), answerable);
}

function listed(subject: Subject, circumstances: Circumstances): Opinion | undefined {
  const words = listWords(subject, circumstances);
  return words === undefined ? undefined : asks(words, true);
}

/** No rule spoke: what isn't understood asks, the network needs an answer, the rest is the mode's. */
function undecided(subject: Subject, circumstances: Circumstances): Opinion {
  const { mode, facts, sources, hooks } = circumstances;
  const byMode = (outcome: Outcome, why: string): Opinion => ({
    outcome,
    why,
    special: false,
    ruleable: outcome === 'ask' && isRuleable(subject),
  });
  // What a command's operands are is said by rules and lists only; the command itself is asked about.
  if (subject.kind === 'path' && subject.via === 'command') {
    // An allowed command is no way to write: the shell's own writes are asked about like edits, in the workspace too.
    if (subject.redirect && mayAsk(mode) && hooks?.outcome !== 'allow')
      return byMode('ask', t('it writes to {0}', subject.path));
    return byMode('allow', '');
  }
  const danger = mode === 'danger-full-access';
  if (subject.kind === 'command' && subject.doubt !== undefined && (!danger || sources.some(guards))) {
    return asks(t('it is not fully understood: {0}', subject.doubt), false);
  }
  if (subject.kind === 'network' && !danger) return byMode('ask', t('it asks for the network'));
  const outcome = modeOutcome(mode, riskOf(subject, facts));
  if (outcome === 'ask' && subject.kind === 'command' && subject.free !== undefined)
    return byMode('allow', subject.free);
  if (outcome === 'ask' && hooks?.outcome === 'allow') return byMode('allow', hooks.why);
  return byMode(outcome, outcome === 'ask' ? t('the mode {0} asks', mode) : t('mode {0}', mode));
}

function asks(why: string, ruleable: boolean): Opinion {
  return { outcome: 'ask', why, special: true, ruleable };
}

/** The modes in which a command is asked about. */
function mayAsk(mode: Mode): boolean {
  return modeOutcome(mode, 'execute') === 'ask';
}

/** No rule opens what isn't written plainly. */
function isRuleable(subject: Subject): boolean {
  return (subject.kind !== 'command' && subject.kind !== 'network') || subject.plain;
}

function guard({ facts, place }: Circumstances): HitOptions {
  return { facts, place, strictness: 'guard' };
}

function guardHit(
  { sources }: Circumstances,
  rulesOf: (source: RuleSource) => readonly Rule[],
  hits: (rule: Rule) => boolean,
): SourceHit | undefined {
  for (const source of sources) {
    const rule = rulesOf(source).find(hits);
    if (rule) return { rule, source };
  }
  return undefined;
}

/** In full access a doubt matters only where the user guards something. */
function guards({ deny, ask }: RuleSource): boolean {
  return deny.length + ask.length > 0;
}

/** The built-in lists ask in every mode but full access. */
function listWords(subject: Subject, { mode, builtIns }: Circumstances): string | undefined {
  if (subject.kind !== 'path' || mode === 'danger-full-access') return undefined;
  return subject.access === 'read' ? secretWords(subject, builtIns) : protectedWords(subject, builtIns);
}

/** A tool that searches a folder leaves its secrets out by itself; a command doesn't. */
function secretWords({ places, folder, path, via }: PathSubject, lists: BuiltInLists): string | undefined {
  if (folder && via === 'tool') return undefined;
  const hit = places.map((place) => lists.secret(place, folder)).find(Boolean);
  return hit && t('{0} may hold secrets ({1}), and what is read goes to the model', path, hit);
}

function protectedWords(subject: PathSubject, lists: BuiltInLists): string | undefined {
  const hit = subject.places.map((place) => lists.protecting(place, subject.folder)).find(Boolean);
  if (hit === undefined) return undefined;
  return subject.certain
    ? t('{0} is protected ({1}): changing it can make the editor, git or a shell run code', subject.path, hit)
    : t('{0} is protected ({1}) and this command may change it', subject.path, hit);
}
