import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Mode } from '#protocol/settings';
import type { PanelState } from '#protocol/wire';
import { modeWords } from '#webview/text/mode-words';
import { t } from '#webview/text/words';
import { Icon } from './icon';
import { Menu, type MenuEntry } from './menu';
import { usePort } from './port';

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
  const select = () => post({ type: 'action', action: 'pick-model', sessionId });
  const entries: readonly MenuEntry[] = [
    ...choices,
    ...(choices.length > 0 ? [{ kind: 'rule', key: 'line' } as const] : []),
    { kind: 'action', key: 'select', icon: 'search', label: t('Select Model…'), onPick: select },
    {
      kind: 'action',
      key: 'keys',
      icon: 'key',
      label: t('Enter Key…'),
      onPick: () => post({ type: 'action', action: 'enter-key' }),
    },
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
  readonly children: preact.ComponentChildren;
}

function Picker({ label, menuLabel, entries, box, classes, testId, disabled, children }: PickerShape) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        ref={opener}
        class={open ? `${classes} is-open` : classes}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        aria-disabled={disabled === true}
        title={label}
        data-testid={testId}
        onClick={() => disabled || setOpen(!open)}
      >
        {children}
        <Icon name="chevron-down" />
      </button>
      {open && (
        <Menu
          label={menuLabel}
          entries={entries}
          anchor={box}
          opener={opener}
          above
          testId={`${testId}-menu`}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
