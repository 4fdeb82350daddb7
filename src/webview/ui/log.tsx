import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { AnsweredApproval } from '#protocol/transcript';
import { t } from '#webview/text/words';
import { HoldContext } from './fold';
import { Icon } from './icon';
import { keepOneStop, onLogKey } from './log-keys';
import { usePort } from './port';
import { Turn } from './turn';
import { type Read, useReading } from './use-reading';

interface LogProps extends Read {
  readonly interrupted: boolean;
  /** Another window runs the session. */
  readonly elsewhere: boolean;
  /** Something runs in the session, perhaps between two turns. */
  readonly busy: boolean;
}

/** The conversation. Each session's log is a component of its own, by its key, so nothing is carried over. */
export function Log({ interrupted, elsewhere, busy, ...read }: LogProps) {
  const { transcript, page } = read;
  const { post } = usePort();
  const { scroller, content, hold, turns, range, onScroll, hasNews, toEnd } = useReading(read);
  const approvals = useMemo(
    () => Map.groupBy((page ?? transcript).approvals, (each) => each.turnId),
    [(page ?? transcript).approvals],
  );
  useLayoutEffect(() => keepOneStop(content.current));
  return (
    <div class="stage">
      <div
        class="log"
        ref={scroller}
        role="log"
        aria-live="polite"
        aria-relevant="additions"
        aria-label={t('Conversation')}
        onScroll={onScroll}
        onKeyDown={(event) => onLogKey(event, post)}
      >
        <div class="log-content" ref={content}>
          <HoldContext.Provider value={hold}>
            {turns.slice(range.start, range.end).map((turn) => (
              <Turn
                key={turn.turnId}
                turn={turn}
                sessionId={transcript.sessionId}
                approvals={approvals.get(turn.turnId) ?? NONE}
                last={turn === transcript.turns.at(-1)}
                interrupted={interrupted}
                elsewhere={elsewhere}
                busy={busy && turn === transcript.turns.at(-1)}
              />
            ))}
          </HoldContext.Provider>
        </div>
      </div>
      {hasNews && <NewBelow onPress={toEnd} />}
    </div>
  );
}

const NONE: readonly AnsweredApproval[] = [];

function NewBelow({ onPress }: { readonly onPress: () => void }) {
  return (
    <button type="button" class="button new-below" data-testid="new-below" onClick={onPress}>
      <Icon name="arrow-down" />
      <span>{t('New below')}</span>
    </button>
  );
}
