import { exportHead } from '#agent/export/events';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { SessionEvent } from '#protocol/event';
import { eventSchema } from '#protocol/event-schema';

/** Most lines of a file, and most characters of a line, that are read. */
const MOST_LINES = 300_000;
const LONGEST_LINE = 2_000_000;

/** Milliseconds since 1970: no time lies behind it. */
const LATEST = 8.64e15;

/** One turn of a file: its events in order, the first of them its beginning. */
export interface ImportedTurn {
  readonly started: Extract<SessionEvent, { type: 'turn.started' }>;
  readonly events: readonly SessionEvent[];
}

/** What a file holds that can be used. */
export interface Imported {
  readonly title: string;
  readonly modelId: string;
  readonly turns: readonly ImportedTurn[];
  /** Lines that are no event: cut off, damaged, too long, or of another version. */
  readonly skipped: number;
}

/** Reads a session's events line by line. A bad line costs itself alone; the error is a sentence for people. */
export function readEvents(text: string): Result<Imported, string> {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const head = exportHead.safeParse(parsed(lines[0] ?? ''));
  if (!head.success) return fail(t('That file is not a session that Belay exported as JSONL.'));
  const turns = new Turns();
  let skipped = Math.max(0, lines.length - MOST_LINES);
  for (const [index, line] of lines.slice(1, MOST_LINES).entries()) {
    if (line.trim() === '') continue;
    const event = eventOf(line, index + 1);
    if (event) turns.add(event);
    else skipped += 1;
  }
  const { title, modelId } = head.data;
  return ok({ title, modelId, turns: turns.counting(), skipped });
}

function eventOf(line: string, sequence: number): SessionEvent | undefined {
  const value = line.length > LONGEST_LINE ? undefined : parsed(line);
  if (typeof value !== 'object' || value === null) return undefined;
  const event = eventSchema.safeParse({ ...value, sequence, sessionId: 'imported' });
  if (!event.success || !('sequence' in event.data)) return undefined;
  const { at } = event.data as unknown as SessionEvent;
  return { ...(event.data as unknown as SessionEvent), at: Math.trunc(Math.min(Math.max(at, 0), LATEST)) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Gathers events by turn, and knows which turns a rewind took away. */
class Turns {
  readonly #turns = new Map<string, { readonly turn: ImportedTurn; readonly events: SessionEvent[] }>();
  /** Rewinds by their operation: the numbers of turns that each took away, and how many turns there were then. */
  readonly #rewinds = new Map<string, { readonly numbers: readonly number[]; readonly before: number }>();

  add(event: SessionEvent): void {
    if (event.type === 'turn.started') {
      if (this.#turns.has(event.turnId)) return;
      const events: SessionEvent[] = [];
      this.#turns.set(event.turnId, { turn: { started: event, events }, events });
    } else if (event.type === 'session.rewound') {
      const { operation, scope, turns: numbers } = event;
      if (scope !== 'files') this.#rewinds.set(operation, { numbers, before: this.#turns.size });
    } else if (event.type === 'session.unwound') this.#rewinds.delete(event.operation);
    else if ('turnId' in event) this.#turns.get(event.turnId)?.events.push(event);
  }

  counting(): readonly ImportedTurn[] {
    const goneBefore = this.#lastRewinds();
    return [...this.#turns.values()].flatMap(({ turn }, index) =>
      index < (goneBefore.get(turn.started.turn) ?? 0) ? [] : [turn],
    );
  }

  /** By the number of a turn: those with it that began before this one are gone. Each number is looked at once, however long the file. */
  #lastRewinds(): ReadonlyMap<number, number> {
    const last = new Map<number, number>();
    for (const { numbers, before } of this.#rewinds.values())
      for (const number of numbers) last.set(number, Math.max(before, last.get(number) ?? 0));
    return last;
  }
}
