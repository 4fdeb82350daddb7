import type { Conflict, ConflictChoice } from '#protocol/checkpoint';
import { waysOf } from '#webview/state/decided';
import type { Outcome } from '#webview/state/model';
import { assertNever } from '#webview/text/never';
import { t } from '#webview/text/words';
import { usePort } from './port';

interface RowProps {
  readonly conflict: Conflict;
  readonly outcome: Outcome;
  readonly choice: ConflictChoice | undefined;
  readonly onChoose: (path: string, choice: ConflictChoice) => void;
}

/** A file in an undo's way: why, and what may be done about it. Its name opens the comparisons. */
export function ConflictRow({ conflict, outcome, choice, onChoose }: RowProps) {
  const { post } = usePort();
  const { path, why, tied = [] } = conflict;
  const { retry, sessionId } = outcome;
  const compare = () => {
    if (!retry) return;
    const { scope: _scope, ...part } = retry;
    post({ type: 'compare', sessionId, ...part, path });
  };
  return (
    <li data-testid="conflict">
      {retry ? (
        <button type="button" class="text-link mono" title={t('Compare')} onClick={compare}>
          {path}
        </button>
      ) : (
        <span class="mono">{path}</span>
      )}
      <span class="say">
        {why}
        {tied.length > 0 && <> · {t('goes with {0}', tied.join(', '))}</>}
      </span>
      {retry && (
        <fieldset class="choice-row" aria-label={t('What undo does to {0}', path)}>
          {waysOf(conflict).map((way) => (
            <button
              key={way}
              type="button"
              class="choice"
              aria-pressed={choice === way}
              data-testid={`choose-${way}`}
              onClick={() => onChoose(path, way)}
            >
              {wayWords(way)}
            </button>
          ))}
        </fieldset>
      )}
    </li>
  );
}

function wayWords(way: ConflictChoice): string {
  switch (way) {
    case 'skip':
      return t('Skip');
    case 'merge':
      return t('Undo, Keep Edit');
    case 'overwrite':
      return t('Overwrite');
    default:
      return assertNever(way);
  }
}
