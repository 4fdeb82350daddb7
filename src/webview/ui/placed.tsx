import { placedWords, placeName } from '#protocol/settings-place';
import { t } from '#webview/text/words';
import { InlineLink } from './link';
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
          <InlineLink
            key={`${index}`}
            title={t('Open {0}', placeName(part))}
            onOpen={() => post({ type: 'open-settings', ...part })}
          >
            {placeName(part)}
          </InlineLink>
        ),
      )}
    </>
  );
}
