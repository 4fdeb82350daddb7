import { useLayoutEffect, useState } from 'preact/hooks';
import type { PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';
import { Announcer } from './announcer';
import { Button } from './buttons';
import { Dock } from './dock';
import { Empty } from './empty';
import { Gone } from './gone';
import { Log } from './log';
import { ChooseFolder, NoFolder } from './no-folder';
import { NoticeBox } from './notice';
import { usePort } from './port';
import { SessionsView } from './sessions-view';

/** The whole panel, drawn from the model once per frame. */
export function App() {
  const { store, memory } = usePort();
  const [, redraw] = useState(0);
  useLayoutEffect(() => store.subscribe(() => redraw((n) => n + 1)), []);
  const model = store.model;
  // Before the composer is drawn for it: a draft without a session goes along into the first one.
  if (model.state) memory.enter(model.state.sessionId ?? '', wasSaid(model));
  return (
    <main class="panel">
      <StandingNotice model={model} />
      <Stage model={model} />
      <Dock model={model} />
      <Announcer transcript={model.transcript} />
    </main>
  );
}

/** Something was said in the session shown. */
function wasSaid({ transcript }: PanelModel): boolean {
  return transcript !== undefined && transcript.turns.length > 0;
}

function Stage({ model }: { readonly model: PanelModel }) {
  const { state, transcript, page, reveal } = model;
  const { store } = usePort();
  if (!state) return <div class="stage" />;
  if (state.problem) return <Problem title={state.problem.title} detail={state.problem.detail} />;
  if (state.folder.kind === 'none') return <NoFolder />;
  if (state.folder.kind === 'choose') return <ChooseFolder names={state.folder.names} />;
  if (state.gone) return <Gone {...state.gone} />;
  if (model.sessionsWishes > 0) return <SessionsView model={model} state={state} />;
  if (transcript && transcript.turns.length > 0)
    return (
      <Log
        key={transcript.sessionId}
        transcript={transcript}
        page={page}
        reveal={reveal?.sessionId === transcript.sessionId ? reveal : undefined}
        interrupted={state.interrupted}
        elsewhere={state.elsewhere}
        busy={state.running}
      />
    );
  const suggest = (text: string) => {
    store.receive({ type: 'insert-text', text });
    store.receive({ type: 'focus-composer' });
  };
  return <Empty state={state} onSuggestion={suggest} />;
}

function Problem({ title, detail }: { readonly title: string; readonly detail: string }) {
  const { post } = usePort();
  return (
    <div class="stage">
      <div class="log">
        <div class="log-content">
          <NoticeBox icon="error" tone="error" role="alert" title={title} detail={detail}>
            <Button onPress={() => post({ type: 'action', action: 'try-again' })}>{t('Try Again')}</Button>
            <Button onPress={() => post({ type: 'action', action: 'show-log' })}>{t('Show Log')}</Button>
          </NoticeBox>
        </div>
      </div>
    </div>
  );
}

/** What holds for the whole session, above everything: the folder isn't trusted, or another window runs it. */
function StandingNotice({ model: { state } }: { readonly model: PanelModel }) {
  const { post } = usePort();
  if (state?.folder.kind !== 'open' || state.problem) return null;
  if (!state.trusted)
    return (
      <div class="standing">
        <NoticeBox
          icon="workspace-untrusted"
          role="status"
          title={t('Restricted Mode')}
          detail={t(
            'Belay can read this folder but not change it or run commands. Its project settings and rules files are not read.',
          )}
        >
          <Button onPress={() => post({ type: 'action', action: 'manage-trust' })}>
            {t('Manage Workspace Trust')}
          </Button>
        </NoticeBox>
      </div>
    );
  if (!state.elsewhere) return null;
  return (
    <div class="standing">
      <NoticeBox
        icon="window"
        role="status"
        title={t('This session runs in another window')}
        detail={t('You can read along. Taking over stops its turn there; changed files are kept.')}
      >
        <Button onPress={() => post({ type: 'action', action: 'take-over', sessionId: state.sessionId })}>
          {t('Take Over')}
        </Button>
      </NoticeBox>
    </div>
  );
}
