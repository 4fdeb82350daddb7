import type { RefObject } from 'preact';
import type { PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { ContextMeter } from './context-meter';
import { ModelPicker, ModePicker } from './pickers';

interface BarProps {
  readonly model: PanelModel;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly closed: boolean;
  readonly sendable: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onMention: () => void;
}

/** Under the text: context, mode, model, and send or stop. While a turn runs, text that is typed can be queued. */
export function ComposerBar({ model, box, closed, sendable, onSend, onStop, onMention }: BarProps) {
  const { state, transcript } = model;
  const running = state?.running === true;
  const choosable = state && !state.gone ? state : undefined;
  return (
    <div class="composer-bar" role="toolbar" aria-label={t('Message options')}>
      <IconButton icon="add" label={t('Add Context…')} disabled={closed || !state} onPress={onMention} />
      {choosable && <ModePicker state={choosable} mode={transcript?.mode ?? 'workspace-write'} box={box} />}
      {choosable && <ModelPicker state={choosable} box={box} />}
      <span class="grow" />
      <ContextMeter context={transcript?.context} />
      {(!running || sendable) && (
        <IconButton
          icon="arrow-up"
          label={running ? t('Queue for the next step') : t('Send')}
          testId="send"
          disabled={!sendable}
          onPress={onSend}
        />
      )}
      {running && <IconButton icon="stop-circle" label={t('Stop (Esc)')} testId="stop" onPress={onStop} />}
    </div>
  );
}
