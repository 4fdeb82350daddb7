import type { SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { PageWish, TurnPage } from '#protocol/page';
import type { Todo } from '#protocol/todo';
import { emptyTranscript, type Transcript } from '#protocol/transcript';
import { foldEvent } from '#protocol/transcript-fold';
import type { Store } from '#store/store';
import { type Outline, type OutlineTurn, readOutline } from './outline';

/** Most events and turns of a page; one turn is never cut, however long it is. */
const PAGE: PageSize = { events: 800, turns: 80 };

/** How much a page may hold. */
export interface PageSize {
  readonly events: number;
  readonly turns: number;
}

/** The end of a session as the fold of all its events would have it, at a cost that does not grow with what was said before. */
export function lastPage(store: Store, sessionId: SessionId, page: PageSize = PAGE): Transcript {
  const outline = readOutline(store, sessionId);
  const { turns } = outline;
  const start = back(turns, turns.length, page);
  const { turns: shown, approvals } = foldPage(store, sessionId, outline, turns.slice(start));
  const whole = { ...emptyTranscript(sessionId), ...standing(store, sessionId, outline) };
  return { ...whole, turns: shown, approvals, before: start };
}

/** The page that is wished for. A turn that doesn't count any more stands for the next one that does. */
export function pageOf(
  store: Store,
  sessionId: SessionId,
  { place, turn }: PageWish,
  size: PageSize = PAGE,
): TurnPage {
  const outline = readOutline(store, sessionId);
  const { turns } = outline;
  const exact = turns.findIndex((each) => each.turn === turn);
  const next = turns.findIndex((each) => each.turn > turn);
  const index = exact >= 0 ? exact : next >= 0 ? next : turns.length;
  const from = exact >= 0 || place === 'before' ? index : index - 1;
  const [start, end] = rangeOf(turns, place, from, size);
  const page = foldPage(store, sessionId, outline, turns.slice(start, end));
  return { turns: page.turns, approvals: page.approvals, before: start, after: turns.length - end };
}

function rangeOf(
  turns: readonly OutlineTurn[],
  place: PageWish['place'],
  index: number,
  size: PageSize,
): [number, number] {
  switch (place) {
    case 'before':
      return [back(turns, index, size), index];
    case 'after':
      return [index + 1, forth(turns, index + 1, size)];
    case 'around': {
      const middle = Math.max(0, Math.min(index, turns.length - 1));
      return [back(turns, middle, { ...size, events: size.events / 4 }), forth(turns, middle, size)];
    }
  }
}

/** At least one turn, as many as fit. */
function back(turns: readonly OutlineTurn[], from: number, most: PageSize): number {
  let start = from;
  for (let left = most.events; start > 0 && from - start < most.turns; start -= 1) {
    left -= sizeOf(turns[start - 1]);
    if (left < 0 && start < from) break;
  }
  return start;
}

function forth(turns: readonly OutlineTurn[], from: number, most: PageSize): number {
  let end = from;
  for (let left = most.events; end < turns.length && end - from < most.turns; end += 1) {
    left -= sizeOf(turns[end]);
    if (left < 0 && end > from) break;
  }
  return end;
}

function sizeOf(turn: OutlineTurn | undefined): number {
  return turn ? turn.end - turn.start : 0;
}

/** Folds the events of these turns, and later ones that speak of them, in the order they came. */
function foldPage(
  store: Store,
  sessionId: SessionId,
  outline: Outline,
  wanted: readonly OutlineTurn[],
): Transcript {
  const byId = new Map(wanted.map((turn) => [turn.turnId, turn]));
  const own = spans(wanted).flatMap(([start, end]) =>
    store.events.list(sessionId, start, Math.min(end, outline.last + 1)),
  );
  const ofTurns = own.filter((event) => 'turnId' in event && byId.has(event.turnId) && !isLate(event));
  const marks = outline.marked ? store.outline.bodies(sessionId, LATE) : [];
  const events = [...ofTurns, ...marks.filter(({ sequence }) => sequence <= outline.last)];
  events.sort((a, b) => a.sequence - b.sequence);
  let transcript = emptyTranscript(sessionId);
  for (const event of events) {
    const begun = event.type === 'turn.started' ? byId.get(event.turnId) : undefined;
    if (begun) transcript = { ...transcript, todos: todosOf(store, sessionId, begun.todosFrom) };
    transcript = foldEvent(transcript, event);
  }
  const folded = new Map(transcript.turns.map((turn) => [turn.turnId, turn]));
  return { ...transcript, turns: wanted.flatMap(({ turnId }) => folded.get(turnId) ?? []) };
}

/** These may come long after the end of the turn that they speak of. */
const LATE = ['checkpoint.undone', 'checkpoint.redone', 'checkpoint.changed', 'checkpoint.pruned'] as const;

function isLate({ type }: SessionEvent): boolean {
  return LATE.some((late) => late === type);
}

/** Turns that follow each other are read at once. */
function spans(turns: readonly OutlineTurn[]): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  for (const { start, end } of turns) {
    const before = found.at(-1);
    if (before?.[1] === start) before[1] = end;
    else found.push([start, end]);
  }
  return found;
}

/** What holds for the whole session, whichever turns are shown. */
function standing(store: Store, sessionId: SessionId, outline: Outline) {
  const { title, mode, modelId } = [outline.titleFrom, outline.modeFrom, outline.modelFrom]
    .sort((a, b) => a - b)
    .flatMap((sequence) => eventAt(store, sessionId, sequence) ?? [])
    .reduce(foldEvent, emptyTranscript(sessionId));
  return {
    title,
    mode,
    modelId,
    todos: todosOf(store, sessionId, outline.todosFrom),
    usage: store.outline.usage(sessionId),
    sequence: outline.last,
    reviewSince: outline.reviewSince,
    covered: [],
    ...forkOf(store, sessionId, outline),
    ...contextOf(store, sessionId),
  };
}

function forkOf(store: Store, sessionId: SessionId, outline: Outline): Pick<Transcript, 'forkedFrom'> {
  const event = eventAt(store, sessionId, outline.forkedFrom);
  if (event?.type !== 'session.forked') return {};
  const { forkedAfter: after } = outline;
  return {
    forkedFrom: { sessionId: event.from, title: event.title, ...(after === undefined ? {} : { after }) },
  };
}

/** Requests that are looked at for how full the window is: not every provider says it every time. */
const LOOKED_AT = 50;

/** How full the model's window is: what the last request said, and what was done to the conversation or the model since. */
function contextOf(store: Store, sessionId: SessionId): Pick<Transcript, 'context'> {
  const said = store.outline.lastCompleted(sessionId, LOOKED_AT).find(({ context }) => context);
  if (!said) return {};
  const since = store.outline
    .bodies(sessionId, ['model.changed', 'conversation.compacted'])
    .filter(({ sequence }) => sequence > said.sequence);
  const { context } = [said, ...since].reduce(foldEvent, emptyTranscript(sessionId));
  return context ? { context } : {};
}

function todosOf(store: Store, sessionId: SessionId, sequence: number): readonly Todo[] {
  const event = eventAt(store, sessionId, sequence);
  return event?.type === 'todos.changed' ? event.todos : [];
}

function eventAt(store: Store, sessionId: SessionId, sequence: number): SessionEvent | undefined {
  return sequence === 0 ? undefined : store.events.list(sessionId, sequence, sequence + 1)[0];
}
