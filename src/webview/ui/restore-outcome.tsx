import { useState } from 'preact/hooks';
import type { ConflictChoice, ConflictChoices } from '#protocol/checkpoint';
import { chosen, type Decided, isDecided, overwritten, withChoice } from '#webview/state/decided';
import type { Outcome } from '#webview/state/model';
import { counted, t } from '#webview/text/words';
import { Button } from './buttons';
import { ConflictRow } from './conflict-row';
import { NoticeBox } from './notice';
import { usePort } from './port';

/** An undo that found files which are no longer as Belay left them: nothing happened, each is listed with its cause. */
export function RestoreOutcome({ outcome }: { readonly outcome: Outcome }) {
  const { store } = usePort();
  const [decided, setDecided] = useState<Decided>({});
  const { conflicts, retry } = outcome;
  const choose = (path: string, choice: ConflictChoice) =>
    setDecided(withChoice(decided, conflicts, path, choice));
  return (
    <NoticeBox
      icon={conflicts.length > 0 ? 'warning' : 'info'}
      tone={conflicts.length > 0 ? 'warn' : undefined}
      role="alert"
      testId="restore-outcome"
      title={outcome.title}
      detail={
        conflicts.length > 0 && (
          <ul class="conflict-list">
            {conflicts.map((conflict) => (
              <ConflictRow
                key={conflict.path}
                conflict={conflict}
                outcome={outcome}
                choice={decided[conflict.path]}
                onChoose={choose}
              />
            ))}
          </ul>
        )
      }
    >
      {conflicts.length > 0 && retry && <Ways outcome={outcome} retry={retry} decided={decided} />}
      <Button testId="close-outcome" onPress={() => store.dismissOutcome()}>
        {t('Close')}
      </Button>
    </NoticeBox>
  );
}

interface WaysProps {
  readonly outcome: Outcome;
  readonly retry: NonNullable<Outcome['retry']>;
  readonly decided: Decided;
}

/** Undoing the rest is harmless; overwriting what is there now asks once more, and names it. */
function Ways({ outcome: { sessionId, conflicts }, retry, decided }: WaysProps) {
  const { post, store } = usePort();
  const [asked, setAsked] = useState<ConflictChoices | undefined>();
  const send = (choices: ConflictChoices) => {
    post({ type: 'undo', sessionId, ...retry, onConflict: 'stop', choices: { ...choices } });
    store.dismissOutcome();
  };
  const go = (rest: ConflictChoice) => () => {
    const choices = chosen(conflicts, decided, rest);
    if (overwritten(choices).length > 0) setAsked(choices);
    else send(choices);
  };
  if (asked) return <Sure choices={asked} onSure={() => send(asked)} onBack={() => setAsked(undefined)} />;
  if (isDecided(conflicts, decided))
    return (
      <Button primary testId="undo-decided" onPress={go('skip')}>
        {t('Undo')}
      </Button>
    );
  const isAny = Object.keys(decided).length > 0;
  const canOverwrite = conflicts.some(({ path, fixed }) => !fixed && decided[path] === undefined);
  return (
    <>
      <Button testId="skip-conflicts" onPress={go('skip')}>
        {isAny ? t('Skip the Rest') : t('Skip These')}
      </Button>
      {canOverwrite && (
        <Button testId="overwrite-conflicts" onPress={go('overwrite')}>
          {isAny ? t('Overwrite the Rest…') : t('Overwrite These…')}
        </Button>
      )}
    </>
  );
}

interface SureProps {
  readonly choices: ConflictChoices;
  readonly onSure: () => void;
  readonly onBack: () => void;
}

function Sure({ choices, onSure, onBack }: SureProps) {
  const lost = overwritten(choices);
  return (
    <>
      <div class="say">
        {counted(
          lost.length,
          'What is in this file now will be replaced; Redo brings it back:',
          'What is in these {0} files now will be replaced; Redo brings it back:',
        )}{' '}
        <span class="mono">{lost.join(', ')}</span>
      </div>
      <Button testId="overwrite-sure" onPress={onSure}>
        {t('Overwrite')}
      </Button>
      <Button onPress={onBack}>{t('Back')}</Button>
    </>
  );
}
