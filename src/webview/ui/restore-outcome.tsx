import { useState } from 'preact/hooks';
import type { Outcome } from '#webview/state/model';
import { counted, t } from '#webview/text/words';
import { Button } from './buttons';
import { NoticeBox } from './notice';
import { usePort } from './port';

/** An undo that found files which are no longer as Belay left them: nothing happened, each is listed with its cause. */
export function RestoreOutcome({ outcome }: { readonly outcome: Outcome }) {
  const { post, store } = usePort();
  const [sure, setSure] = useState(false);
  const { sessionId, retry, conflicts } = outcome;
  const again = (onConflict: 'skip' | 'overwrite') => () => {
    if (retry) post({ type: 'undo', sessionId, turn: retry.turn, scope: retry.scope, onConflict });
    store.dismissOutcome();
  };
  const close = () => store.dismissOutcome();
  return (
    <NoticeBox
      icon={conflicts.length > 0 ? 'warning' : 'info'}
      tone={conflicts.length > 0 ? 'warn' : undefined}
      role="alert"
      testId="restore-outcome"
      title={outcome.title}
      detail={<Conflicts outcome={outcome} />}
    >
      {retry && conflicts.length > 0 && !sure && (
        <>
          <Button testId="skip-conflicts" onPress={again('skip')}>
            {t('Skip These')}
          </Button>
          <Button testId="overwrite-conflicts" onPress={() => setSure(true)}>
            {t('Overwrite These…')}
          </Button>
        </>
      )}
      {sure && (
        <>
          <div class="say">
            {counted(
              conflicts.length,
              'What is in this file now will be replaced.',
              'What is in these {0} files now will be replaced.',
            )}
          </div>
          <Button testId="overwrite-sure" onPress={again('overwrite')}>
            {t('Overwrite')}
          </Button>
        </>
      )}
      <Button testId="close-outcome" onPress={close}>
        {t('Close')}
      </Button>
    </NoticeBox>
  );
}

function Conflicts({ outcome }: { readonly outcome: Outcome }) {
  const { post } = usePort();
  const { conflicts, retry, sessionId } = outcome;
  if (conflicts.length === 0) return null;
  return (
    <ul class="conflict-list">
      {conflicts.map(({ path, why }) => (
        <li key={path} data-testid="conflict">
          {retry ? (
            <button
              type="button"
              class="text-link mono"
              onClick={() => post({ type: 'open-diff', sessionId, turn: retry.turn, path, against: 'now' })}
            >
              {path}
            </button>
          ) : (
            <span class="mono">{path}</span>
          )}
          <span class="say">{why}</span>
        </li>
      ))}
    </ul>
  );
}
