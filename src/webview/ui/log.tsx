import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { AnsweredApproval, Transcript } from '#protocol/transcript';
import { t } from '#webview/text/words';
import { HoldContext } from './fold';
import { isAtEnd, useFollow } from './follow';
import { Icon } from './icon';
import { keepOneStop, onLogKey } from './log-keys';
import { usePort } from './port';
import { Turn } from './turn';
import { placeOf, usePages } from './use-pages';

interface LogProps {
  readonly transcript: Transcript;
  readonly interrupted: boolean;
}

/** The conversation. Each session's log is a component of its own, by its key, so nothing is carried over. */
export function Log({ transcript, interrupted }: LogProps) {
  const { memory, post } = usePort();
  const { sessionId, turns } = transcript;
  const left = useRef(memory.place(sessionId)).current;
  const whole = useRef(true);
  const follow = useFollow(left === undefined, whole);
  const pages = usePages({ turns, following: follow.following, scroller: follow.scroller, left, whole });
  const approvals = useMemo(
    () => Map.groupBy(transcript.approvals, (each) => each.turnId),
    [transcript.approvals],
  );
  const news = useNews(transcript, follow.following);
  useLayoutEffect(() => keepOneStop(follow.content.current));
  const onScroll = () => {
    follow.onScroll();
    pages.onScroll();
    const box = follow.scroller.current;
    if (box) memory.setPlace(sessionId, isAtEnd(box) && whole.current ? undefined : placeOf(box));
  };
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
  const { start, end } = pages.range;
  return (
    <div class="stage">
      <div
        class="log"
        ref={follow.scroller}
        role="log"
        aria-live="polite"
        aria-relevant="additions"
        aria-label={t('Conversation')}
        onScroll={onScroll}
        onKeyDown={(event) => onLogKey(event, post)}
      >
        <div class="log-content" ref={follow.content}>
          <HoldContext.Provider value={follow.hold}>
            {turns.slice(start, end).map((turn) => (
              <Turn
                key={turn.turnId}
                turn={turn}
                sessionId={sessionId}
                approvals={approvals.get(turn.turnId) ?? NONE}
                last={turn === turns.at(-1)}
                interrupted={interrupted}
              />
            ))}
          </HoldContext.Provider>
        </div>
      </div>
      {!follow.following && news && (
        <button type="button" class="button new-below" data-testid="new-below" onClick={toEnd}>
          <Icon name="arrow-down" />
          <span>{t('New below')}</span>
        </button>
      )}
    </div>
  );
}

const NONE: readonly AnsweredApproval[] = [];

/** True once something came while the reader was further up. */
function useNews(transcript: Transcript, following: boolean): boolean {
  const seen = useRef(transcript.turns);
  if (following) seen.current = transcript.turns;
  return seen.current !== transcript.turns;
}
