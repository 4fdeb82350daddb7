import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FoundInHistory } from '#protocol/history';
import type { PanelState } from '#protocol/panel-state';
import { ago } from '#webview/text/durations';
import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { Icon } from './icon';
import { usePort } from './port';

interface RowProps {
  readonly entry: FoundInHistory;
  readonly state: PanelState;
  /** The row that Tab comes to. */
  readonly first: boolean;
}

/** One session, or one place in it. Enter opens, with Ctrl in a tab of the editor area, F2 renames, Delete deletes; the same stands as buttons at its end. */
export function SessionRow({ entry, state, first }: RowProps) {
  const { post } = usePort();
  const [naming, setNaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { sessionId, title, folder, turn, snippet } = entry;
  const here = folder === undefined;
  const at = { sessionId, ...(turn === undefined ? {} : { turn }) };
  const open = (inTab: boolean) => post({ type: inTab && here ? 'open-tab' : 'open-session', ...at });
  const done = (given?: string) => {
    setNaming(false);
    if (given !== undefined && given !== title) post({ type: 'rename-session', sessionId, title: given });
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (naming) return <Rename title={title} onDone={done} />;
  return (
    <li class={sessionId === state.sessionId ? 'session is-shown' : 'session'} data-session={sessionId}>
      <button
        ref={opener}
        type="button"
        class="session-open"
        tabIndex={first ? 0 : -1}
        aria-current={sessionId === state.sessionId}
        title={folder ?? title}
        onClick={(event) => open(event.ctrlKey || event.metaKey)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) open(true);
          else if (event.key === 'F2' && here) setNaming(true);
          else if (event.key === 'Delete' && here) post({ type: 'delete-session', sessionId });
          else return;
          event.preventDefault();
        }}
      >
        <span class="session-line">
          <Icon {...iconOf(entry, state)} />
          <span class="row-label">{title}</span>
          <span class="session-when">{whenOf(entry, state)}</span>
        </span>
        {entry.kind !== 'title' && <Snippet parts={snippet} />}
        {!here && <span class="session-snippet">{folder}</span>}
      </button>
      {here && <RowButtons entry={entry} onRename={() => setNaming(true)} />}
    </li>
  );
}

/** Words around what was searched for, which is marked. */
function Snippet({ parts }: { readonly parts: FoundInHistory['snippet'] }) {
  if (parts.length === 0) return null;
  return (
    <span class="session-snippet">
      {parts.map((part, index) =>
        part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
      )}
    </span>
  );
}

interface RowButtonsProps {
  readonly entry: FoundInHistory;
  readonly onRename: () => void;
}

/** What can be done with a session of this folder. */
function RowButtons({ entry: { sessionId, turn, archived }, onRename }: RowButtonsProps) {
  const { post } = usePort();
  return (
    <span class="session-actions">
      <IconButton
        icon="go-to-file"
        label={t('Open in an Editor Tab')}
        testId="session-tab"
        onPress={() => post({ type: 'open-tab', sessionId, ...(turn === undefined ? {} : { turn }) })}
      />
      <IconButton icon="edit" label={t('Rename')} testId="session-rename" onPress={onRename} />
      <IconButton
        icon={archived ? 'inbox' : 'archive'}
        label={archived ? t('Unarchive') : t('Archive')}
        testId="session-archive"
        onPress={() => post({ type: 'archive-session', sessionId, away: !archived })}
      />
      <IconButton
        icon="trash"
        label={t('Delete…')}
        testId="session-delete"
        onPress={() => post({ type: 'delete-session', sessionId })}
      />
    </span>
  );
}

/** Enter keeps, Escape and leaving don't. */
function Rename({ title, onDone }: { readonly title: string; readonly onDone: (title?: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <li class="session">
      <input
        ref={field}
        class="sessions-field sessions-rename"
        data-testid="sessions-rename"
        aria-label={t('Title of the session')}
        maxLength={200}
        defaultValue={title}
        onBlur={() => onDone()}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Escape') onDone();
          if (event.key === 'Enter') onDone(event.currentTarget.value);
        }}
      />
    </li>
  );
}

function iconOf({ sessionId, archived }: FoundInHistory, { sessions }: PanelState) {
  const live = sessions.find(({ id }) => id === sessionId);
  if (live && live.waiting > 0) return { name: 'bell', tone: 'accent' } as const;
  if (live?.running) return { name: 'loading', spin: true } as const;
  return { name: archived ? 'archive' : 'comment-discussion' } as const;
}

/** How long ago, or what it does now. */
function whenOf(entry: FoundInHistory, { sessions }: PanelState): string {
  const live = sessions.find(({ id }) => id === entry.sessionId);
  if (live && live.waiting > 0) return t('waiting for you');
  return live?.running ? t('running') : ago(Date.now() - entry.at);
}
