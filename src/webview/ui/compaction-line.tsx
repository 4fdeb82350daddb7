import type { CompactionResult } from '#protocol/compaction';
import type { CompactionItem } from '#protocol/turn';
import { counted, t } from '#webview/text/words';
import { Icon } from './icon';

/** A calm line where the model's memory of the conversation was made shorter. What stands above it stays readable. */
export function CompactionLine({
  item,
  running,
}: {
  readonly item: CompactionItem;
  readonly running: boolean;
}) {
  const { how, problem } = item;
  const [verb, what] = WORDS[how ?? 'working'];
  if (how === undefined && !running) return null;
  return (
    <div class="call" data-testid="compaction">
      <div class="row is-still" role="status" title={problem}>
        <Icon name="blank" />
        <Icon name={how === undefined ? 'loading' : 'fold'} spin={how === undefined} />
        <span class="verb">{verb()}</span>
        <span class="detail">{problem ?? what()}</span>
        {saves(item) && <span class="cost">{sizeWords(item)}</span>}
      </div>
    </div>
  );
}

const WORDS: Readonly<
  Record<CompactionResult | 'working', readonly [verb: () => string, what: () => string]>
> = {
  working: [() => t('Summarising'), () => t('what was said before')],
  summary: [() => t('Summarised'), () => t('what was said before')],
  outputs: [() => t('Left out'), () => t('old outputs')],
  none: [() => t('Nothing left out'), () => ''],
};

function saves({ how, before, after }: CompactionItem): boolean {
  return how !== undefined && how !== 'none' && after < before;
}

function sizeWords({ before, after }: CompactionItem): string {
  return t('{0} → {1}', thousands(before), thousands(after));
}

/** "840 tokens", "12 k", "1,040 k". */
function thousands(tokens: number): string {
  return tokens < 1000
    ? counted(tokens, '{0} token', '{0} tokens')
    : t('{0} k', Math.round(tokens / 1000).toLocaleString());
}
