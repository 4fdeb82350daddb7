import { useEffect, useRef, useState } from 'preact/hooks';
import { isInputMethodKey } from '#webview/state/keys';
import { t } from '#webview/text/words';
import { Button } from './buttons';

interface WordsFieldProps {
  readonly label: string;
  readonly value: string;
  readonly submit: string;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
}

/** One line to write into, in place of buttons. A person asked for it, so it takes the focus. */
export function WordsField({ label, value, submit, onSubmit, onCancel }: WordsFieldProps) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = () => {
    if (text.trim() !== '') onSubmit(text.trim());
  };
  return (
    <div class="words-field">
      <input
        ref={field}
        class="field"
        value={text}
        placeholder={label}
        aria-label={label}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isInputMethodKey(event)) return;
          if (event.key === 'Enter') send();
          else if (event.key === 'Escape') onCancel();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="button-row">
        <Button primary disabled={text.trim() === ''} onPress={send}>
          {submit}
        </Button>
        <Button onPress={onCancel}>{t('Cancel')}</Button>
      </div>
    </div>
  );
}
