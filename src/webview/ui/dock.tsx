import type { SessionId } from '#protocol/ids';
import type { Notice, PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';
import { BackgroundStrip } from './background-strip';
import { TextButton } from './buttons';
import { ChangesBar } from './changes-bar';
import { Composer } from './composer';
import { NoticeBox } from './notice';
import { usePort } from './port';
import { RestoreOutcome } from './restore-outcome';
import { Todos } from './todos';

/** What stays in sight while the log scrolls: answers to what the person did, todos, changed files, the composer. */
export function Dock({ model }: { readonly model: PanelModel }) {
  return (
    <div class="dock">
      <Notices notices={model.notices} />
      {model.outcome && <RestoreOutcome outcome={model.outcome} />}
      <Shelf model={model} />
      <Composer model={model} />
    </div>
  );
}

const TONES = { info: undefined, warning: 'warn', error: 'error' } as const;

function Notices({ notices }: { readonly notices: readonly Notice[] }) {
  const { store } = usePort();
  return (
    <>
      {notices.map(({ key, severity, title, detail }) => (
        <NoticeBox
          key={key}
          icon={severity}
          tone={TONES[severity]}
          role={severity === 'error' ? 'alert' : 'status'}
          title={title}
          detail={detail}
          onClose={() => store.dismissNotice(key)}
        />
      ))}
    </>
  );
}

function Shelf({ model: { state, transcript } }: { readonly model: PanelModel }) {
  if (!state || !transcript) return null;
  const { sessionId, todos } = transcript;
  const changed = state.changes.files > 0;
  const redo = (state.canRedo || state.canRedoFiles) && !state.elsewhere;
  const { background } = state;
  if (todos.length === 0 && background.length === 0 && !changed && !redo) return null;
  return (
    <div class="shelf">
      {todos.length > 0 && <Todos todos={todos} sessionId={sessionId} />}
      {background.length > 0 && <BackgroundStrip rows={background} sessionId={sessionId} />}
      {changed && <ChangesBar state={state} transcript={transcript} />}
      {redo && <Redo sessionId={sessionId} running={state.running} whole={state.canRedo} />}
    </div>
  );
}

interface RedoProps {
  readonly sessionId: SessionId;
  readonly running: boolean;
  /** False: the conversation has gone another way, the files can come back without it. */
  readonly whole: boolean;
}

function Redo({ sessionId, running, whole }: RedoProps) {
  const { post } = usePort();
  const words = whole ? t('Redo') : t('Redo Files');
  return (
    <div class="shelf-row">
      <span class="shelf-words">{t('Changes were undone')}</span>
      <TextButton
        icon="redo"
        words={words}
        label={words}
        testId="redo"
        disabled={running}
        onPress={() => post({ type: 'redo', sessionId, ...(whole ? {} : { scope: 'files' }) })}
      />
    </div>
  );
}
