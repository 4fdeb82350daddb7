import type { ComponentChildren, RefObject } from 'preact';
import type { PanelState } from '#protocol/panel-state';
import type { Mode } from '#protocol/settings';
import { modeWords } from '#webview/text/mode-words';
import { t } from '#webview/text/words';
import { Icon } from './icon';
import type { MenuEntry } from './menu';
import { usePort } from './port';
import { useMenu } from './use-menu';

interface PickerProps {
  readonly state: PanelState;
  readonly mode: Mode;
  /** The menus hang on the whole composer. */
  readonly box: RefObject<HTMLElement | null>;
}

/** Which calls ask. In a folder that isn't trusted only reading is possible. */
export function ModePicker({ state, mode, box }: PickerProps) {
  const { post } = usePort();
  const { sessionId } = state;
  const shown = state.trusted ? mode : 'read-only';
  const words = modeWords(shown);
  const entries = state.modes.flatMap((each): MenuEntry[] => {
    const { name, detail } = modeWords(each);
    const danger = each === 'danger-full-access';
    const entry: MenuEntry = {
      kind: 'choice',
      key: each,
      label: danger ? t('Full access…') : name,
      detail,
      detailBelow: true,
      checked: each === shown,
      ...(danger && each !== shown ? { icon: 'warning', tone: 'warn' } : {}),
      onPick: () => sessionId !== undefined && post({ type: 'set-mode', sessionId, mode: each }),
    };
    return danger ? [{ kind: 'rule', key: 'line' }, entry] : [entry];
  });
  return (
    <Picker
      label={t('Mode: {0}', words.name)}
      menuLabel={t('Mode')}
      entries={entries}
      box={box}
      classes={shown === 'danger-full-access' ? 'pick mode is-danger' : 'pick mode'}
      testId="mode"
      disabled={!state.trusted || sessionId === undefined}
    >
      <Icon name={words.icon} />
      <span class="pick-label">{words.name}</span>
    </Picker>
  );
}

/** The models that were used, and the way to all others. */
export function ModelPicker({ state, box }: Omit<PickerProps, 'mode'>) {
  const { post } = usePort();
  const { sessionId } = state;
  const name =
    state.models.find((model) => model.id === state.modelId)?.name ?? state.modelId ?? t('Select Model…');
  const choices = state.models.map(
    (model): MenuEntry => ({
      kind: 'choice',
      key: model.id,
      label: model.name,
      detail: model.detail,
      checked: model.id === state.modelId,
      onPick: () => sessionId !== undefined && post({ type: 'set-model', sessionId, modelId: model.id }),
    }),
  );
  const action = (key: 'pick-model' | 'enter-key', icon: string, label: string): MenuEntry => ({
    kind: 'action',
    key,
    icon,
    label,
    onPick: () => post({ type: 'action', action: key, sessionId }),
  });
  const entries: readonly MenuEntry[] = [
    ...choices,
    ...(choices.length > 0 ? [{ kind: 'rule', key: 'line' } as const] : []),
    action('pick-model', 'search', t('Select Model…')),
    action('enter-key', 'key', t('Enter Key…')),
  ];
  return (
    <Picker
      label={t('Model: {0}', name)}
      menuLabel={t('Model')}
      entries={entries}
      box={box}
      classes="pick model"
      testId="model"
    >
      <span class="pick-label">{name}</span>
    </Picker>
  );
}

interface PickerShape {
  readonly label: string;
  readonly menuLabel: string;
  readonly entries: readonly MenuEntry[];
  readonly box: RefObject<HTMLElement | null>;
  readonly classes: string;
  readonly testId: string;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

function Picker({ label, menuLabel, entries, box, classes, testId, disabled, children }: PickerShape) {
  const { isOpen, opener, menu } = useMenu({
    label: menuLabel,
    entries,
    anchor: box,
    above: true,
    testId: `${testId}-menu`,
  });
  return (
    <>
      <button
        type="button"
        class={isOpen ? `${classes} is-open` : classes}
        aria-label={label}
        aria-disabled={disabled === true}
        title={label}
        data-testid={testId}
        {...opener}
        onClick={() => disabled || opener.onClick()}
      >
        {children}
        <Icon name="chevron-down" />
      </button>
      {menu}
    </>
  );
}
