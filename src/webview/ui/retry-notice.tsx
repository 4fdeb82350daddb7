import type { SessionId } from '#protocol/ids';
import type { TurnItem } from '#protocol/turn';
import { t } from '#webview/text/words';
import { Button } from './buttons';
import { useCountdown } from './elapsed';
import { NoticeBox } from './notice';
import { usePort } from './port';

/** The provider asked to wait. Seconds are seen, not spoken. */
export function RetryNotice({
  item,
  sessionId,
}: {
  readonly item: Extract<TurnItem, { kind: 'retry' }>;
  readonly sessionId: SessionId;
}) {
  const { post } = usePort();
  const seconds = useCountdown(item.until);
  const words = t(
    'Trying again in {0} s, attempt {1} of {2}. Nothing was lost.',
    seconds,
    item.attempt,
    item.attempts,
  );
  return (
    <NoticeBox
      icon="clockface"
      role="status"
      title={t('Waiting for the model')}
      detail={
        <>
          <span class="numbers" aria-hidden="true">
            {words}
          </span>
          <span class="sr-only">
            {t('Waiting for attempt {0} of {1}. Nothing was lost.', item.attempt, item.attempts)}
          </span>
          <div class="say">{item.reason}</div>
        </>
      }
    >
      <Button onPress={() => post({ type: 'stop', sessionId })}>{t('Stop')}</Button>
    </NoticeBox>
  );
}
