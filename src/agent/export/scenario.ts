import { z } from 'zod';
import type { Core } from '#agent/core';
import { readOutline } from '#agent/history/outline';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { EventOf, SessionEvent } from '#protocol/event';
import type { SessionId, TurnId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { HandWork, ModelItem, ScriptedAnswer } from '#protocol/scenario';
import type { ToolCall } from '#protocol/tool-call';
import { isBelow, ScenarioFiles } from './scenario-files';

/** A scenario that plays a session again, and what it can't play. */
export interface ExportedScenario {
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** What was said and done between two beginnings of turns. */
interface Told {
  readonly turnId: TurnId;
  readonly events: readonly SessionEvent[];
  readonly messages: readonly Message[];
  readonly checkpoint: CheckpointSummary | undefined;
}

/** Steps that play the turns of a session that count, with the workspace as they found it. No model is needed for it. */
export async function scenarioOf(core: Core, sessionId: SessionId): Promise<ExportedScenario> {
  const turns = tell(core, sessionId);
  const files = new ScenarioFiles(core, sessionId);
  const numbers = new Map(turns.map(({ checkpoint }, index) => [checkpoint?.turn, index + 1]));
  const steps: unknown[] = [];
  const place = (text: string) => text.replaceAll(core.workspace.root, '${WORKSPACE}');
  for (const turn of turns) {
    steps.push(...(await handSteps(turn, files)));
    steps.push(promptStep(turn, place));
    if (turn.checkpoint) files.after(turn.checkpoint);
    for (const event of turn.events) steps.push(...betweenTurns(event, { turns, numbers, files }));
  }
  await files.addReads();
  const { permissions, sandbox, maxSteps } = core.host.settings.current();
  const mode = firstMode(core, sessionId);
  const assumeSandbox = (await core.sandbox()).active || core.assumeSandbox;
  const notes = [...files.notes, ...problems(turns)];
  const settings = { mode, permissions, sandbox, maxSteps, assumeSandbox };
  const scenario = core.redactor.value({ notes, workspace: files.start, settings, steps });
  return { scenario, notes };
}

/** The steps for what was changed by hand before a turn. A link that stood there goes first: nothing is to be written through it. */
async function handSteps(turn: Told, files: ScenarioFiles): Promise<readonly { readonly write: HandWork }[]> {
  const { links } = files;
  const byHand = await handWork(turn, files);
  const paths = Object.keys(byHand);
  if (paths.length === 0) return [];
  const gone = links.filter((link) => paths.some((path) => path === link || isBelow(path, link)));
  const taken = gone.length > 0 ? [{ write: Object.fromEntries(gone.map((link) => [link, null])) }] : [];
  return [...taken, { write: byHand }];
}

/** What was changed by hand before a turn, as far as the turn saw it. */
async function handWork({ checkpoint, messages }: Told, files: ScenarioFiles): Promise<HandWork> {
  const changed = new Set(checkpoint?.files.flatMap(({ path, from }) => [path, from]));
  const reads = readsOf(messages).filter(({ path }) => !changed.has(path));
  const work = reads.map(({ path, shown }) => files.read(path, shown));
  return Object.assign({}, ...work, checkpoint ? await files.before(checkpoint) : {});
}

function tell({ store, checkpoints }: Core, sessionId: SessionId): readonly Told[] {
  const outline = readOutline(store, sessionId);
  const byTurn = Map.groupBy(store.messages.list(sessionId), ({ turnId }) => turnId);
  const summaries = new Map(checkpoints.list(sessionId).map((summary) => [summary.turnId, summary]));
  return outline.turns.map(({ turnId, start, end }) => ({
    turnId,
    events: store.events.list(sessionId, start, end),
    messages: byTurn.get(turnId) ?? [],
    checkpoint: summaries.get(turnId),
  }));
}

function promptStep({ events, messages }: Told, place: (text: string) => string): unknown {
  const started = events.find((event): event is EventOf<'turn.started'> => event.type === 'turn.started');
  const ids = new Map(callsOf(messages).map(({ id, providerId }) => [id as string, providerId]));
  const files = (started?.mentions ?? []).flatMap((each) => (each.kind === 'file' ? [each.path] : []));
  const ended = events.find((event) => event.type === 'turn.ended');
  const cancelled = ended?.type === 'turn.ended' && ended.status === 'cancelled';
  const during = events.flatMap((event, index) =>
    event.type === 'message.queued'
      ? [{ ...momentBefore(events.slice(0, index), ids), queue: place(event.text) }]
      : [],
  );
  return {
    prompt: place(started?.prompt ?? ''),
    ...(files.length > 0 ? { mentions: files } : {}),
    model: messages.flatMap((message) => (message.kind === 'assistant' ? [modelItem(message, place)] : [])),
    answers: events.flatMap((event) => (event.type === 'approval.answered' ? answerOf(event) : [])),
    ...(during.length > 0 ? { during } : {}),
    ...(cancelled ? { cancelAfter: momentBefore(events.slice(0, events.indexOf(ended)), ids) } : {}),
  };
}

function modelItem(
  { parts }: Extract<Message, { kind: 'assistant' }>,
  place: (text: string) => string,
): ModelItem {
  const said = (kind: 'text' | 'reasoning') =>
    parts.flatMap((part) => (part.kind === kind ? [place(part.text)] : [])).join('');
  const [text, reasoning] = [said('text'), said('reasoning')];
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
  return {
    ...(text ? { text } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(calls.length > 0 ? { calls: calls.map((call) => scriptedCall(call, place)) } : {}),
    ...(calls.some(({ cut }) => cut) ? { cut: true } : {}),
  };
}

/** What is an object when it is read stays readable; anything else stays as it came. */
function scriptedCall({ providerId, name, rawInput }: ToolCall, place: (text: string) => string) {
  const raw = place(rawInput);
  const input = parsedInput(raw);
  const same = typeof input === 'object' && input !== null && JSON.stringify(input) === raw;
  return same ? { id: providerId, name, input } : { id: providerId, name, rawInput: raw };
}

function answerOf({ answer, by }: EventOf<'approval.answered'>): readonly ScriptedAnswer[] {
  if (by === 'cancelled') return [];
  const { answer: word, rule, feedback, input } = answer;
  const more = {
    ...(rule === undefined ? {} : { rule }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(input === undefined ? {} : { input }),
  };
  return [Object.keys(more).length > 0 ? { answer: word, ...more } : word];
}

/** The last thing that a scenario can wait for. */
function momentBefore(events: readonly SessionEvent[], ids: ReadonlyMap<string, string>) {
  const event = events.findLast(({ type }) => MOMENTS.has(type));
  const call = event && 'callId' in event ? ids.get(event.callId ?? '') : undefined;
  return { after: event?.type ?? 'turn.started', ...(call === undefined ? {} : { call }) };
}

const MOMENTS: ReadonlySet<string> = new Set([
  ...['turn.started', 'model.requested', 'model.completed', 'tool.requested', 'tool.gated'],
  ...['tool.started', 'tool.completed'],
]);

interface Between {
  readonly turns: readonly Told[];
  /** What the replay calls each turn. */
  readonly numbers: ReadonlyMap<number | undefined, number>;
  readonly files: ScenarioFiles;
}

/** What a person did after a turn: its files undone or redone, another mode. */
function betweenTurns(event: SessionEvent, { turns, numbers, files }: Between): readonly unknown[] {
  if (event.type === 'mode.changed') return [{ mode: event.mode }];
  if (event.type !== 'checkpoint.undone' && event.type !== 'checkpoint.redone') return [];
  const touched = turns.flatMap(({ checkpoint }) =>
    checkpoint && event.checkpointIds.includes(checkpoint.id) ? [checkpoint] : [],
  );
  const first = touched[0] && numbers.get(touched[0].turn);
  if (first === undefined) return [];
  if (event.type === 'checkpoint.redone') {
    for (const checkpoint of touched) files.after(checkpoint);
    return [{ redo: {} }];
  }
  for (const checkpoint of touched.toReversed()) files.undone(checkpoint);
  const only = touched.length === 1 && first < turns.length ? { only: true } : {};
  return [{ undo: { turn: first, scope: 'files', ...only } }];
}

function firstMode({ store }: Core, sessionId: SessionId) {
  return store.outline.bodies(sessionId, ['mode.changed'])[0]?.mode ?? 'workspace-write';
}

function callsOf(messages: readonly Message[]): readonly ToolCall[] {
  return messages.flatMap((message) =>
    message.kind === 'assistant'
      ? message.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []))
      : [],
  );
}

/** The files that a turn read, and what it was shown of each. */
function readsOf(messages: readonly Message[]): readonly { readonly path: string; readonly shown: string }[] {
  const calls = new Map(callsOf(messages).map((call) => [call.id, call]));
  return messages.flatMap((message) => {
    if (message.kind !== 'result' || message.toolName !== 'read_file') return [];
    const input = readInput.safeParse(parsedInput(calls.get(message.callId)?.rawInput));
    const { status, content } = message.result;
    return status === 'success' && input.success ? [{ path: input.data.path, shown: content }] : [];
  });
}

const readInput = z.object({ path: z.string() });

function parsedInput(raw = ''): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** What no script can play. */
function problems(turns: readonly Told[]): readonly string[] {
  const failed = turns.flatMap(({ events }, index) =>
    events.some((event) => event.type === 'turn.ended' && event.problem?.kind === 'provider')
      ? [`turn ${index + 1} ended with a failure of the provider, which the replay does not have`]
      : [],
  );
  const commands = turns.some(({ events }) =>
    events.some((event) => event.type === 'tool.started' && event.name === 'run_command'),
  );
  const others = turns.flatMap(({ events, messages }, index) =>
    hasOthers(events, messages)
      ? [`turn ${index + 1} began with what a server or an extension gave, which the replay does not have`]
      : [],
  );
  return [
    ...failed,
    ...others,
    ...(commands
      ? ['commands are run again: what they print depends on the machine and on files that no tool touched']
      : []),
  ];
}

/** An attached resource, or a prompt of others: both stand beside the person's words. */
function hasOthers(events: readonly SessionEvent[], messages: readonly Message[]): boolean {
  return events.some(
    (event) =>
      event.type === 'turn.started' &&
      (event.mentions.some(({ kind }) => kind === 'resource') ||
        (event.mentions.length === 0 &&
          messages.some((message) => message.kind === 'user' && message.attached !== ''))),
  );
}
