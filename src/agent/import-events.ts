import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { SessionEvent } from '#protocol/event';
import { eventSchema } from '#protocol/event-schema';
import { exportHead } from './export-events';

/** Most lines of a file, and most characters of a line, that are read. */
const MOST_LINES = 300_000;
const LONGEST_LINE = 2_000_000;

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
  return event.success && 'sequence' in event.data ? (event.data as unknown as SessionEvent) : undefined;
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
  readonly #covered = new Map<string, ReadonlySet<string>>();

  add(event: SessionEvent): void {
    if (event.type === 'turn.started') {
      if (this.#turns.has(event.turnId)) return;
      const events: SessionEvent[] = [];
      this.#turns.set(event.turnId, { turn: { started: event, events }, events });
    } else if (event.type === 'session.rewound') {
      if (event.scope !== 'files') this.#covered.set(event.operation, this.#named(event.turns));
    } else if (event.type === 'session.unwound') this.#covered.delete(event.operation);
    else if ('turnId' in event) this.#turns.get(event.turnId)?.events.push(event);
  }

  counting(): readonly ImportedTurn[] {
    const gone = new Set([...this.#covered.values()].flatMap((ids) => [...ids]));
    return [...this.#turns].flatMap(([id, { turn }]) => (gone.has(id) ? [] : [turn]));
  }

  #named(numbers: readonly number[]): ReadonlySet<string> {
    const wanted = new Set(numbers);
    return new Set([...this.#turns].flatMap(([id, { turn }]) => (wanted.has(turn.started.turn) ? [id] : [])));
  }
}
