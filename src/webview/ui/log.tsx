import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AnsweredApproval, Transcript } from '#protocol/transcript';
import { earlier, grown, lastPage, later, pageAround } from '#webview/state/pages';
import { t } from '#webview/text/words';
import { HoldContext } from './fold';
import { useFollow } from './follow';
import { Icon } from './icon';
import { keepOneStop, onLogKey } from './log-keys';
import { usePort } from './port';
import { Turn } from './turn';

interface LogProps {
  readonly transcript: Transcript;
  readonly interrupted: boolean;
}

/** The conversation. One session's log is one component: another session is another key, so nothing is carried over. */
export function Log({ transcript, interrupted }: LogProps) {
  const { memory, post } = usePort();
  const { sessionId, turns } = transcript;
  const left = useRef(memory.place(sessionId));
  const follow = useFollow(left.current === undefined);
  const pages = usePages(transcript, follow.following, left.current?.turn);
  const approvals = useMemo(() => byTurn(transcript.approvals), [transcript.approvals]);
  const news = useNews(transcript, follow.following);
  useRestoredPlace(follow.scroller, left.current);
  useLayoutEffect(() => keepOneStop(follow.content.current));
  const onScroll = () => {
    follow.onScroll();
    const box = follow.scroller.current;
    if (!box) return;
    if (box.scrollTop < 400) pages.earlier();
    if (box.scrollHeight - box.scrollTop - box.clientHeight < 400) pages.later();
    memory.setPlace(sessionId, placeOf(box));
  };
  const { start, end } = pages.range;
  return (
    <div class="stage">
      <div
        class="log"
        ref={follow.scroller}
        onScroll={onScroll}
        role="log"
        aria-live="polite"
        aria-relevant="additions"
        aria-label={t('Conversation')}
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
        <button
          type="button"
          class="button new-below"
          data-testid="new-below"
          onClick={() => {
            pages.last();
            follow.toEnd();
          }}
        >
          <Icon name="arrow-down" />
          <span>{t('New below')}</span>
        </button>
      )}
    </div>
  );
}

const NONE: readonly AnsweredApproval[] = [];

function byTurn(approvals: readonly AnsweredApproval[]): ReadonlyMap<string, readonly AnsweredApproval[]> {
  return Map.groupBy(approvals, (approval) => approval.turnId);
}

/** Which turns are in the page; the others come when the reader nears an edge. */
function usePages({ turns }: Transcript, following: boolean, startAt: number | undefined) {
  const [range, setRange] = useState(() =>
    startAt === undefined ? lastPage(turns) : pageAround(turns, startAt),
  );
  const before = useRef(turns.length);
  const shown = grown(turns, range, before.current, following);
  before.current = turns.length;
  const changed = shown.start !== range.start || shown.end !== range.end;
  useLayoutEffect(() => {
    if (changed) setRange(shown);
  });
  return {
    range: shown,
    earlier: () => shown.start > 0 && setRange(earlier(turns, shown)),
    later: () => shown.end < turns.length && setRange(later(turns, shown)),
    last: () => setRange(lastPage(turns)),
  };
}

/** True once something came while the reader was further up. */
function useNews(transcript: Transcript, following: boolean): boolean {
  const seen = useRef(transcript.turns);
  if (following) seen.current = transcript.turns;
  return seen.current !== transcript.turns;
}

function useRestoredPlace(
  scroller: { current: HTMLDivElement | null },
  place: { readonly turn: number; readonly offset: number } | undefined,
): void {
  useEffect(() => {
    const box = scroller.current;
    const turn = place && box?.querySelector(`[data-turn="${place.turn}"]`);
    if (box && turn)
      box.scrollTop += turn.getBoundingClientRect().top - box.getBoundingClientRect().top - place.offset;
  }, []);
}

/** The first turn in sight and where it lies; undefined at the end. */
function placeOf(box: HTMLElement): { readonly turn: number; readonly offset: number } | undefined {
  if (box.scrollHeight - box.scrollTop - box.clientHeight <= 4) return undefined;
  const top = box.getBoundingClientRect().top;
  for (const turn of box.querySelectorAll<HTMLElement>('[data-turn]')) {
    const rect = turn.getBoundingClientRect();
    if (rect.bottom > top) return { turn: Number(turn.dataset['turn']), offset: Math.round(rect.top - top) };
  }
  return undefined;
}
