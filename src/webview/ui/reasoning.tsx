import { t } from '#webview/text/words';
import { useFold } from './fold';
import { Icon } from './icon';
import { Prose } from './prose';

/** What the model wrote to itself, folded away. */
export function Reasoning({
  text,
  streaming,
  foldKey,
}: {
  readonly text: string;
  readonly streaming: boolean;
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
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron-right" />
        <Icon name={streaming ? 'loading' : 'comment'} spin={streaming} />
        <span class="verb">{t('Reasoning')}</span>
      </button>
      {open && (
        <div class="call-body quiet">
          <Prose text={text} streaming={streaming} />
        </div>
      )}
    </div>
  );
}
