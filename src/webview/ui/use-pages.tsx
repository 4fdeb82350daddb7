import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TranscriptTurn } from '#protocol/turn';
import type { Place } from '#webview/state/memory';
import { earlier, grown, lastPage, later, pageAround, type Range } from '#webview/state/pages';

/** Pixels from an edge of the page at which the next turns are fetched. */
const NEAR = 400;

/** The part of a session that is drawn. */
export interface Pages {
  readonly range: Range;
  /** Called when the reader has scrolled. */
  readonly onScroll: () => void;
  readonly toLast: () => void;
}

interface PagesWorld {
  readonly turns: readonly TranscriptTurn[];
  readonly following: boolean;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Where the reader was when the page went away. */
  readonly left: Place | undefined;
  /** Set here: whether the page reaches the session's end. */
  readonly whole: RefObject<boolean>;
}

/** Which turns are in the page. The others come when the reader nears an edge, and what is read stays where it is. */
export function usePages({ turns, following, scroller, left, whole }: PagesWorld): Pages {
  const [range, setRange] = useState(() => (left ? pageAround(turns, left.turn) : lastPage(turns)));
  const before = useRef(turns.length);
  const shown = grown(turns, range, before.current, following);
  before.current = turns.length;
  whole.current = shown.end === turns.length;
  const held = useRef<Place | undefined>(undefined);
  useLayoutEffect(() => {
    if (shown.start !== range.start || shown.end !== range.end) setRange(shown);
    // The browser's own anchoring rests at the very top, where more is put above what is read.
    if (held.current && scroller.current) putBack(scroller.current, held.current);
    held.current = undefined;
  });
  useEffect(() => {
    if (left && scroller.current) putBack(scroller.current, left);
  }, []);
  const turnTo = (next: Range) => {
    held.current = scroller.current ? placeOf(scroller.current) : undefined;
    setRange(next);
  };
  return {
    range: shown,
    onScroll: () => {
      const box = scroller.current;
      if (!box) return;
      const below = box.scrollHeight - box.scrollTop - box.clientHeight;
      if (box.scrollTop < NEAR && shown.start > 0) turnTo(earlier(turns, shown));
      else if (below < NEAR && shown.end < turns.length) turnTo(later(turns, shown));
    },
    toLast: () => setRange(lastPage(turns)),
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
