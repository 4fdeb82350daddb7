import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Pixels from the end within which the reader counts as being there. */
const NEAR = 4;

/** A box that scrolls, and whether its end is kept in sight. */
export interface Follow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The reader is at the end and stays there while text comes. */
  readonly following: boolean;
  readonly onScroll: () => void;
  /** Something is about to be unfolded: what is clicked must not move, so following stops unless the end is still in sight. */
  readonly hold: () => void;
  readonly toEnd: () => void;
  /** The reader goes to a place of their own. */
  readonly stay: () => void;
}

/**
 * Keeps the end in sight only for who is there. Who reads further up keeps their line: the browser's own scroll anchoring does that when
 * something above grows. Only a scroll upwards stops following; growing content never does. `whole`: the page reaches the session's end.
 */
export function useFollow(startAtEnd: boolean, whole: RefObject<boolean>): Follow {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(startAtEnd);
  const lastTop = useRef(0);
  const [following, setFollowing] = useState(startAtEnd);
  const set = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);
  const toEnd = useCallback(() => {
    set(true);
    stick(scroller.current);
  }, []);
  const stay = useCallback(() => set(false), []);
  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    if (isAtEnd(box) && whole.current) set(true);
    else if (box.scrollTop < lastTop.current) set(false);
    lastTop.current = box.scrollTop;
  }, []);
  const hold = useCallback(() => {
    if (!follows.current) return;
    follows.current = false;
    requestAnimationFrame(() => set(scroller.current ? isAtEnd(scroller.current) : true));
  }, []);
  useLayoutEffect(() => {
    if (follows.current) stick(scroller.current);
  });
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (follows.current) stick(scroller.current);
    });
    for (const box of [scroller.current, content.current]) if (box) observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { scroller, content, following, onScroll, hold, toEnd, stay };
}

/** Whether the reader is where new text comes. */
export function isAtEnd(box: HTMLElement): boolean {
  return box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR;
}

function stick(box: HTMLElement | null): void {
  if (box) box.scrollTop = box.scrollHeight;
}
