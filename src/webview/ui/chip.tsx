import { folderAndName } from '#webview/text/paths';
import { t } from '#webview/text/words';
import { Icon } from './icon';
import { usePort } from './port';

/** A file that goes along with a message. */
export function Chip({ path, onRemove }: { readonly path: string; readonly onRemove?: () => void }) {
  const { post } = usePort();
  const [, name] = folderAndName(path);
  return (
    <span class="chip" title={path}>
      <Icon name="file" />
      <button
        type="button"
        class="chip-name"
        tabIndex={onRemove ? -1 : 0}
        onClick={() => post({ type: 'open-file', path })}
      >
        {name}
      </button>
      {onRemove && (
        <button type="button" class="chip-remove" aria-label={t('Remove {0}', name)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}
