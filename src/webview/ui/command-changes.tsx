import type { CommandChange } from '#protocol/checkpoint';
import { whyWords } from '#webview/text/not-undoable';
import { counted, t } from '#webview/text/words';
import { FoldRow } from './fold-row';
import { Icon } from './icon';
import { Letter } from './letter';

interface ChangesProps {
  readonly changes: readonly CommandChange[];
  /** How many more there were than are listed. */
  readonly omitted: number;
  readonly foldKey: string;
}

/** What changed while commands ran and *Undo* doesn't take back, each with the reason. */
export function CommandChanges({ changes, omitted, foldKey }: ChangesProps) {
  const head = (
    <>
      <Icon name="warning" />
      <span class="subject">
        {counted(
          changes.length + omitted,
          'Not in the undo: {0} file that changed while a command ran',
          'Not in the undo: {0} files that changed while a command ran',
        )}
      </span>
    </>
  );
  return (
    <FoldRow foldKey={foldKey} head={head} facts={{ 'data-testid': 'command-changes' }}>
      <div class="call-body">
        <ul class="change-list">
          {changes.map((change) => (
            <li key={`${change.command} ${change.path}`}>
              <Letter operation={change.operation} />
              <span class="change-path">{change.path}</span>
              <span class="quiet">{whyWords(change.why)}</span>
              <span class="mono quiet">{change.command}</span>
            </li>
          ))}
          {omitted > 0 && <li>{t('and {0} more', omitted)}</li>}
        </ul>
      </div>
    </FoldRow>
  );
}
