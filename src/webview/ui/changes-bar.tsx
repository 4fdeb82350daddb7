import { useState } from 'preact/hooks';
import type { ChangedFile, PanelState } from '#protocol/panel-state';
import type { Transcript } from '#protocol/transcript';
import { folderAndName } from '#webview/text/paths';
import { counted, t } from '#webview/text/words';
import { Button, IconButton, TextButton } from './buttons';
import { Counts } from './counts';
import { useFold } from './fold';
import { Icon } from './icon';
import { Letter } from './letter';
import { NoticeBox } from './notice';
import { usePort } from './port';

interface BarProps {
  readonly state: PanelState;
  readonly transcript: Transcript;
}

/** What the agent changed and the person hasn't kept or undone. */
export function ChangesBar({ state, transcript }: BarProps) {
  const { sessionId } = transcript;
  const { changes } = state;
  const [open, setOpen] = useFold(`${sessionId}/changes`);
  const files = open ? changes.list : [];
  return (
    <div data-testid="changes-bar">
      <div class="shelf-row">
        <button type="button" class="row" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="chevron-right" />
          <span class="row-label">
            {counted(changes.files, '{0} file', '{0} files')}
            <span class="when-roomy"> {t('changed')}</span>
          </span>
          <Counts added={changes.added} removed={changes.removed} />
        </button>
        {!state.elsewhere && <BarButtons state={state} sessionId={sessionId} />}
      </div>
      {open && (
        <ul class="shelf-list" aria-label={t('Changed files')}>
          {files.map((file) => (
            <FileRow key={file.path} file={file} state={state} sessionId={sessionId} />
          ))}
        </ul>
      )}
    </div>
  );
}

function BarButtons({ state, sessionId }: { readonly state: PanelState; readonly sessionId: string }) {
  const { post } = usePort();
  const [warning, setWarning] = useState(false);
  const left = state.changes.notUndoable;
  const undo = () => {
    setWarning(false);
    post({ type: 'undo-changes', sessionId, onConflict: 'stop' });
  };
  return (
    <>
      <TextButton
        icon="diff-multiple"
        words={t('Review')}
        label={t('Review All')}
        testId="review"
        onPress={() => post({ type: 'review', sessionId })}
      />
      <TextButton
        icon="check"
        words={t('Keep')}
        label={t('Keep All')}
        testId="keep"
        onPress={() => post({ type: 'keep-all', sessionId })}
      />
      <TextButton
        icon="discard"
        words={t('Undo')}
        label={t('Undo All')}
        hint={state.running ? t('Stop the turn first') : undefined}
        testId="undo"
        disabled={state.running}
        onPress={() => (left.length > 0 ? setWarning(true) : undo())}
      />
      {warning && <UndoWarning paths={left} onUndo={undo} onCancel={() => setWarning(false)} />}
    </>
  );
}

/** Said before *Undo* acts: what commands changed stays as it is. */
function UndoWarning({
  paths,
  onUndo,
  onCancel,
}: {
  readonly paths: readonly string[];
  readonly onUndo: () => void;
  readonly onCancel: () => void;
}) {
  return (
    <div class="over-shelf">
      <NoticeBox
        icon="warning"
        tone="warn"
        role="alert"
        testId="undo-warning"
        title={counted(
          paths.length,
          '{0} file that changed while a command ran stays as it is',
          '{0} files that changed while commands ran stay as they are',
        )}
        detail={<PathList paths={paths} />}
      >
        <Button testId="undo-anyway" onPress={onUndo}>
          {t('Undo the Rest')}
        </Button>
        <Button onPress={onCancel}>{t('Cancel')}</Button>
      </NoticeBox>
    </div>
  );
}

function PathList({ paths }: { readonly paths: readonly string[] }) {
  const shown = paths.slice(0, 5);
  return (
    <ul class="conflict-list">
      {shown.map((path) => (
        <li key={path} class="mono">
          {path}
        </li>
      ))}
      {paths.length > shown.length && <li>{t('and {0} more', paths.length - shown.length)}</li>}
    </ul>
  );
}

interface RowProps {
  readonly file: ChangedFile;
  readonly state: PanelState;
  readonly sessionId: string;
}

function FileRow({ file, state, sessionId }: RowProps) {
  const { post } = usePort();
  const { path } = file;
  const [folder, name] = folderAndName(path);
  const act = (action: 'open' | 'keep' | 'undo') => () =>
    post({ type: 'review-file', sessionId, path, action });
  return (
    <li class={state.elsewhere ? 'file' : 'file with-actions'} data-testid="changed-file">
      <button type="button" class="row" title={path} onClick={act('open')}>
        <Icon name="file" />
        <span class="row-label">{name}</span>
        <span class="detail">{folder}</span>
        <span class="file-facts">
          <Counts added={file.added} removed={file.removed} />
          <Letter operation={file.operation} />
        </span>
      </button>
      <span class="file-actions">
        {!state.elsewhere && (
          <>
            <IconButton icon="check" label={t('Keep {0}', name)} testId="keep-file" onPress={act('keep')} />
            <IconButton
              icon="discard"
              label={state.running ? t('Stop the turn first') : t('Undo {0}', name)}
              testId="undo-file"
              disabled={state.running}
              onPress={act('undo')}
            />
          </>
        )}
        <IconButton icon="diff" label={t('Open Changes')} onPress={act('open')} />
      </span>
    </li>
  );
}
