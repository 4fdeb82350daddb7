import { t } from '#base/l10n';
import { riskOf, type Subject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { type Circumstances, modeOutcome, type Outcome } from './circumstances';
import { judgeSubject, type Opinion } from './judge-subject';

/** What is decided about one call, and why, in words for people. */
export interface Decision {
  readonly outcome: Outcome;
  readonly why: string;
  /** What denied, where it is a rule or the mode. */
  readonly by?: 'rule' | 'mode';
  /** Each reason to ask a person. */
  readonly asks: readonly Ask[];
  /** Real paths of files that the call goes on without, since something denies them. */
  readonly left?: ReadonlySet<AbsolutePath>;
}

/** One reason to ask the person. */
export interface Ask {
  /** Absent where the reason is the call as such. */
  readonly subject?: Subject;
  readonly why: string;
  /** Unusual enough to stand on the card. */
  readonly concern: boolean;
  /** A rule of the session could answer it from now on; otherwise it is asked each time. */
  readonly ruleable: boolean;
}

/**
 * Decides about a whole call: what the mode forbids stays forbidden whatever a rule says; then each subject on its own;
 * any deny denies, any ask asks, else it is allowed.
 */
export function decide(subjects: readonly Subject[], circumstances: Circumstances): Decision {
  const { facts, mode } = circumstances;
  const own = subjects.filter((subject) => subject.kind !== 'path' || subject.via === 'tool');
  const risks = [facts.risk, ...own.map((subject) => riskOf(subject, facts))];
  if (risks.some((risk) => modeOutcome(mode, risk) === 'deny')) {
    const why = t('the mode {0} allows neither changes nor commands', mode);
    return { outcome: 'deny', why, by: 'mode', asks: [] };
  }
  const now = { ...circumstances, hidden: { ...circumstances.hidden, by: circumstances.hidden.now() } };
  const all = subjects.map((subject) => ({ subject, ...judgeSubject(subject, now) }));
  const leftOut = all.filter(isLeftOut);
  const opinions = all.filter((opinion) => !leftOut.includes(opinion));
  const denied = opinions.find((opinion) => opinion.outcome === 'deny');
  if (denied) return { outcome: 'deny', why: denied.why, ...(denied.by ? { by: denied.by } : {}), asks: [] };
  const asks: Ask[] = [];
  for (const { subject, outcome, why, special, ruleable } of opinions) {
    if (outcome === 'ask') asks.push({ subject, why, concern: special, ruleable });
  }
  asks.push(...asksOfCall(circumstances));
  const [first] = asks;
  const decision = first
    ? { outcome: 'ask' as const, why: first.why, asks }
    : {
        outcome: 'allow' as const,
        why: [reason(opinions), ...leftWords(leftOut)].filter(Boolean).join('; '),
        asks,
      };
  return leftOut.length === 0 ? decision : { ...decision, left: placesOf(leftOut) };
}

type Judged = Opinion & { readonly subject: Subject };

/** What is changed beside the rest doesn't hold the rest up. */
function isLeftOut({ subject, outcome }: Judged): boolean {
  return outcome === 'deny' && subject.kind === 'path' && subject.beside === true;
}

function leftWords(left: readonly Judged[]): readonly string[] {
  return left.flatMap(({ subject, why }) =>
    subject.kind === 'path' ? [t('goes on without {0}: {1}', subject.path, why)] : [],
  );
}

function placesOf(left: readonly Judged[]): ReadonlySet<AbsolutePath> {
  return new Set(left.flatMap(({ subject }) => (subject.kind === 'path' ? subject.places : [])));
}

/** Reasons that hold for the call as a whole and that no rule lifts. */
function asksOfCall({ facts, mode, sandbox, concerns, sources, hooks }: Circumstances): readonly Ask[] {
  const words: string[] = hooks?.outcome === 'ask' ? [hooks.why] : [];
  for (const source of sources) {
    for (const problem of source.problems) {
      // Nobody knows what such a rule was to guard.
      if (problem.kind !== 'allow' && facts.risk !== 'read') words.push(`${problem.words} (${source.name})`);
    }
  }
  if (mode !== 'danger-full-access') {
    words.push(...concerns);
    if (facts.risk === 'execute' && !facts.outside && !sandbox.active)
      words.push(t('runs without a sandbox: {0}', sandbox.words));
  }
  return words.map((why) => ({ why, concern: true, ruleable: false }));
}

/** The most telling reasons: what rules said before what the mode says, each once. */
function reason(opinions: readonly Opinion[]): string {
  const told = opinions.filter((opinion) => opinion.why !== '');
  const special = told.filter((opinion) => opinion.special);
  return [...new Set((special.length > 0 ? special : told).map((opinion) => opinion.why))].join('; ');
}
