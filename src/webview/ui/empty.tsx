import type { PanelState, SessionSummary } from '#protocol/panel-state';
import type { ToHost } from '#protocol/wire';
import { ago } from '#webview/text/durations';
import { t } from '#webview/text/words';
import { usePort } from './port';
import { Center, Group, Row } from './welcome';

const SHOWN_SESSIONS = 5;
/** The icon is a hint by the words; without one it is a bulb. */
const SUGGESTION_ICONS: readonly (readonly [RegExp, string])[] = [
  [/\btests?\b/i, 'beaker'],
  [/\bproblems?\b|\berrors?\b/i, 'warning'],
  [/\buncommitted\b|\bcommits?\b/i, 'source-control'],
  [/\bsearch\b|\bfind\b/i, 'search'],
  [/\bread\b|\bexplain\b/i, 'book'],
];

/** A session without a message: what Belay does here, with which model, and where to begin. */
export function Empty({
  state,
  onSuggestion,
}: {
  readonly state: PanelState;
  readonly onSuggestion: (text: string) => void;
}) {
  const { post } = usePort();
  const name = state.folder.kind === 'open' ? state.folder.name : '';
  return (
    <Center>
      <div class="empty-text">
        <h2>{state.trusted ? t('Ask for a change in {0}', name) : t('Ask about {0}', name)}</h2>
        {state.trusted && (
          <p>
            {t(
              'Belay reads, edits and runs commands in this folder. It asks before it runs anything, and every turn can be undone.',
            )}
          </p>
        )}
      </div>
      <ModelChoices state={state} />
      {state.suggestions.length > 0 && (
        <Group title={t('Suggestions for this folder')}>
          {state.suggestions.map((suggestion) => (
            <Row
              key={suggestion}
              icon={SUGGESTION_ICONS.find(([words]) => words.test(suggestion))?.[1] ?? 'lightbulb'}
              label={suggestion}
              onPress={() => onSuggestion(suggestion)}
            />
          ))}
        </Group>
      )}
      <Sessions sessions={state.sessions.filter((session) => session.id !== state.sessionId)} post={post} />
    </Center>
  );
}

function ModelChoices({ state }: { readonly state: PanelState }) {
  const { post } = usePort();
  const chosen = state.models.find((model) => model.id === state.modelId);
  return (
    <Group title={t('Model')} role="radiogroup">
      {chosen && (
        <Row
          icon="pass-filled"
          label={chosen.name}
          detail={chosen.detail}
          checked
          onPress={() => undefined}
        />
      )}
      <Row
        icon="circle-large-outline"
        label={t('Select a model…')}
        detail={t('key, local or Copilot')}
        checked={false}
        onPress={() => post({ type: 'action', action: 'pick-model', sessionId: state.sessionId })}
      />
    </Group>
  );
}

function Sessions({
  sessions,
  post,
}: {
  readonly sessions: readonly SessionSummary[];
  readonly post: (message: ToHost) => void;
}) {
  if (sessions.length === 0) return null;
  return (
    <Group title={t('Earlier sessions')} testId="session-list">
      {sessions.slice(0, SHOWN_SESSIONS).map((session) => (
        <Row
          key={session.id}
          icon={session.waiting > 0 ? 'bell' : session.running ? 'loading' : 'comment-discussion'}
          label={session.title || t('Untitled')}
          detail={sessionDetail(session)}
          onPress={() => post({ type: 'open-session', sessionId: session.id })}
        />
      ))}
      {sessions.length > SHOWN_SESSIONS && (
        <Row icon="history" label={t('Show All…')} onPress={() => post({ type: 'list-sessions' })} />
      )}
    </Group>
  );
}

function sessionDetail(session: SessionSummary): string {
  if (session.waiting > 0) return t('waiting for you');
  return session.running ? t('running') : ago(Date.now() - session.at);
}
