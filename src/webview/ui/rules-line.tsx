import type { RulesFileRow } from '#protocol/rules-file';
import { visible } from '#webview/text/visible';
import { counted, t } from '#webview/text/words';
import { Icon } from './icon';

/** Which rules files the model is told from here on: one calm row, and what is odd about one of them under it. */
export function RulesLine({ files }: { readonly files: readonly RulesFileRow[] }) {
  const told = files.filter(({ state }) => state === 'whole' || state === 'cut');
  const names = told.map(({ path }) => visible(path)).join(', ');
  return (
    <div class="call" data-testid="rules">
      <div class="row is-still" role="status" title={names}>
        <Icon name="blank" />
        <Icon name="book" />
        <span class="verb">{t('Rules')}</span>
        <span class="detail">{names === '' ? t('none') : names}</span>
      </div>
      {files.flatMap(oddities).map((words) => (
        <div key={words} class="row is-still" role="status" title={words}>
          <Icon name="blank" />
          <Icon name="warning" />
          <span class="detail">{words}</span>
        </div>
      ))}
    </div>
  );
}

function oddities({ path, state, hidden, why }: RulesFileRow): readonly string[] {
  const name = visible(path);
  const words: string[] = [];
  if (state === 'cut') words.push(t('{0}: only its beginning, rules may take 32 KB in all', name));
  if (state === 'left-out') words.push(t('{0} is left out, rules may take 32 KB in all', name));
  if (state === 'unusable') words.push(t('{0} is left out: {1}', name, visible(why ?? '')));
  if (hidden > 0)
    words.push(
      `${name}: ${counted(hidden, '{0} invisible character, shown to the model as an escape', '{0} invisible characters, shown to the model as escapes')}`,
    );
  return words;
}
