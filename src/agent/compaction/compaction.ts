import type { Core } from '#agent/core';
import type { SessionState } from '#agent/session-state';
import { artifactsOf } from '#agent/tool-context';
import type { TurnHooks } from '#agent/turn-hooks';
import { t } from '#base/l10n';
import { headAndTail } from '#base/text';
import type { Model, ModelProblem } from '#models/model';
import type { CompactionCause, CompactionResult } from '#protocol/compaction';
import type { ArtifactId, TurnId } from '#protocol/ids';
import type { LeftOut, SentMessage, Usage } from '#protocol/message';
import { effectiveRisk } from '#tools/risk';
import { type Surroundings, total } from './context-size';
import { compactionFacts } from './facts';
import { atCompaction } from './hook';
import { type CompactionPlan, FULL, planCompaction } from './plan';
import { forgetReads } from './reads';
import { type Summary, summarise } from './summary';

/** UTF-16 units of notes for each token of the window: about a sixth of it. */
const NOTES_SHARE = 0.5;

/** Where room is made. */
export interface CompactionPlace {
  readonly core: Core;
  readonly session: SessionState;
  /** The turn that shows it: the one that runs, else the last. */
  readonly turnId: TurnId;
  readonly signal: AbortSignal;
  readonly model: Model;
  readonly hooks: TurnHooks;
}

/** Why, and what the person wants kept in mind. */
export interface CompactionWish {
  readonly cause: CompactionCause;
  readonly focus?: string;
}

/** Keeps a conversation within its model's window: first old outputs go, then all that is older becomes a summary. Nothing is deleted. */
export class Compaction {
  readonly #place: CompactionPlace;
  /** In this turn a summary could not be had: it isn't asked for at every step. */
  #failed = false;

  constructor(place: CompactionPlace) {
    this.#place = place;
  }

  /** Makes room when the next request would nearly fill the window. */
  async beforeRequest(around: Surroundings): Promise<void> {
    const { session, model } = this.#place;
    const used = session.size.used(session.conversation.sent, around);
    if (used >= session.size.window(model) * FULL) await this.run({ cause: 'window' }, around);
  }

  /** The provider refused the request as too long. True: it is worth another try. */
  async afterOverflow(problem: ModelProblem, around: Surroundings): Promise<boolean> {
    const { session, model } = this.#place;
    session.size.overflowed(model, problem, session.size.used(session.conversation.sent, around));
    this.#failed = false;
    return (await this.run({ cause: 'overflow' }, around)) !== 'none';
  }

  /** Leaves out what is old. Whatever fails, the conversation stays as it was. */
  async run({ cause, focus = '' }: CompactionWish, around: Surroundings): Promise<CompactionResult> {
    const { session, model } = this.#place;
    const sent = session.conversation.sent;
    const used = session.size.used(sent, around);
    const plan = planCompaction(sent, { used, window: session.size.window(model) }, cause === 'asked');
    if (plan.suffices) return this.#leaveOut(plan, { cause, before: used });
    if (!plan.worthwhile || this.#failed) {
      if (plan.saved > 0 && cause !== 'asked') return this.#leaveOut(plan, { cause, before: used });
      if (cause === 'asked')
        await this.#tell({ cause, how: 'none', before: used, after: used }, NOTHING_OLD());
      return 'none';
    }
    const summary = await this.#summaryOf(sent.slice(0, plan.cut), { cause, focus });
    if (summary.ok) return this.#replace(summary, plan, { cause, before: used });
    if (this.#place.signal.aborted) return 'none';
    this.#failed = true;
    if (plan.saved > 0) return this.#leaveOut(plan, { cause, before: used, problem: summary.problem });
    await this.#tell({ cause, how: 'none', before: used, after: used }, summary.problem);
    return 'none';
  }

  async #summaryOf(
    older: readonly SentMessage[],
    { cause, focus }: Required<CompactionWish>,
  ): Promise<Summary> {
    const { core, session, turnId, signal, model, hooks } = this.#place;
    const blocked = await atCompaction(hooks, cause === 'asked' ? 'manual' : 'auto', focus);
    if (blocked !== undefined) return { ok: false, problem: t('A hook blocked it: {0}', blocked) };
    await session.log.record({ type: 'conversation.compacting', turnId, cause });
    return summarise(older, { core, log: session.log, turnId, model, signal, focus });
  }

  async #leaveOut(
    { outputs, saved }: CompactionPlan,
    { cause, before, problem }: Told & { readonly problem?: string },
  ): Promise<CompactionResult> {
    const { session, turnId } = this.#place;
    const leftOut: LeftOut[] = [];
    for (const output of outputs) leftOut.push(await this.#referenceTo(output));
    await forgetReads(this.#place, new Set(outputs.map(({ callId }) => callId)));
    const after = Math.max(0, before - saved);
    await this.#tell({ cause, how: 'outputs', before, after }, problem, () =>
      session.conversation.compaction(turnId, { leftOut }),
    );
    session.size.shortened(after, session.conversation.sent);
    return 'outputs';
  }

  async #replace(
    { text, usage }: Extract<Summary, { ok: true }>,
    { cut }: CompactionPlan,
    { cause, before }: Told,
  ): Promise<CompactionResult> {
    const { core, session, turnId } = this.#place;
    const { conversation } = session;
    const [first, ...kept] = conversation.sent.slice(cut);
    if (!first) return 'none';
    const gone = conversation.sent.slice(0, cut);
    await forgetReads(this.#place, callsOf(gone), gone);
    const window = session.size.window(this.#place.model);
    const facts = compactionFacts({ core, session, before: first.id, window });
    const whole = [facts, `# Notes on what was done\n${headAndTail(text, window * NOTES_SHARE).text}`].join(
      '\n\n',
    );
    const note = { kind: 'note', id: first.id, turnId, text: whole } as const;
    const after = Math.max(0, before - total(gone)) + total([note]);
    await this.#tell({ cause, how: 'summary', before, after, usage }, undefined, () =>
      conversation.compaction(turnId, { leftOut: [], summary: { text: whole, from: first.id } }),
    );
    session.size.shortened(after, [first, ...kept]);
    return 'summary';
  }

  /** A read can be made again. What a command or another tool said is kept where it can be read. */
  async #referenceTo({ callId, toolName, result }: ResultMessage): Promise<LeftOut> {
    const { core, session } = this.#place;
    const tool = core.table().get(toolName);
    const isRead = tool !== undefined && effectiveRisk(tool).risk === 'read';
    if (isRead || result.artifact) return { callId };
    const { id: artifact } = await artifactsOf(core, session.id).put(result.content);
    return { callId, artifact: artifact as ArtifactId };
  }

  async #tell(
    event: {
      readonly cause: CompactionCause;
      readonly how: CompactionResult;
      readonly before: number;
      readonly after: number;
      readonly usage?: Usage;
    },
    problem?: string,
    message?: Parameters<SessionState['log']['record']>[1],
  ): Promise<void> {
    const { session, turnId } = this.#place;
    const why = problem === undefined ? {} : { problem };
    await session.log.record({ type: 'conversation.compacted', turnId, ...event, ...why }, message);
  }
}

type ResultMessage = Extract<SentMessage, { kind: 'result' }>;

interface Told {
  readonly cause: CompactionCause;
  readonly before: number;
}

const NOTHING_OLD = () => t('There is nothing old enough in it yet.');

function callsOf(messages: readonly SentMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) =>
      message.kind === 'assistant'
        ? message.parts.flatMap((part) => (part.kind === 'call' ? [part.call.id] : []))
        : [],
    ),
  );
}
