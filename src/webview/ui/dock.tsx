import type { PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';
import { ChangesBar, TextButton } from './changes-bar';
import { Composer } from './composer';
import { NoticeBox } from './notice';
import { usePort } from './port';
import { RestoreOutcome } from './restore-outcome';
import { Todos } from './todos';

const SEVERITIES = { info: undefined, warning: 'warn', error: 'error' } as const;

/** What stays in sight while the log scrolls: answers to what the person did, todos, changed files, the composer. */
export function Dock({ model }: { readonly model: PanelModel }) {
  const { post, store } = usePort();
  const { state, transcript, outcome, notices } = model;
  const todos = transcript?.todos ?? [];
  const changed = state !== undefined && transcript !== undefined && state.changes.files > 0;
  const redo = state?.canRedo === true && transcript !== undefined && !state.elsewhere;
  return (
    <div class="dock">
      {notices.map(({ key, severity, title, detail }) => (
        <NoticeBox
          key={key}
          icon={severity}
          tone={SEVERITIES[severity]}
          role={severity === 'error' ? 'alert' : 'status'}
          title={title}
          detail={detail}
          onClose={() => store.dismissNotice(key)}
        />
      ))}
      {outcome && <RestoreOutcome outcome={outcome} />}
      {(todos.length > 0 || changed || redo) && (
        <div class="shelf">
          {transcript && todos.length > 0 && <Todos todos={todos} sessionId={transcript.sessionId} />}
          {changed && <ChangesBar state={state} transcript={transcript} />}
          {redo && (
            <div class="shelf-row">
              <span class="shelf-words">{t('Changes were undone')}</span>
              <TextButton
                icon="redo"
                label={t('Redo')}
                name={t('Redo')}
                testId="redo"
                disabled={state.running}
                onPress={() => post({ type: 'redo', sessionId: transcript.sessionId })}
              />
            </div>
          )}
        </div>
      )}
      <Composer model={model} />
    </div>
  );
}
