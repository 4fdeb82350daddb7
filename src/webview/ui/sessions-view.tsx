import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FoundInHistory } from '#protocol/history';
import type { PanelState } from '#protocol/panel-state';
import type { PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { Icon } from './icon';
import { usePort } from './port';
import { SessionRow } from './session-row';

/** Milliseconds of rest in typing after which is searched. */
const REST = 120;

/** All sessions of the folder over the conversation: to search, open, name, put away and throw away. */
export function SessionsView({ model, state }: { readonly model: PanelModel; readonly state: PanelState }) {
  const { store } = usePort();
  const [query, setQuery] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const [archived, setArchived] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const found = useFound(model, { query, everywhere, archived }, state);
  useLayoutEffect(() => field.current?.focus(), [model.sessionsWishes]);
  const entries = found?.found ?? (query.trim() === '' && !archived ? listed(state) : []);
  const close = () => store.hideSessions();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the list in it
    <div
      class="stage sessions"
      data-testid="sessions"
      onKeyDown={(event) => onKey(event, { list: list.current, field: field.current, close })}
    >
      <div class="sessions-head">
        <input
          ref={field}
          type="search"
          class="sessions-field"
          data-testid="sessions-search"
          aria-label={t('Search sessions')}
          placeholder={t('Search sessions')}
          maxLength={500}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <Toggle
          icon="archive"
          label={t('Archived sessions')}
          on={archived}
          onPress={() => setArchived(!archived)}
        />
        <Toggle
          icon="globe"
          label={t('Search in all folders')}
          on={everywhere}
          onPress={() => setEverywhere(!everywhere)}
        />
        <IconButton icon="close" label={t('Close')} testId="sessions-close" onPress={close} />
      </div>
      <ul class="sessions-list" ref={list} aria-label={archived ? t('Archived sessions') : t('Sessions')}>
        {entries.map((entry, index) => (
          <SessionRow
            key={`${entry.sessionId}/${entry.turn ?? ''}/${index}`}
            entry={entry}
            state={state}
            first={index === 0}
          />
        ))}
      </ul>
      <p class="sessions-note" role="status">
        {note(entries.length, { query, archived, indexing: found?.indexing ?? false })}
      </p>
    </div>
  );
}

interface Wish {
  readonly query: string;
  readonly everywhere: boolean;
  readonly archived: boolean;
}

/** What was found for the wish as it stands; undefined where nothing is looked for, or the answer isn't here yet. */
function useFound(model: PanelModel, wish: Wish, state: PanelState) {
  const { post } = usePort();
  const asked = useRef(0);
  const looks = wish.query.trim() !== '' || wish.archived;
  useEffect(() => {
    if (!looks) return;
    const timer = setTimeout(() => {
      asked.current += 1;
      post({ type: 'search-sessions', requestId: asked.current, ...wish });
    }, REST);
    return () => clearTimeout(timer);
    // The list tells of renames, archives and deletes: then what was found is looked for again.
  }, [
    wish.query,
    wish.everywhere,
    wish.archived,
    JSON.stringify(state.sessions.map(({ id, title }) => [id, title])),
  ]);
  return looks && asked.current > 0 ? model.sessionsFound?.answer : undefined;
}

function listed(state: PanelState): readonly FoundInHistory[] {
  return state.sessions.map(({ id, title, at }) => ({
    ...{ sessionId: id, title, at, kind: 'title', archived: false, snippet: [] },
    ...{ folder: undefined, turn: undefined },
  }));
}

function note(
  count: number,
  { query, archived, indexing }: Omit<Wish, 'everywhere'> & { readonly indexing: boolean },
) {
  if (indexing) return t('Older sessions are still being read: there may be more.');
  if (count > 0) return '';
  if (query.trim() !== '') return t('Nothing found.');
  return archived ? t('No session is archived.') : t('No sessions yet.');
}

interface ToggleProps {
  readonly icon: string;
  readonly label: string;
  readonly on: boolean;
  readonly onPress: () => void;
}

function Toggle({ icon, label, on, onPress }: ToggleProps) {
  return (
    <button
      type="button"
      class={on ? 'icon-button is-on' : 'icon-button'}
      aria-pressed={on}
      aria-label={label}
      title={label}
      data-testid={`sessions-${icon}`}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

interface Keys {
  readonly list: HTMLElement | null;
  readonly field: HTMLElement | null;
  readonly close: () => void;
}

/** Arrows go through field and rows; Escape leaves. A title that is being edited has its own keys. */
function onKey(event: KeyboardEvent, { list, field, close }: Keys): void {
  const target = event.target as HTMLElement;
  if (target.closest('.sessions-rename')) return;
  if (event.key === 'Escape') {
    event.preventDefault();
    close();
    return;
  }
  const rows = [...(list?.querySelectorAll<HTMLElement>('.session-open') ?? [])];
  const at = rows.indexOf(target.closest('.session')?.querySelector('.session-open') ?? target);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined || (at < 0 && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  if (next < 0) field?.focus();
  else rows[Math.min(next, rows.length - 1)]?.focus();
}
