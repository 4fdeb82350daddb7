import { canonicalJson } from '#base/hash';
import { inEnglish, t } from '#base/l10n';
import {
  type Draft,
  type GateContext,
  type HooksSaid,
  known,
  type Stage,
  type Verdict,
} from '#gates/context';
import { callOccasion } from '#gates/hooks/call-occasion';
import { blockWords, type HookReport, strictest } from '#gates/hooks/report';
import type { HookOutcome } from '#gates/hooks/runner';
import { fromWire } from '#gates/hooks/wire-tools';
import { refusal } from '#gates/refusal';
import { namedByServer } from '#tools/origin';

/** What do the person's own programs say: no, ask, go on, or go on with another input. */
export const hooks: Stage = {
  name: 'hooks',
  judge(draft, context) {
    if (draft.hooks) return { kind: 'pass', why: t('this is the input that a hook gave') };
    return context.hooks ? heard(context.hooks, draft, context) : { kind: 'pass', why: '' };
  },
};

async function heard(
  runner: NonNullable<GateContext['hooks']>,
  draft: Draft,
  context: GateContext,
): Promise<Verdict> {
  const outcome = await runner.run(callOccasion('PreToolUse', hookedCall(draft), context));
  return denial(draft, outcome) ?? goOn(draft, outcome, context);
}

function hookedCall(draft: Draft) {
  return {
    callId: draft.call.id,
    facts: {
      tool: known(draft.tool, 'the tool').name,
      risk: known(draft.risk, 'the risk'),
      capabilities: known(draft.capabilities, 'the capabilities'),
      ...namedByServer(known(draft.tool, 'the tool')),
    },
    input: known(draft.json, 'the arguments').value,
    touches: known(draft.touches, 'what it touches'),
  };
}

function denial(draft: Draft, { reports }: HookOutcome): Verdict | undefined {
  const words = blockWords(reports);
  if (words.length === 0) return undefined;
  const tool = known(draft.tool, 'the tool').name;
  const content = `${tool}: a hook of the user's denied this call. It did not run. Do what the hook says or go on without it.\n${blockWords(reports, inEnglish).join('\n')}`;
  return {
    kind: 'stop',
    why: t('denied by the hook {0}', words.join('; ')),
    result: refusal('hook_denied', content),
  };
}

/** Nobody denied: what they said is for the permission gate to weigh. */
function goOn(draft: Draft, outcome: HookOutcome, { ports }: GateContext): Verdict {
  const { reports } = outcome;
  const tool = known(draft.tool, 'the tool').name;
  const original = known(draft.json, 'the arguments').value;
  const inputs = reports.flatMap(({ name, updatedInput }) =>
    updatedInput ? [{ name, input: fromWire(tool, updatedInput, original, ports.workspace.root) }] : [],
  );
  const last = inputs.at(-1);
  const disagree = new Set(inputs.map(({ input }) => canonicalJson(input))).size > 1;
  const answer = answerOf(draft, outcome, disagree);
  const said: HooksSaid = answer ? { answer } : {};
  const why = traceWords(reports, answer);
  if (!last || canonicalJson(last.input) === canonicalJson(original))
    return { kind: 'pass', why, found: { hooks: said } };
  return {
    kind: 'again',
    why: [t('changed by the hook {0}', last.name), why].filter(Boolean).join('; '),
    rawInput: JSON.stringify(last.input),
    by: { hooks: said },
  };
}

function answerOf(draft: Draft, { reports, problems }: HookOutcome, disagree: boolean): HooksSaid['answer'] {
  const asking = reports.flatMap(({ name, decision, reason, problem }) => {
    if (problem !== undefined) return [t('the hook {0} could not be heard: {1}', name, problem)];
    return decision === 'ask' ? [t('the hook {0} asks: {1}', name, reason ?? t('no reason given'))] : [];
  });
  if (disagree) asking.push(t('hooks disagree about the input'));
  // Reads pass a configuration that can't be read, as they pass rules that can't.
  if (draft.risk !== 'read')
    asking.push(
      ...problems.map(({ words, source }) => t('a hook can’t be read, so it asks: {0} ({1})', words, source)),
    );
  if (asking.length > 0) return { outcome: 'ask', why: asking.join('; ') };
  const allowing = reports.find(({ decision }) => decision === 'allow');
  if (!allowing || strictest(...reports.map(({ decision }) => decision)) !== 'allow') return undefined;
  const reason = allowing.reason ? `: ${allowing.reason}` : '';
  return { outcome: 'allow', why: `${t('allowed by the hook {0}', allowing.name)}${reason}` };
}

/** Who ran and what came of it. */
function traceWords(reports: readonly HookReport[], answer: HooksSaid['answer']): string {
  const silent = reports.filter(({ decision, problem }) => decision === undefined && problem === undefined);
  const heard = silent.map(({ name, text }) =>
    text ? `${name}: ${text}` : t('{0} had nothing to say', name),
  );
  return [...(answer ? [answer.why] : []), ...heard].join('; ');
}
