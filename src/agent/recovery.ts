import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { refusal } from '#gates/refusal';
import type { SessionEvent } from '#protocol/event';
import type { TurnId } from '#protocol/ids';
import type { GateLine, ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import type { Transcript } from '#protocol/transcript';
import type { Store } from '#store/store';
import { closeCall, requestedEvent } from './call';
import type { Core } from './core';
import type { LeftOpen, SessionState } from './session-state';

/** What was found and brought to an end, in words for people. */
export interface Recovered {
  readonly turns: number;
  readonly notes: readonly string[];
}

/** No crash has left anything open. */
export const NOTHING_LEFT: Recovered = { turns: 0, notes: [] };

/** Brings a session to an end that this window writes to from now on. `shown` is what a person sees of it. */
export async function recoverSession(
  core: Core,
  session: SessionState,
  shown: () => Transcript,
): Promise<Recovered> {
  session.background.recover();
  const { sequence, mode } = shown();
  // Full access ended with the window that had it.
  if (sequence > 0 && mode !== session.mode)
    session.log.recordNow({ type: 'mode.changed', mode: session.mode });
  return isLeftOpen(core.store, shown()) ? endLeftOpen(core, session) : NOTHING_LEFT;
}

/** Ends what a crash left open, or a turn whose end could not be recorded. Where that fails it is to be tried again. */
export async function endLeftOpen(core: Core, session: SessionState): Promise<Recovered> {
  const { leftOpen = new Map() } = session;
  session.leftOpen = undefined;
  try {
    return await recover(core, session, leftOpen);
  } catch (error) {
    session.leftOpen = leftOpen;
    core.host.log.error(`session ${session.id} could not be recovered: ${messageOf(error)}`);
    return { turns: 0, notes: [messageOf(error)] };
  }
}

/** An ended turn needs nothing; a crash shows as one that has begun and not ended, or as an open journal or undo. */
function isLeftOpen(store: Store, { sessionId, turns }: Transcript): boolean {
  return (
    turns.at(-1)?.status === 'running' ||
    store.checkpoints.hasOpen(sessionId) ||
    store.restores.unfinished(sessionId).length > 0
  );
}

/**
 * Ends what a crash left open: half-done undos, journals, calls, the turn. Nothing is run again. Only for the holder of the
 * session's lease: whoever had it is dead.
 */
async function recover(core: Core, session: SessionState, leftOpen: LeftOpen): Promise<Recovered> {
  session.log.flush();
  const { sealed, restores } = await core.checkpoints.recover(session.id);
  const events = core.store.events.list(session.id);
  // An undo may have ended, and what the store refused was never said.
  session.conversation.reset();
  const turnIds = unfinishedTurns(events);
  for (const { turnId, call } of session.conversation.openCalls())
    await closeOpenCall(session, events, { turnId, call });
  core.store.approvals.dropPending(session.id, 'interrupted');
  for (const checkpoint of sealed)
    await session.log.record({ type: 'checkpoint.sealed', turnId: checkpoint.turnId, checkpoint });
  for (const turnId of turnIds) {
    const { status, problem } = leftOpen.get(turnId) ?? { status: 'interrupted' };
    const body = { type: 'turn.ended', turnId, status, ...(problem ? { problem } : {}) } as const;
    await session.log.record(body, () =>
      status === 'interrupted' ? session.conversation.note(turnId, INTERRUPTED) : undefined,
    );
  }
  return { turns: turnIds.length, notes: restores.flatMap(restoreWords) };
}

const INTERRUPTED =
  'Belay was stopped in the middle of this turn, perhaps by a crash. Nothing was run again. Look at the present state before you go on.';

function unfinishedTurns(events: readonly SessionEvent[]): readonly TurnId[] {
  const open = new Set<TurnId>();
  for (const event of events) {
    if (event.type === 'turn.started') open.add(event.turnId);
    if (event.type === 'turn.ended') open.delete(event.turnId);
  }
  return [...open];
}

async function closeOpenCall(
  session: SessionState,
  events: readonly SessionEvent[],
  { turnId, call }: { readonly turnId: TurnId; readonly call: ToolCall },
): Promise<void> {
  const own = events.filter((event) => 'callId' in event && event.callId === call.id);
  const turn = { id: turnId, log: session.log, conversation: session.conversation };
  if (!own.some(({ type }) => type === 'tool.requested'))
    await session.log.record(requestedEvent(turnId, call));
  const trace = own.reduce<readonly GateLine[]>(
    (last, event) => (event.type === 'tool.gated' ? event.trace : last),
    [],
  );
  await closeCall(turn, { call, trace }, { result: resultOf(call, own), ms: 0 });
}

/** A side effect that had begun is never guessed about and never done again. */
function resultOf({ name }: ToolCall, events: readonly SessionEvent[]): ToolResult {
  const started = events.find((event) => event.type === 'tool.started');
  if (!started)
    return refusal(
      'cancelled',
      `${name}: cancelled because Belay was stopped before it started; it did not run.`,
    );
  if (!started.sideEffect)
    return refusal(
      'cancelled',
      `${name}: cancelled because Belay was stopped while it read; reading again is safe.`,
    );
  const content = `${name}: interrupted. It had started when Belay was stopped, and nobody knows whether it came to its end. It was not run again. Look at the present state, tell the user, and let them decide.`;
  return { version: 1, status: 'unknown', code: 'interrupted', retryable: false, content };
}

function restoreWords({
  kind,
  state,
  notes,
}: {
  readonly kind: 'undo' | 'redo';
  readonly state: 'done' | 'rolled-back';
  readonly notes: readonly string[];
}): readonly string[] {
  const what =
    kind === 'undo'
      ? state === 'done'
        ? t('An undo that was cut off was finished.')
        : t('An undo that was cut off was rolled back.')
      : state === 'done'
        ? t('A redo that was cut off was finished.')
        : t('A redo that was cut off was rolled back.');
  return [what, ...notes];
}
