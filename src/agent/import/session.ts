import type { Core } from '#agent/core';
import { titleOf } from '#agent/titles';
import { t } from '#base/l10n';
import type { EventBody, SessionEvent } from '#protocol/event';
import type { CheckpointId, MessageId, SessionId, TurnId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { Imported, ImportedTurn } from './events';

/** Events that go along: what was said and done. What speaks of checkpoints, artifacts or another machine's model doesn't. */
const KEPT: ReadonlySet<SessionEvent['type']> = new Set([
  ...(['message.queued', 'message.delivered', 'model.completed', 'hook.reported', 'turn.ended'] as const),
  ...(['tool.requested', 'tool.gated', 'tool.started', 'tool.completed'] as const),
]);

/** Calls that the model is told of for each turn. */
const MOST_CALLS = 50;

/**
 * Makes a session of this folder of what a file says, all or nothing, and answers its id. Nothing of it is run; its turns have no
 * checkpoint, and the model is told in words what was done in them, so that it can be gone on with.
 */
export function importSession(core: Core, imported: Imported, modelId: string): SessionId {
  const { store, host, workspace, redactor } = core;
  const sessionId = host.random.id() as SessionId;
  const now = host.clock.now();
  const title = redactor.value(titleOf(imported.title, 200)) || t('Imported session');
  store.transaction(() => {
    store.sessions.create({
      ...{ id: sessionId, folder: workspace.root, title, mode: 'workspace-write', modelId, at: now },
    });
    store.sessions.update(sessionId, { titledBy: 'person' });
    const record = (body: EventBody, at: number, messages: readonly Message[] = []) =>
      store.events.append(sessionId, redactor.value(body), Math.min(at, now), messages);
    record({ type: 'session.created', title: '' }, now);
    record({ type: 'session.titled', title }, now);
    record({ type: 'mode.changed', mode: 'workspace-write' }, now);
    if (modelId !== '') record({ type: 'model.changed', modelId }, now);
    for (const [index, turn] of imported.turns.entries())
      importTurn(core, { sessionId, turn, number: index + 1, record });
  });
  core.changed();
  return sessionId;
}

interface TurnImport {
  readonly sessionId: SessionId;
  readonly turn: ImportedTurn;
  readonly number: number;
  readonly record: (body: EventBody, at: number, messages?: readonly Message[]) => SessionEvent;
}

function importTurn(core: Core, { sessionId, turn, number, record }: TurnImport): void {
  const { store, host, redactor } = core;
  const turnId = host.random.id() as TurnId;
  const { prompt, at } = turn.started;
  const id = host.random.id() as CheckpointId;
  // Its number is taken, and the conversation can be taken back to before it; there is no file to undo.
  store.checkpoints.open({
    ...{ id, sessionId, turnId, turn: number, prompt: redactor.value(prompt), at, todos: [] },
    startSequence: store.events.last(sessionId),
    messageCount: store.messages.count(sessionId),
  });
  store.checkpoints.seal(id, 'empty', []);
  const messages = redactor.value(messagesOf(core, turn, turnId));
  record({ type: 'turn.started', turnId, turn: number, prompt, mentions: [] }, at, messages);
  let last: SessionEvent | undefined;
  for (const event of turn.events) {
    if (last?.type === 'turn.ended' || !KEPT.has(event.type)) continue;
    last = record(bodyOf(event, turnId), event.at);
  }
  if (last?.type !== 'turn.ended')
    record({ type: 'turn.ended', turnId, status: 'interrupted' }, last?.at ?? at);
}

/** Long outputs stay where they were: only their size was in the file. */
function bodyOf(event: SessionEvent, turnId: TurnId): EventBody {
  const { sequence: _sequence, sessionId: _sessionId, at: _at, ...body } = event;
  if (body.type === 'tool.completed') {
    const { artifact: _artifact, ...completed } = body;
    return { ...completed, turnId };
  }
  return { ...body, turnId } as EventBody;
}

/** What was asked, what was answered, and a note on the calls: no call without a result, and no result without a call. */
function messagesOf({ host }: Core, { started, events }: ImportedTurn, turnId: TurnId): readonly Message[] {
  const id = () => host.random.id() as MessageId;
  const said = events.flatMap((event) =>
    event.type === 'model.completed' && event.text ? [event.text] : [],
  );
  const asked = events.flatMap((event) => (event.type === 'message.delivered' ? [event.text] : []));
  const calls = events.flatMap((event) =>
    event.type === 'tool.completed'
      ? [`- ${event.name}: ${event.display?.title ?? ''} (${event.status})`]
      : [],
  );
  const user = (text: string): Message => ({
    ...{ kind: 'user', id: id(), turnId, text: text || '…', mentions: [], attached: '' },
  });
  return [
    user(started.prompt),
    ...asked.map(user),
    ...(said.length > 0
      ? [{ kind: 'assistant', id: id(), turnId, parts: [{ kind: 'text', text: said.join('\n\n') }] } as const]
      : []),
    ...(calls.length > 0 ? [{ kind: 'note', id: id(), turnId, text: callsNote(calls) } as const] : []),
  ];
}

function callsNote(calls: readonly string[]): string {
  const more = calls.length > MOST_CALLS ? `\n- and ${calls.length - MOST_CALLS} more` : '';
  return `This turn was imported from a file. Its tool calls were made elsewhere, perhaps on other files; look at the files here before you rely on them:\n${calls.slice(0, MOST_CALLS).join('\n')}${more}`;
}
