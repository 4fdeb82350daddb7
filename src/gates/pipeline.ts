import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { classify } from '#gates/stages/classify';
import { confine } from '#gates/stages/confine';
import { findTool } from '#gates/stages/find-tool';
import { hooks } from '#gates/stages/hooks';
import { origin } from '#gates/stages/origin';
import { parse } from '#gates/stages/parse';
import { permission } from '#gates/stages/permission';
import { schema } from '#gates/stages/schema';
import { validate } from '#gates/stages/validate';
import type { GateLine, ToolCall } from '#protocol/tool-call';
import { ToolFailure } from '#tools/tool';
import { type Draft, type GateContext, type GateOutcome, known, type Stage, type Verdict } from './context';
import { lookOnce } from './look-once';
import { didNotRun, gateFailed, refusal, shownName } from './refusal';

/** What every call passes, in this order. A stage taken out takes its line of the trace with it. */
export const STAGES: readonly Stage[] = [
  findTool,
  origin,
  parse,
  schema,
  validate,
  classify,
  hooks,
  permission,
  confine,
];

/** Leads one call through the gates. The walker alone measures and writes the trace; a stage only judges. */
export async function walk(
  call: ToolCall,
  context: GateContext,
  stages: readonly Stage[] = STAGES,
): Promise<GateOutcome> {
  const { signal } = context;
  // One listener for the whole walk: each costs more than most stages.
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const start = { context, aborted: aborted.promise, trace: [], rounds: 0 };
    return await walkThrough(stages, { call }, start);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** What holds for one walk from its beginning to its end. */
interface Walk {
  readonly context: GateContext;
  readonly aborted: Promise<void>;
  readonly trace: GateLine[];
  /** How often the call got another input. */
  readonly rounds: number;
}

/** Each round but a hook's first needs a person; nobody edits a call more often. */
const MOST_ROUNDS = 10;

async function walkThrough(stages: readonly Stage[], start: Draft, given: Walk): Promise<GateOutcome> {
  const { context, trace } = given;
  const { clock, files } = context.ports;
  const walk = { ...given, context: { ...context, ports: { ...context.ports, files: lookOnce(files) } } };
  let draft = start;
  for (const stage of stages) {
    const started = clock.monotonic();
    const verdict = await judged(stage, draft, walk);
    const ms = Math.round((clock.monotonic() - started) * 100) / 100;
    const by = verdict.kind === 'stop' && verdict.by ? { by: verdict.by } : {};
    trace.push({ stage: stage.name, verdict: wordOf(verdict), why: verdict.why, ...by, ms });
    if (verdict.kind === 'stop') return stopped(draft, verdict, trace);
    if (verdict.kind === 'again') {
      if (given.rounds >= MOST_ROUNDS) return stopped(draft, changedTooOften(draft), trace);
      const next = { ...given, rounds: given.rounds + 1 };
      return walkThrough(stages.slice(Math.max(stages.indexOf(parse), 0)), changed(draft, verdict), next);
    }
    draft = { ...draft, ...verdict.found };
  }
  return passed(draft, trace);
}

function changedTooOften({ call }: Draft): Verdict & { kind: 'stop' } {
  const words = `${shownName(call.name)}: its input was changed over and over, so it did not run. Tell the user.`;
  return { kind: 'stop', why: t('changed over and over'), result: refusal('permission_denied', words) };
}

/** The call with the input that a person or a hook gave it: nothing but its tool is known of it. */
function changed(draft: Draft, { rawInput, by }: Verdict & { kind: 'again' }): Draft {
  const start = { call: { ...draft.call, rawInput }, tool: known(draft.tool, 'the tool') };
  if ('answer' in by) return { ...start, edited: by.answer };
  return { ...start, ...(draft.edited ? { edited: draft.edited } : {}), hooks: by.hooks };
}

function wordOf(verdict: Verdict): GateLine['verdict'] {
  switch (verdict.kind) {
    case 'stop':
      return 'stop';
    case 'again':
      return 'changed';
    case 'pass':
      return verdict.asked ? 'asked' : 'pass';
  }
}

/** A stage's verdict; whatever goes wrong inside it refuses the call, and a cancelled call goes no further. */
async function judged(stage: Stage, draft: Draft, { context, aborted }: Walk): Promise<Verdict> {
  const { signal } = context;
  if (signal.aborted) return cancelled(draft);
  try {
    const judging = stage.judge(draft, context);
    const verdict = judging instanceof Promise ? await Promise.race([judging, aborted]) : judging;
    return signal.aborted || !verdict ? cancelled(draft) : verdict;
  } catch (error) {
    return signal.aborted ? cancelled(draft) : broken(stage, draft, context, error);
  }
}

function cancelled({ call }: Draft): Verdict {
  return { kind: 'stop', why: t('cancelled'), result: didNotRun(shownName(call.name)) };
}

function broken(stage: Stage, { call }: Draft, { log }: GateContext, error: unknown): Verdict {
  if (error instanceof ToolFailure) {
    const result = refusal('rejected_arguments', error.message);
    return { kind: 'stop', why: error.message, result };
  }
  const name = shownName(call.name);
  log.error(`gate ${stage.name} failed on ${name}: ${error instanceof Error ? error.stack : error}`);
  return {
    kind: 'stop',
    why: t('this gate failed: {0}', messageOf(error)),
    result: gateFailed(name, stage.name, messageOf(error)),
  };
}

function stopped(draft: Draft, verdict: Verdict & { kind: 'stop' }, trace: readonly GateLine[]): GateOutcome {
  return {
    kind: 'stopped',
    call: draft.call,
    result: verdict.result,
    endsTurn: verdict.endsTurn ?? false,
    summary: draft.summary ?? shownName(draft.call.name),
    trace,
  };
}

/** Only a call that every needed gate has judged may pass: a list without the permission gate lets nothing through. */
function passed(draft: Draft, trace: readonly GateLine[]): GateOutcome {
  const { call, tool, input, risk, capabilities, touches, grant, confinement } = draft;
  const summary = draft.summary ?? shownName(call.name);
  if (!tool || !input || !risk || !capabilities || !touches || !grant || !confinement) {
    const result = gateFailed(shownName(call.name), 'end', 'not every gate has judged this call');
    return { kind: 'stopped', call, result, endsTurn: false, summary, trace };
  }
  return {
    kind: 'passed',
    call,
    tool,
    input: input.value,
    risk,
    capabilities,
    touches,
    grant,
    confinement,
    summary,
    trace,
  };
}
