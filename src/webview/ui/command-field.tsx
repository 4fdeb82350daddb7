import { useEffect, useId, useRef } from 'preact/hooks';
import { isInputMethodKey } from '#webview/state/keys';
import { t } from '#webview/text/words';
import { Button } from './buttons';

interface EditProps {
  readonly value: string;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

interface CommandFieldProps extends EditProps {
  readonly onChange: (command: string) => void;
}

/** A command to be edited before it runs. Enter runs it, Shift+Enter breaks the line. A person asked for it, so it takes the focus. */
export function CommandField({ value, onChange, onRun, onCancel }: CommandFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  return (
    <div>
      <textarea
        ref={field}
        class="field command-field"
        rows={1}
        value={value}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-label={t('Command')}
        aria-describedby={hint}
        data-testid="command-field"
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isInputMethodKey(event)) return;
          if (event.key === 'Escape') onCancel();
          else if (event.key === 'Enter' && !event.shiftKey) {
            if (value.trim() !== '') onRun();
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="say" id={hint}>
        {t('It goes through every gate again before it runs.')}
      </div>
    </div>
  );
}

/** In the place of the answers while the command is edited. */
export function EditButtons({ value, onRun, onCancel }: EditProps) {
  return (
    <div class="button-row">
      <Button primary testId="run-edited" disabled={value.trim() === ''} onPress={onRun}>
        {t('Run Once')}
      </Button>
      <Button onPress={onCancel}>{t('Cancel')}</Button>
    </div>
  );
}
