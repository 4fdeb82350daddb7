import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { usePort } from './port';
import { ScrollBox } from './scroll-box';

/** Code that the model wrote, to copy or to put at the cursor of the editor. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  const { post } = usePort();
  const text = code.replace(/\n$/, '');
  return (
    <div class="block">
      <div class="block-head">
        <span class="block-name">{language}</span>
        <IconButton
          icon="insert"
          label={t('Insert at Cursor')}
          onPress={() => post({ type: 'insert-code', text })}
        />
        <IconButton icon="copy" label={t('Copy')} onPress={() => post({ type: 'copy', text })} />
      </div>
      <ScrollBox label={language === '' ? t('Code') : t('Code in {0}', language)}>
        <code>{text}</code>
      </ScrollBox>
    </div>
  );
}
