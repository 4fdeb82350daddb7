import { useEffect, useId, useRef } from 'preact/hooks';
import { isInputMethodKey } from '#webview/state/keys';
import { t } from '#webview/text/words';
import { Button } from './buttons';

interface CommandFieldProps {
  readonly value: string;
  readonly onChange: (command: string) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
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
  const empty = value.trim() === '';
  return (
    <div class="words-field">
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
            if (!empty) onRun();
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="say" id={hint}>
        {t('It goes through every gate again before it runs.')}
      </div>
      <div class="button-row">
        <Button primary testId="run-edited" disabled={empty} onPress={onRun}>
          {t('Run Once')}
        </Button>
        <Button onPress={onCancel}>{t('Cancel')}</Button>
      </div>
    </div>
  );
}
