import { t } from '#webview/text/words';
import { FoldRow } from './fold-row';
import { Icon } from './icon';
import { Prose } from './prose';

interface ReasoningProps {
  readonly text: string;
  readonly streaming: boolean;
  readonly foldKey: string;
}

/** What the model wrote to itself, folded away. */
export function Reasoning({ text, streaming, foldKey }: ReasoningProps) {
  const head = (
    <>
      <Icon name={streaming ? 'loading' : 'comment'} spin={streaming} />
      <span class="verb">{t('Reasoning')}</span>
    </>
  );
  return (
    <FoldRow foldKey={foldKey} head={head}>
      <div class="call-body quiet">
        <Prose text={text} streaming={streaming} />
      </div>
    </FoldRow>
  );
}
