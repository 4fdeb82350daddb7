import type { CommandChange } from '#protocol/checkpoint';
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

/** What commands did on disk in this turn, as far as it was seen: *Undo* doesn't take it back. */
export function CommandChanges({ changes, omitted, foldKey }: ChangesProps) {
  const head = (
    <>
      <Icon name="warning" />
      <span class="subject">
        {counted(
          changes.length + omitted,
          'Not in the undo: {0} file changed by commands',
          'Not in the undo: {0} files changed by commands',
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
              <span class="mono quiet">{change.command}</span>
            </li>
          ))}
          {omitted > 0 && <li>{t('and {0} more', omitted)}</li>}
        </ul>
      </div>
    </FoldRow>
  );
}
