import type { Mention } from '#protocol/message';
import { folderAndName } from '#webview/text/paths';
import { visible } from '#webview/text/visible';
import { t } from '#webview/text/words';
import { Icon } from './icon';
import { usePort } from './port';

interface ChipProps {
  readonly mention: Mention;
  readonly onRemove?: () => void;
}

/** What goes along with a message: a file, which opens, or something that a server or an extension offers. */
export function Chip({ mention, onRemove }: ChipProps) {
  const isFile = mention.kind === 'file';
  const name = isFile ? (folderAndName(mention.path)[1] ?? '') : visible(mention.name);
  return (
    <span class="chip" title={isFile ? mention.path : visible(mention.uri)}>
      <Icon name={isFile ? 'file' : 'database'} />
      {isFile ? (
        <OpenFile path={mention.path} name={name} tabIndex={onRemove ? -1 : 0} />
      ) : (
        <span class="chip-name">{name}</span>
      )}
      {onRemove && (
        <button type="button" class="chip-remove" aria-label={t('Remove {0}', name)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

function OpenFile({
  path,
  name,
  tabIndex,
}: {
  readonly path: string;
  readonly name: string;
  readonly tabIndex: number;
}) {
  const { post } = usePort();
  return (
    <button
      type="button"
      class="chip-name"
      tabIndex={tabIndex}
      onClick={() => post({ type: 'open-file', path })}
    >
      {name}
    </button>
  );
}
