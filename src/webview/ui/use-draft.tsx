import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Draft, EMPTY_DRAFT, type Memory } from '#webview/state/memory';
import { newer, older, type Recall, recallable } from '#webview/state/recall';
import { usePort } from './port';

/** The draft of the session shown, and all that may change it. */
export interface DraftBox {
  readonly draft: Draft;
  /** The person typed: the caret is where it is. Attachments stay. */
  readonly typed: (text: string, start: number, end: number) => void;
  /** Completed, attached, inserted: the caret goes where the draft says. Gets the newest draft. */
  readonly change: (make: (draft: Draft) => Draft) => void;
  readonly clear: () => void;
  /** A message of that session that could not be sent. */
  readonly giveBack: (session: string, unsent: Pick<Draft, 'text' | 'mentions'>) => void;
  /** Where the caret is now: the browser tells of it later than the next key comes. */
  readonly moved: (text: string, start: number, end: number) => void;
  /** Arrow up or down through what was sent; false when there is nowhere to go, so that the key moves the caret. */
  readonly recall: (direction: 'older' | 'newer', prompts: readonly string[]) => boolean;
  readonly recalling: boolean;
}

/**
 * The text of a session's composer. It survives everything but being sent: it is kept with each key, and a recalled message only covers it.
 * Messages of the extension never touch it.
 */
export function useDraft(session: string, area: RefObject<HTMLTextAreaElement | null>): DraftBox {
  const { memory } = usePort();
  const [, redraw] = useState(0);
  const held = useRef<Held | undefined>(undefined);
  held.current ??= new Held(memory, session, () => redraw((n) => n + 1));
  const box = held.current;
  useLayoutEffect(() => box.enter(session), [session]);
  useLayoutEffect(() => {
    // Not before the text that it belongs to is drawn.
    if (!box.caret || area.current?.value !== box.draft.text) return;
    area.current.setSelectionRange(...box.caret);
    box.caret = undefined;
  });
  useEffect(() => {
    const listen = () => {
      const shown = area.current;
      if (shown && document.activeElement === shown)
        box.moved(shown.value, shown.selectionStart, shown.selectionEnd);
    };
    document.addEventListener('selectionchange', listen);
    return () => document.removeEventListener('selectionchange', listen);
  }, []);
  return box;
}

/** The draft as it is this moment: keys may come faster than the page is drawn, so nothing here waits for a drawing. */
class Held implements DraftBox {
  readonly #memory: Memory;
  readonly #redraw: () => void;
  #session: string;
  #recall: Recall | undefined;
  draft: Draft;
  /** Where the caret must be put once the text is drawn. */
  caret: readonly [number, number] | undefined;

  constructor(memory: Memory, session: string, redraw: () => void) {
    this.#memory = memory;
    this.#session = session;
    this.#redraw = redraw;
    this.draft = memory.draft(session);
    this.caret = [this.draft.start, this.draft.end];
  }

  get recalling(): boolean {
    return this.#recall !== undefined;
  }

  enter(session: string): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#recall = undefined;
    this.#show(this.#memory.draft(session));
  }

  /** A moved caret belongs to the draft only while the draft is what is shown. */
  readonly moved = (text: string, start: number, end: number): void => {
    const { draft } = this;
    if (this.#recall || text !== draft.text || (start === draft.start && end === draft.end)) return;
    this.#keep({ ...draft, start, end });
  };

  readonly typed = (text: string, start: number, end: number): void => {
    this.#keep({ ...this.#leavingRecall(), text, start, end });
  };

  readonly change = (make: (draft: Draft) => Draft): void => {
    const next = make(this.#leavingRecall());
    this.caret = [next.start, next.end];
    this.#keep(next);
  };

  readonly clear = (): void => {
    this.#recall = undefined;
    this.#memory.setDraft(this.#session, EMPTY_DRAFT);
    this.#show(EMPTY_DRAFT);
  };

  readonly giveBack = (session: string, unsent: Pick<Draft, 'text' | 'mentions'>): void => {
    this.#memory.giveBack(session, unsent);
    if (session !== this.#session || this.#recall) return;
    const kept = this.#memory.draft(session);
    // What is being written keeps its caret.
    if (kept.text === this.draft.text) this.draft = kept;
    else this.#show(kept);
  };

  readonly recall = (direction: 'older' | 'newer', prompts: readonly string[]): boolean => {
    const kept = this.#memory.draft(this.#session);
    const entries = recallable(prompts, kept.parked);
    const before = this.#recall;
    if (direction === 'newer' && !before) return false;
    const next = direction === 'newer' && before ? newer(before) : older(before, entries);
    if (direction === 'older' && next === before) return false;
    this.#recall = next;
    const text = next ? (entries[next.index] ?? '') : '';
    this.#show(next ? { text, start: text.length, end: text.length, mentions: [] } : kept);
    return true;
  };

  /** Editing an older message makes it the draft; the draft that it covered can still be reached with arrow up. */
  #leavingRecall(): Draft {
    if (!this.#recall) return this.draft;
    this.#recall = undefined;
    const covered = this.#memory.draft(this.#session).text;
    return covered === '' ? this.draft : { ...this.draft, parked: covered };
  }

  #keep(draft: Draft): void {
    this.draft = draft;
    this.#memory.setDraft(this.#session, draft);
    this.#redraw();
  }

  #show(draft: Draft): void {
    this.draft = draft;
    this.caret = [draft.start, draft.end];
    this.#redraw();
  }
}
