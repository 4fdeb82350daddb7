import { placedWords, placeName } from '#protocol/settings-place';
import { t } from '#webview/text/words';
import { usePort } from './port';

/** Words in which each settings file is a link to the line that it names. */
export function Placed({ words }: { readonly words: string }) {
  const { post } = usePort();
  return (
    <>
      {placedWords(words).map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <button
            key={`${index}`}
            type="button"
            class="text-link place"
            aria-label={t('Open {0}', placeName(part))}
            onClick={() => post({ type: 'open-settings', ...part })}
          >
            {placeName(part)}
          </button>
        ),
      )}
    </>
  );
}
