import { useState } from 'preact/hooks';
import type { Outcome } from '#webview/state/model';
import { counted, t } from '#webview/text/words';
import { Button } from './buttons';
import { NoticeBox } from './notice';
import { usePort } from './port';

/** An undo that found files which are no longer as Belay left them: nothing happened, each is listed with its cause. */
export function RestoreOutcome({ outcome }: { readonly outcome: Outcome }) {
  const { store } = usePort();
  const conflict = outcome.conflicts.length > 0;
  return (
    <NoticeBox
      icon={conflict ? 'warning' : 'info'}
      tone={conflict ? 'warn' : undefined}
      role="alert"
      testId="restore-outcome"
      title={outcome.title}
      detail={<Conflicts outcome={outcome} />}
    >
      {conflict && outcome.retry && <Ways outcome={outcome} retry={outcome.retry} />}
      <Button testId="close-outcome" onPress={() => store.dismissOutcome()}>
        {t('Close')}
      </Button>
    </NoticeBox>
  );
}

interface WaysProps {
  readonly outcome: Outcome;
  readonly retry: NonNullable<Outcome['retry']>;
}

/** Undoing the rest is harmless; overwriting what is there now asks once more. */
function Ways({ outcome: { sessionId, conflicts }, retry }: WaysProps) {
  const { post, store } = usePort();
  const [sure, setSure] = useState(false);
  const again = (onConflict: 'skip' | 'overwrite') => () => {
    post({ type: 'undo', sessionId, ...retry, onConflict });
    store.dismissOutcome();
  };
  if (!sure)
    return (
      <>
        <Button testId="skip-conflicts" onPress={again('skip')}>
          {t('Skip These')}
        </Button>
        <Button testId="overwrite-conflicts" onPress={() => setSure(true)}>
          {t('Overwrite These…')}
        </Button>
      </>
    );
  return (
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
