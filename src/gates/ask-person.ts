import { t } from '#base/l10n';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import { approvalRequest, inputHash, type Question } from './approval';
import type { GateContext } from './context';

/** What came of asking. */
export interface PersonSaid {
  readonly allowed: boolean;
  /** False when a prompter denied because nobody can be asked. */
  readonly byPerson: boolean;
  /** For the trace: who, where, for how long, why it was asked. */
  readonly why: string;
  /** Words to the model. */
  readonly feedback?: string;
  /** The input as the person edited it. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** It runs without the sandbox, this once. */
  readonly withoutSandbox?: true;
}

/** A rule that can't be read is asked again; after so many, or when the question was withdrawn, the call is denied. */
const MOST_QUESTIONS = 3;

/** Asks until there is an answer that holds. No answer is ever assumed. */
export async function askPerson(question: Question, context: GateContext): Promise<PersonSaid> {
  let again: string | undefined;
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    const request = await approvalRequest(
      { ...question, ...(again === undefined ? {} : { again }) },
      context,
    );
    const { answer, by } = await context.ask(request);
    if (by === 'cancelled') break;
    if (inputHash(question.tool.name, question.input) !== request.inputSha256) {
      throw new Error('the input changed while it was asked about');
    }
    const kept = keepRule(answer, request, context);
    if (kept.ok) {
      const outside = goesWithoutSandbox(answer, by, request);
      return said(whole(answer, question), by, kept.rule, { asked: question.decision.why, outside });
    }
    again = kept.problem;
  }
  return { allowed: false, byPerson: false, why: t('no answer that holds came') };
}

/** A session answer adds exactly the rule that was shown, or the one the person made of it. */
function keepRule(
  { answer, rule, input }: ApprovalAnswer,
  request: ApprovalRequest,
  { sessionRules }: GateContext,
): { readonly ok: true; readonly rule?: string } | { readonly ok: false; readonly problem: string } {
  if (answer === 'allow-once' || answer === 'deny-once') return { ok: true };
  // The rule that was suggested is one for the input that was asked about, not for another.
  const text = rule ?? (input === undefined ? request.suggestedRule : undefined);
  if (text === undefined) {
    if (answer === 'deny-session') sessionRules.denyInput(request.inputSha256);
    return { ok: true };
  }
  const added = sessionRules.add(answer === 'allow-session' ? 'allow' : 'deny', text);
  return added.ok ? { ok: true, rule: text } : { ok: false, problem: added.error };
}

/** Fields that the person didn't edit stay as they were. */
function whole(answer: ApprovalAnswer, { input }: Question): ApprovalAnswer {
  if (answer.input === undefined || typeof input !== 'object') return answer;
  return { ...answer, input: { ...input, ...answer.input } };
}

/** Only for exactly the command that it was offered for, from the card that shows it whole. */
function goesWithoutSandbox(answer: ApprovalAnswer, by: AnsweredBy, request: ApprovalRequest): boolean {
  return (
    request.withoutSandbox !== undefined &&
    answer.withoutSandbox === true &&
    answer.answer === 'allow-once' &&
    answer.input === undefined &&
    by === 'panel'
  );
}

function said(
  answer: ApprovalAnswer,
  by: AnsweredBy,
  rule: string | undefined,
  { asked, outside }: { readonly asked: string; readonly outside: boolean },
): PersonSaid {
  const allowed = answer.answer === 'allow-once' || answer.answer === 'allow-session';
  const verdict = allowed ? t('allowed') : t('denied');
  const session = answer.answer === 'deny-session' || rule !== undefined;
  const span =
    rule === undefined ? (session ? t('for this session') : t('once')) : t('for this session by {0}', rule);
  const feedback = answer.feedback?.trim() ?? '';
  return {
    allowed,
    byPerson: by !== 'nobody',
    why: outside
      ? t('{0} {1}, without the sandbox ({2}); asked because: {3}', verdict, span, placeWords(by), asked)
      : t('{0} {1} ({2}); asked because: {3}', verdict, span, placeWords(by), asked),
    ...(outside ? { withoutSandbox: true } : {}),
    ...(feedback === '' ? {} : { feedback }),
    ...(allowed && answer.input !== undefined ? { input: answer.input } : {}),
  };
}

function placeWords(by: AnsweredBy): string {
  switch (by) {
    case 'panel':
      return t('in the panel');
    case 'notification':
      return t('in the notification');
    case 'command':
      return t('by a command');
    case 'script':
      return t('by a script');
    case 'nobody':
      return t('nobody to ask');
    case 'cancelled':
      return t('withdrawn');
  }
}
