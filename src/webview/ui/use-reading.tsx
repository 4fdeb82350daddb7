import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Transcript } from '#protocol/transcript';
import { type Follow, isAtEnd, useFollow } from './follow';
import { usePort } from './port';
import { type Pages, placeOf, usePages } from './use-pages';

interface Reading extends Pick<Follow, 'scroller' | 'content' | 'hold'>, Pick<Pages, 'range' | 'onScroll'> {
  /** Something came while the reader was further up. */
  readonly hasNews: boolean;
  readonly toEnd: () => void;
}

/** Where the reader is in a session: kept over hiding and reloading, at its end unless they went up. */
export function useReading(transcript: Transcript): Reading {
  const { memory } = usePort();
  const { sessionId, turns } = transcript;
  const left = useRef(memory.place(sessionId)).current;
  const whole = useRef(true);
  const { scroller, content, following, hold, ...follow } = useFollow(left === undefined, whole);
  const { range, ...pages } = usePages({ turns, following, scroller, left, whole });
  const toEnd = () => {
    pages.toLast();
    follow.toEnd();
  };
  const newest = turns.at(-1);
  const seen = useRef(newest?.turnId);
  useLayoutEffect(() => {
    // Whoever begins a turn wants to see it, wherever they were reading.
    if (newest?.turnId !== seen.current && newest?.status === 'running') toEnd();
    seen.current = newest?.turnId;
  }, [newest?.turnId]);
  const onScroll = () => {
    follow.onScroll();
    pages.onScroll();
    const box = scroller.current;
    if (box) memory.setPlace(sessionId, isAtEnd(box) && whole.current ? undefined : placeOf(box));
  };
  return { scroller, content, hold, range, onScroll, hasNews: useNews(transcript, following), toEnd };
}

/** True once something came while the reader was further up. */
function useNews(transcript: Transcript, following: boolean): boolean {
  const seen = useRef(transcript.turns);
  if (following) seen.current = transcript.turns;
  return !following && seen.current !== transcript.turns;
}
