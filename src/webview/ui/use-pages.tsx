import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageWish } from '#protocol/page';
import type { TranscriptTurn } from '#protocol/turn';
import type { Place } from '#webview/state/memory';
import { earlier, grown, lastPage, later, pageAround, type Range, shifted } from '#webview/state/pages';

/** Pixels from an edge of the page at which the next turns are fetched. */
const NEAR = 400;

/** The part of a session that is drawn. */
export interface Pages {
  readonly range: Range;
  /** Called when the reader has scrolled. */
  readonly onScroll: () => void;
  readonly toLast: () => void;
  /** Shows a turn, fetching it where it isn't here. */
  readonly goTo: (place: Place) => void;
  /** A turn is on its way. */
  readonly isGoing: () => boolean;
}

interface PagesWorld {
  /** The turns that are here, in a row, and how many of the session come before and after them. */
  readonly turns: readonly TranscriptTurn[];
  readonly before: number;
  readonly after: number;
  readonly following: boolean;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Where the reader was when the page went away. */
  readonly left: Place | undefined;
  /** Set here: whether the page reaches the session's end. */
  readonly whole: RefObject<boolean>;
  /** Asks for turns that are not here. */
  readonly wish: (wish: PageWish) => void;
  /** Goes back to the session's end, where what is here lies further up. */
  readonly leave: () => void;
}

/** Which turns are in the page. The others come when the reader nears an edge, and what is read stays where it is. */
export function usePages(world: PagesWorld): Pages {
  const { turns, before, after, scroller, left, whole, leave } = world;
  const [range, setRange] = useState(() => (left ? pageAround(turns, left.turn) : lastPage(turns)));
  const held = useRef<Place | undefined>(undefined);
  const target = useTarget(world);
  const wish = useWish(world);
  const { shown, came } = useShown(world, range);
  if (came && !target.place) held.current = scroller.current ? placeOf(scroller.current) : undefined;
  whole.current = after === 0 && shown.end === turns.length;
  useLayoutEffect(() => {
    if (shown.start !== range.start || shown.end !== range.end) setRange(shown);
    // The browser's own anchoring rests at the very top, where more is put above what is read.
    if (held.current && scroller.current) putBack(scroller.current, held.current);
    held.current = undefined;
    target.reach(shown, setRange);
  });
  const turnTo = (next: Range) => {
    held.current = scroller.current ? placeOf(scroller.current) : undefined;
    setRange(next);
  };
  return {
    range: shown,
    onScroll: () => {
      const box = scroller.current;
      if (!box || target.place) return;
      const below = box.scrollHeight - box.scrollTop - box.clientHeight;
      if (box.scrollTop < NEAR && shown.start > 0) turnTo(earlier(turns, shown));
      else if (box.scrollTop < NEAR && before > 0) wish('before', turns[0]);
      else if (below < NEAR && shown.end < turns.length) turnTo(later(turns, shown));
      else if (below < NEAR && after > 0) wish('after', turns.at(-1));
    },
    toLast: () => {
      target.place = undefined;
      if (after > 0) leave();
      else setRange(lastPage(turns));
    },
    goTo: (place) => {
      target.place = place;
      target.reach(shown, setRange);
    },
    isGoing: () => target.place !== undefined,
  };
}

/** The part shown after turns have come: above, below, at the end, or other ones altogether. `came`: something stands above what is read. */
function useShown({ turns, after, following }: PagesWorld, range: Range): { shown: Range; came: boolean } {
  const last = useRef({ turns, after });
  const { turns: known, after: knownAfter } = last.current;
  last.current = { turns, after };
  if (turns === known) return { shown: range, came: false };
  const shift = shifted(known, turns);
  if (shift === undefined) return { shown: lastPage(turns), came: false };
  const moved = { start: Math.max(0, range.start + shift), end: Math.max(0, range.end + shift) };
  if (shift > 0) return { shown: moved.start === shift ? earlier(turns, moved) : moved, came: true };
  const atEnd = moved.end >= known.length + shift;
  if (knownAfter > 0) return { shown: atEnd ? later(turns, moved) : moved, came: true };
  return { shown: grown(turns, moved, known.length + shift, following), came: shift !== 0 };
}

/** Asks once for each page. */
function useWish({ wish }: PagesWorld): (place: PageWish['place'], turn: TranscriptTurn | undefined) => void {
  const asked = useRef<TranscriptTurn | undefined>(undefined);
  return (place, turn) => {
    if (!turn || asked.current === turn) return;
    asked.current = turn;
    wish({ place, turn: turn.turn });
  };
}

/** A turn that shall come into sight. It is asked for where it isn't here; one that can't be had is given up. */
function useTarget({ turns, before, after, scroller, left, wish }: PagesWorld) {
  const target = useRef({ place: left, asked: undefined as readonly TranscriptTurn[] | undefined });
  return {
    get place() {
      return target.current.place;
    },
    set place(place: Place | undefined) {
      target.current = { place, asked: undefined };
    },
    reach(shown: Range, setRange: (range: Range) => void): void {
      const { place, asked } = target.current;
      if (!place) return;
      const index = turns.findIndex(({ turn }) => turn === place.turn);
      const canCome = before > 0 || after > 0;
      if (index < 0 && canCome && asked === undefined) {
        target.current.asked = turns;
        wish({ place: 'around', turn: place.turn });
      } else if (index < 0 && (!canCome || asked !== turns)) target.current.place = undefined;
      else if (index >= 0 && (index < shown.start || index >= shown.end))
        setRange(pageAround(turns, place.turn));
      else if (index >= 0 && scroller.current) {
        putBack(scroller.current, place);
        target.current.place = undefined;
      }
    },
  };
}

/** The first turn in sight and where it lies. */
export function placeOf(box: HTMLElement): Place | undefined {
  const top = box.getBoundingClientRect().top;
  for (const turn of box.querySelectorAll<HTMLElement>('[data-turn]')) {
    const rect = turn.getBoundingClientRect();
    if (rect.bottom > top) return { turn: Number(turn.dataset['turn']), offset: Math.round(rect.top - top) };
  }
  return undefined;
}

function putBack(box: HTMLElement, place: Place): void {
  const turn = box.querySelector(`[data-turn="${place.turn}"]`);
  if (turn)
    box.scrollTop += turn.getBoundingClientRect().top - box.getBoundingClientRect().top - place.offset;
}
