import { type Attached, joined } from '#agent/contributed/attached';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Journal } from '#checkpoints/journal';
import type { TurnId } from '#protocol/ids';
import type { Mention, Message } from '#protocol/message';
import type { Core } from './core';
import { atPrompt, atSessionStart } from './hook-moments';
import { runLoop } from './loop';
import { attachMentions } from './mentions';
import { LeaseLost } from './session-log';
import type { SessionState } from './session-state';
import { titleOf } from './titles';
import { readingContext } from './tool-context';
import type { TurnEnd } from './turn';
import { TurnHooks } from './turn-hooks';
import { createTurn } from './turn-of-session';
import { blockedPromptProblem, bugProblem, isStoreError, noModelProblem, storeProblem } from './turn-problem';

/** What a turn begins with. `note` instead of a prompt of the person's: Belay tells the model to go on. */
export interface TurnRequest {
  readonly prompt: string;
  readonly mentions: readonly Mention[];
  /** What the prompt of others that the person called comes to. */
  readonly called?: Attached;
  readonly note?: string;
}

/** Why a turn is stopped whose window goes: nobody wanted it to end. */
export const CLOSING = new DOMException('the window closes', 'AbortError');

/**
 * One turn from the person's message to the moment it hands back: recorded, journaled, sealed. Never rejects; when the store itself
 * fails, the problem is in the value and nowhere else.
 */
export async function runTurn(
  core: Core,
  session: SessionState,
  request: TurnRequest,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const turnId = core.host.random.id() as TurnId;
  let opened: Opened | undefined;
  try {
    // What a person wrote between two turns counts for the hooks of this one's beginning too.
    await core.settingsFiles.refresh();
    const hooks = new TurnHooks({ core, session, turnId, signal });
    opened = openTurn(core, session, { turnId, prompt: request.prompt });
    const { journal } = opened;
    const say = await beginTurn(core, session, request, { turnId, turn: opened.turn, hooks, signal });
    core.store.demandFile();
    hooks.noteIn(journal);
    const blocked = say && (await heldPrompt(session, request, { turnId, hooks, say }));
    const end = blocked ?? (await workOn(core, session, { turnId, journal, signal, hooks }));
    // Left open like after a crash: the next start ends it and tells the person.
    if (end.status === 'cancelled' && signal.reason === CLOSING) return { status: 'interrupted' };
    return await endTurn(core, session, { turnId, journal, end });
  } catch (error) {
    const end = brokenOff(core, error);
    if (error instanceof LeaseLost || !opened) return end;
    return await endBroken(core, session, { turnId, journal: opened.journal, end });
  } finally {
    // Whatever the store did: the turn runs no more.
    opened?.journal.close();
  }
}

/** A turn whose checkpoint is open. */
interface Opened {
  readonly journal: Journal;
  readonly turn: number;
}

function openTurn(
  core: Core,
  session: SessionState,
  { turnId, prompt }: { readonly turnId: TurnId; readonly prompt: string },
): Opened {
  const { store } = core;
  // What waits for a store that failed belongs to the turn before.
  session.log.flush();
  // Numbers go on after a rewind, so that a number means one turn for good.
  const turn = store.checkpoints.lastTurn(session.id) + 1;
  const journal = core.checkpoints.open({
    sessionId: session.id,
    turnId,
    turn,
    prompt: core.redactor.value(prompt),
    startSequence: store.events.last(session.id),
    messageCount: session.conversation.messages.length,
    todos: store.todos.list(session.id),
  });
  return { journal, turn };
}

/** Records the beginning. Answers with the message, where that waits for hooks. */
async function beginTurn(
  core: Core,
  session: SessionState,
  request: TurnRequest,
  {
    turnId,
    turn,
    hooks,
    signal,
  }: {
    readonly turnId: TurnId;
    readonly turn: number;
    readonly hooks: TurnHooks;
    readonly signal: AbortSignal;
  },
): Promise<(() => Message) | undefined> {
  const { prompt, mentions, note } = request;
  const called = request.called ? [request.called] : [];
  session.rulesFiles.touch(mentions.flatMap((each) => (each.kind === 'file' ? [each.path] : [])));
  const attached = await attachMentions(mentions, {
    ...{ context: readingContext(core, session, turnId), resources: core.resources, signal },
    redact: core.redactor.value,
  });
  const say = () =>
    note === undefined
      ? session.conversation.user(turnId, prompt, mentions, joined([...called, attached]))
      : session.conversation.note(turnId, note);
  // With hooks before it, the model hears of it only when they have let it pass; the person sees it at once.
  const held = hooks.any('UserPromptSubmit') || (!session.greeted && hooks.any('SessionStart'));
  const started = { type: 'turn.started', turnId, turn, prompt, mentions } as const;
  await session.log.record(started, held ? undefined : say);
  session.turnId = turnId;
  if (session.title === '') await giveTitle(core, session, prompt);
  return held ? say : undefined;
}

/** Lets the hooks of session and prompt speak first. An end, where they block the prompt: then the model never sees it. */
async function heldPrompt(
  session: SessionState,
  { prompt, note }: TurnRequest,
  { turnId, hooks, say }: { readonly turnId: TurnId; readonly hooks: TurnHooks; readonly say: () => Message },
): Promise<TurnEnd | undefined> {
  const { log, conversation } = session;
  if (!session.greeted)
    await atSessionStart(hooks, conversation.messages.length === 0 ? 'startup' : 'resume');
  session.greeted = true;
  // Belay's own word to go on is no prompt of the person's.
  const blocked = note === undefined ? await atPrompt(hooks, prompt) : undefined;
  const problem = blocked === undefined ? hooks.ending : blockedPromptProblem(blocked);
  if (problem) return { status: 'denied', problem };
  log.note(say());
  const notes = hooks.takeNotes();
  if (notes !== undefined) log.note(conversation.note(turnId, notes));
  return undefined;
}

async function giveTitle(core: Core, session: SessionState, prompt: string): Promise<void> {
  // Redacted first: of a secret that is cut in two nobody knows what it was.
  session.title = titleOf(core.redactor.value(prompt)) || t('Session');
  core.store.sessions.update(session.id, { title: session.title, titledBy: 'prompt' });
  await session.log.record({ type: 'session.titled', title: session.title });
}

async function workOn(
  core: Core,
  session: SessionState,
  run: Omit<Parameters<typeof createTurn>[2], 'model'>,
): Promise<TurnEnd> {
  if (session.modelId === '')
    return { status: 'failed', problem: noModelProblem(t('Choose one with “Belay: Select Model”.')) };
  const model = await core.models.get(session.modelId);
  if (!model.ok) return { status: 'failed', problem: noModelProblem(model.error) };
  return runLoop(await createTurn(core, session, { ...run, model: model.value }));
}

async function endTurn(
  core: Core,
  session: SessionState,
  { turnId, journal, end }: { readonly turnId: TurnId; readonly journal: Journal; readonly end: TurnEnd },
): Promise<TurnEnd> {
  const checkpoint = await journal.seal('sealed');
  if (checkpoint) await session.log.record({ type: 'checkpoint.sealed', turnId, checkpoint });
  core.store.approvals.dropPending(session.id, turnId);
  const { status, problem } = end;
  const body = { type: 'turn.ended', turnId, status, ...(problem ? { problem } : {}) } as const;
  await session.log.record(body, () =>
    status === 'cancelled' ? session.conversation.note(turnId, STOPPED) : undefined,
  );
  core.changed();
  return end;
}

/** The turn broke off, its end is still to be told; when that fails too, the first reason is the one that counts. */
async function endBroken(
  core: Core,
  session: SessionState,
  ended: Parameters<typeof endTurn>[2],
): Promise<TurnEnd> {
  try {
    // What has no beginning needs no end.
    if (session.turnId === ended.turnId) await endTurn(core, session, ended);
    else await ended.journal.seal('sealed');
  } catch (error) {
    if (!(error instanceof LeaseLost))
      session.leftOpen = new Map(session.leftOpen).set(ended.turnId, ended.end);
  }
  return ended.end;
}

const STOPPED = 'The person stopped you here. Wait for what they say next; don’t go on by yourself.';

function brokenOff(core: Core, error: unknown): TurnEnd {
  if (error instanceof LeaseLost) return { status: 'interrupted' };
  core.host.log.error(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
  return { status: 'failed', problem: isStoreError(error) ? storeProblem(error) : bugProblem(error) };
}
