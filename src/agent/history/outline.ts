import type { EventOf } from '#protocol/event';
import type { SessionId, TurnId } from '#protocol/ids';
import type { OutlineRow } from '#store/history-outline';
import type { Store } from '#store/store';

/** A turn that counts: where its events stand. */
export interface OutlineTurn {
  readonly turnId: TurnId;
  readonly turn: number;
  readonly at: number;
  /** Sequence of its beginning, and of the next turn's beginning whether that counts or not. */
  readonly start: number;
  end: number;
  ended: boolean;
  /** Sequence of the event that made the todo list which it began with; 0 when there was none. */
  readonly todosFrom: number;
}

/** A session without what was said: which turns count, in order, and where the last word on everything else stands. */
export interface Outline {
  readonly turns: readonly OutlineTurn[];
  /** Sequence of the session's last event: nothing later counts here. */
  readonly last: number;
  readonly reviewSince: number;
  /** Sequences of the last event on each; 0 when there was none. */
  readonly todosFrom: number;
  readonly titleFrom: number;
  readonly modeFrom: number;
  readonly modelFrom: number;
  readonly forkedFrom: number;
  /** The last turn that counted when the session branched off. */
  readonly forkedAfter: TurnId | undefined;
  /** Whether files of a turn were undone or redone after its end. */
  readonly marked: boolean;
  /** Whether something was typed while a turn ran. */
  readonly queued: boolean;
}

/** Of these the outline needs what they say; they are few. */
const TOLD_WHOLE = ['session.rewound', 'session.unwound', 'files.kept'] as const;
type Whole = EventOf<(typeof TOLD_WHOLE)[number]>;

/** Reads the outline of a session: a few words per turn, from an index. */
export function readOutline(store: Store, sessionId: SessionId): Outline {
  const last = store.events.last(sessionId);
  const rows = store.outline.rows(sessionId).filter(({ sequence }) => sequence <= last);
  const needs = rows.some(({ type }) => TOLD_WHOLE.some((whole) => whole === type));
  const events = needs ? store.outline.bodies(sessionId, TOLD_WHOLE) : [];
  const whole = new Map<number, Whole>(events.map((event) => [event.sequence, event]));
  const builder = new OutlineBuilder(last);
  for (const row of rows) builder.add(row, whole.get(row.sequence));
  return builder.outline;
}

/** The same walk as the fold of all events, on their outline. */
class OutlineBuilder {
  readonly #covered: {
    readonly operation: string;
    readonly turns: readonly OutlineTurn[];
    readonly todosFrom: number;
  }[] = [];
  readonly #outline: { -readonly [K in keyof Outline]: Outline[K] };
  #turns: OutlineTurn[] = [];
  #newest: OutlineTurn | undefined;

  constructor(last: number) {
    this.#outline = {
      ...{ turns: [], last, reviewSince: 0, todosFrom: 0, titleFrom: 0, modeFrom: 0, modelFrom: 0 },
      ...{ forkedFrom: 0, forkedAfter: undefined, marked: false, queued: false },
    };
  }

  get outline(): Outline {
    return { ...this.#outline, turns: this.#turns };
  }

  add(row: OutlineRow, whole: Whole | undefined): void {
    const outline = this.#outline;
    switch (row.type) {
      case 'turn.started':
        this.#start(row);
        return;
      case 'turn.ended':
        this.#end(row);
        return;
      case 'todos.changed':
        outline.todosFrom = row.sequence;
        return;
      case 'session.created':
      case 'session.titled':
        outline.titleFrom = row.sequence;
        return;
      case 'mode.changed':
        outline.modeFrom = row.sequence;
        return;
      case 'model.changed':
        outline.modelFrom = row.sequence;
        return;
      case 'checkpoint.undone':
      case 'checkpoint.redone':
      case 'checkpoint.changed':
      case 'checkpoint.pruned':
        outline.marked = true;
        return;
      case 'message.queued':
        outline.queued = true;
        return;
      default:
        if (whole) this.#hear(whole);
        else if (row.type === 'session.forked') this.#fork(row);
    }
  }

  #start({ turnId, turn, at, sequence }: OutlineRow): void {
    if (this.#newest) this.#newest.end = sequence;
    if (turnId === undefined || turn === undefined) return;
    const { last, todosFrom } = this.#outline;
    this.#newest = { turnId, turn, at, start: sequence, end: last + 1, ended: false, todosFrom };
    this.#turns.push(this.#newest);
  }

  #end({ turnId }: OutlineRow): void {
    const turn = this.#turns.findLast((each) => each.turnId === turnId);
    if (turn) turn.ended = true;
  }

  #fork({ sequence }: OutlineRow): void {
    this.#outline.forkedFrom = sequence;
    this.#outline.forkedAfter = this.#turns.at(-1)?.turnId;
  }

  #hear(event: Whole): void {
    switch (event.type) {
      case 'session.unwound':
        this.#unwind(event.operation);
        return;
      case 'session.rewound':
        if (event.scope !== 'files') this.#rewind(event);
        return;
      case 'files.kept':
        this.#keep();
    }
  }

  #keep(): void {
    const ended = this.#turns.filter((turn) => turn.ended).map(({ turn }) => turn);
    this.#outline.reviewSince = ended.reduce((a, b) => Math.max(a, b), this.#outline.reviewSince);
  }

  #rewind(event: EventOf<'session.rewound'>): void {
    const { todosFrom } = this.#outline;
    const isGone = (each: OutlineTurn) => event.turns.includes(each.turn);
    const turns = this.#turns.filter(isGone);
    this.#turns = this.#turns.filter((each) => !isGone(each));
    this.#covered.push({ operation: event.operation, turns, todosFrom });
    this.#outline.todosFrom = turns[0]?.todosFrom ?? todosFrom;
  }

  #unwind(operation: string): void {
    const index = this.#covered.findIndex((entry) => entry.operation === operation);
    const covered = this.#covered[index];
    if (!covered) return;
    this.#covered.splice(index, 1);
    this.#turns = [...this.#turns, ...covered.turns].sort((a, b) => a.start - b.start);
    this.#outline.todosFrom = covered.todosFrom;
  }
}
