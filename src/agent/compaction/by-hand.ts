import type { Core } from '#agent/core';
import { LeaseLost } from '#agent/session-log';
import type { SessionState } from '#agent/session-state';
import type { TurnEnd } from '#agent/turn';
import { TurnHooks } from '#agent/turn-hooks';
import { bugProblem, isStoreError, noModelProblem, storeProblem } from '#agent/turn-problem';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { viewOf } from '#tools/toolbox';
import { Compaction } from './compaction';

/** What the person asked for, and how they stop it. */
interface ByHand {
  readonly focus: string;
  readonly signal: AbortSignal;
}

/** Makes room because the person asks for it, between two turns. Never rejects. What came of it is an event of the last turn. */
export async function compactByHand(
  core: Core,
  session: SessionState,
  { focus, signal }: ByHand,
): Promise<TurnEnd> {
  try {
    const turnId = session.conversation.messages.at(-1)?.turnId;
    if (turnId === undefined) return notCompacted(t('Nothing was said in this session yet.'));
    const model = await core.models.get(session.modelId);
    if (!model.ok) return { status: 'failed', problem: noModelProblem(model.error) };
    await core.settingsFiles.refresh();
    const hooks = new TurnHooks({ core, session, turnId, signal });
    const compaction = new Compaction({ core, session, turnId, signal, model: model.value, hooks });
    await compaction.run({ cause: 'asked', focus }, surroundings(core, session));
    return { status: signal.aborted ? 'cancelled' : 'done' };
  } catch (error) {
    if (error instanceof LeaseLost) return { status: 'interrupted' };
    core.host.log.error(`compacting failed: ${messageOf(error)}`);
    return { status: 'failed', problem: isStoreError(error) ? storeProblem(error) : bugProblem(error) };
  }
}

/** Nothing was done, and why. */
export function notCompacted(why: string): TurnEnd {
  return { status: 'failed', problem: { kind: 'limit', title: t('Nothing was compacted'), detail: why } };
}

/** Only their size matters: between two turns no request is made up. */
function surroundings(core: Core, session: SessionState) {
  const table = core.table();
  const activated = session.activations.of(table);
  const view = viewOf(table, { mode: 'workspace-write', simple: false, artifacts: true, activated });
  return { system: '', tools: view.schemas };
}
