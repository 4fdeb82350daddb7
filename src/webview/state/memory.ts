import * as z from 'zod';
import type { Mention } from '#protocol/message';
import { mentionSchema } from '#protocol/wire';

/** What stands in the composer and isn't sent. `start` and `end` are the caret, in UTF-16 units. */
export interface Draft {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly mentions: readonly Mention[];
  /** A draft that was left for an older message which was then edited: reachable with arrow up. */
  readonly parked?: string | undefined;
}

/** Where the reader was: `turn` lay `offset` pixels below the top of the log. */
export interface Place {
  readonly turn: number;
  readonly offset: number;
}

/** Nothing written. */
export const EMPTY_DRAFT: Draft = { text: '', start: 0, end: 0, mentions: [] };

const draftSchema = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  mentions: z.array(mentionSchema),
  parked: z.string().optional(),
});
const memorySchema = z.object({
  session: z.string(),
  begun: z.boolean().optional(),
  drafts: z.record(z.string(), draftSchema),
  places: z.record(z.string(), z.object({ turn: z.number(), offset: z.number() })),
  unfolded: z.array(z.string()),
});
type Saved = z.infer<typeof memorySchema>;

/** Most sessions whose draft and place are kept, and most rows that stay unfolded. */
const KEPT_SESSIONS = 100;
const KEPT_ROWS = 500;

/**
 * What the page keeps over hiding, reloading and moving: drafts and reading places by session, unfolded rows.
 * `save` gets the whole as plain data; `saved` is what it got last, from whatever version of Belay.
 */
export class Memory {
  readonly #save: (saved: Saved) => void;
  readonly #ofOne: boolean;
  #saved: Saved;

  /** `ofOne`: the page shows one session, never another beside it. */
  constructor(saved: unknown, save: (saved: Saved) => void, ofOne = false) {
    this.#ofOne = ofOne;
    const parsed = memorySchema.safeParse(saved);
    this.#saved = parsed.success ? parsed.data : { session: '', drafts: {}, places: {}, unfolded: [] };
    this.#save = save;
  }

  /** The session that was shown last; empty when none was. */
  get session(): string {
    return this.#saved.session;
  }

  /**
   * Shows a session; `begun`: something was said in it. A draft typed before there was one goes along with it, and on a page of one session
   * the draft of the one that is gone: until another takes its place that is remembered.
   */
  enter(session: string, begun = false): void {
    const from = this.#ofOne ? this.#saved.session : '';
    if (this.#ofOne && (session === '' || (session === from && begun === this.#saved.begun))) return;
    if (!this.#ofOne && session === this.#saved.session) return;
    const { [from]: carried, ...others } = this.#saved.drafts;
    const goes = carried && session !== '' && session !== from && !others[session];
    const drafts = goes ? { ...others, [session]: carried } : this.#saved.drafts;
    this.#change({ session, drafts, ...(this.#ofOne ? { begun } : {}) });
  }

  draft(session: string): Draft {
    return this.#saved.drafts[session] ?? EMPTY_DRAFT;
  }

  setDraft(session: string, draft: Draft): void {
    const { [session]: _old, ...others } = this.#saved.drafts;
    const empty = draft.text === '' && draft.mentions.length === 0 && draft.parked === undefined;
    const kept = { ...draft, mentions: [...draft.mentions] };
    this.#change({ drafts: newest(empty ? others : { ...others, [session]: kept }) });
  }

  /** A message that could not be sent comes back: where it was written if nothing stands there by now, else behind that, by arrow up. */
  giveBack(session: string, { text, mentions }: Pick<Draft, 'text' | 'mentions'>): void {
    const now = this.draft(session);
    const isFree = now.text === '' && now.mentions.length === 0;
    const end = text.length;
    this.setDraft(session, isFree ? { ...now, text, mentions, start: end, end } : { ...now, parked: text });
  }

  place(session: string): Place | undefined {
    return this.#saved.places[session];
  }

  /** `undefined`: the reader is at the end. */
  setPlace(session: string, place: Place | undefined): void {
    const { [session]: _old, ...others } = this.#saved.places;
    this.#change({ places: newest(place ? { ...others, [session]: place } : others) });
  }

  isUnfolded(key: string): boolean {
    return this.#saved.unfolded.includes(key);
  }

  setUnfolded(key: string, unfolded: boolean): void {
    const others = this.#saved.unfolded.filter((other) => other !== key);
    this.#change({ unfolded: (unfolded ? [...others, key] : others).slice(-KEPT_ROWS) });
  }

  #change(change: Partial<Saved>): void {
    this.#saved = { ...this.#saved, ...change };
    this.#save(this.#saved);
  }
}

/** The entries that were set last: a record keeps the order in which its keys came. */
function newest<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).slice(-KEPT_SESSIONS));
}
