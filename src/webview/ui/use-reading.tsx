import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TurnPage } from '#protocol/page';
import type { Transcript } from '#protocol/transcript';
import type { TranscriptTurn } from '#protocol/turn';
import type { Reveal } from '#webview/state/model';
import { type Follow, isAtEnd, useFollow } from './follow';
import { usePort } from './port';
import { type Pages, placeOf, usePages } from './use-pages';

interface Reading extends Pick<Follow, 'scroller' | 'content' | 'hold'>, Pick<Pages, 'range' | 'onScroll'> {
  /** The turns that are here: the session's end, or a part further up. */
  readonly turns: readonly TranscriptTurn[];
  /** Something came while the reader was further up, or the end isn't here at all. */
  readonly hasNews: boolean;
  readonly toEnd: () => void;
}

/** What the log reads: the session's end, a part further up where the reader went there, and a turn that shall be shown. */
export interface Read {
  readonly transcript: Transcript;
  readonly page: TurnPage | undefined;
  readonly reveal: Reveal | undefined;
}

/** Where the reader is in a session: kept over hiding and reloading, at its end unless they went up. */
export function useReading({ transcript, page, reveal }: Read): Reading {
  const { memory, store, post } = usePort();
  const { sessionId } = transcript;
  const turns = page?.turns ?? transcript.turns;
  const { before } = page ?? transcript;
  const after = page?.after ?? 0;
  const left = useRef(memory.place(sessionId)).current;
  const whole = useRef(true);
  const { scroller, content, following, hold, ...follow } = useFollow(left === undefined, whole);
  const { range, ...pages } = usePages({
    ...{ turns, before, after, following, scroller, left, whole },
    wish: ({ place, turn }) => post({ type: 'page', sessionId, place, turn }),
    leave: () => store.leavePage(),
  });
  const toEnd = () => {
    pages.toLast();
    follow.toEnd();
  };
  const newest = transcript.turns.at(-1);
  const seen = useRef(newest?.turnId);
  useLayoutEffect(() => {
    // Whoever begins a turn wants to see it, wherever they were reading.
    if (newest?.turnId !== seen.current && newest?.status === 'running') toEnd();
    seen.current = newest?.turnId;
  }, [newest?.turnId]);
  const shown = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (!reveal || reveal.key === shown.current) return;
    shown.current = reveal.key;
    follow.stay();
    pages.goTo({ turn: reveal.turn, offset: 8 });
  }, [reveal]);
  const onScroll = () => {
    follow.onScroll();
    pages.onScroll();
    const box = scroller.current;
    if (box && !pages.isGoing())
      memory.setPlace(sessionId, isAtEnd(box) && whole.current ? undefined : placeOf(box));
  };
  const hasNews = useNews(newest, following) || after > 0;
  return { scroller, content, hold, turns, range, onScroll, hasNews, toEnd };
}

/** True once something came while the reader was further up. */
function useNews(newest: TranscriptTurn | undefined, following: boolean): boolean {
  const seen = useRef(newest);
  if (following) seen.current = newest;
  return !following && seen.current !== newest;
}
