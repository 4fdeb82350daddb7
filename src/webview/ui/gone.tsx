import { t } from '#webview/text/words';
import { Button } from './buttons';
import { usePort } from './port';
import { Center } from './welcome';

/** A tab whose session isn't to be had: why, and how to go on. */
export function Gone({ title, detail }: { readonly title: string; readonly detail: string }) {
  const { post } = usePort();
  return (
    <Center>
      <div class="empty-text" data-testid="gone">
        <h2>{title}</h2>
        <p>{detail}</p>
        <div class="button-row">
          <Button primary onPress={() => post({ type: 'new-session' })}>
            {t('New Session')}
          </Button>
          <Button onPress={() => post({ type: 'list-sessions' })}>{t('Show Sessions')}</Button>
        </div>
      </div>
    </Center>
  );
}
