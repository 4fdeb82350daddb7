import type { CommandChange } from '#protocol/checkpoint';
import { counted, t } from '#webview/text/words';
import { useFold } from './fold';
import { Icon } from './icon';

const LETTERS: Readonly<Record<CommandChange['operation'], string>> = {
  create: 'A',
  modify: 'M',
  delete: 'D',
};

/** What commands did on disk in this turn, as far as it was seen: *Undo* doesn't take it back. */
export function CommandChanges({
  changes,
  omitted,
  foldKey,
}: {
  readonly changes: readonly CommandChange[];
  /** How many more there were than are listed. */
  readonly omitted: number;
  readonly foldKey: string;
}) {
  const [open, setOpen] = useFold(foldKey);
  return (
    <div class="call">
      <button
        type="button"
        class="row"
        tabIndex={-1}
        data-stop=""
        aria-expanded={open}
        data-testid="command-changes"
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron-right" />
        <Icon name="warning" />
        <span class="verb">{t('Changed')}</span>
        <span class="subject">{t('by commands')}</span>
        <span class="detail">
          {counted(changes.length + omitted, '{0} file, not in the undo', '{0} files, not in the undo')}
        </span>
      </button>
      {open && (
        <div class="call-body">
          <ul class="change-list">
            {changes.map((change) => (
              <li key={`${change.command} ${change.path}`}>
                <span class="letter">{LETTERS[change.operation]}</span>
                <span class="change-path">{change.path}</span>
                <span class="mono quiet">{change.command}</span>
              </li>
            ))}
            {omitted > 0 && <li>{t('and {0} more', omitted)}</li>}
          </ul>
        </div>
      )}
    </div>
  );
}
