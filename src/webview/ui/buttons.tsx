import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon';
import { Menu, type MenuEntry } from './menu';

interface ButtonProps {
  readonly onPress: () => void;
  readonly primary?: boolean;
  readonly testId?: string | undefined;
  readonly disabled?: boolean;
  readonly label?: string | undefined;
  readonly children: ComponentChildren;
}

export function Button({ onPress, primary, testId, disabled, label, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={primary ? 'button primary' : 'button'}
      data-testid={testId}
      disabled={disabled}
      aria-label={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onPress: () => void;
  readonly testId?: string;
  readonly disabled?: boolean;
}

export function IconButton({ icon, label, onPress, testId, disabled }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      data-testid={testId}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

interface SplitButtonProps extends ButtonProps {
  readonly menuLabel: string;
  readonly entries: readonly MenuEntry[];
}

/** A button with a second one for its choices; Alt+Down opens them from the first. */
export function SplitButton({ menuLabel, entries, ...button }: SplitButtonProps) {
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLSpanElement>(null);
  const arrow = useRef<HTMLButtonElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the two buttons in it
    <span
      class="split"
      ref={whole}
      onKeyDown={(event) => {
        if (!event.altKey || event.key !== 'ArrowDown') return;
        event.preventDefault();
        setOpen(true);
      }}
    >
      <Button {...button} />
      <button
        type="button"
        class={open ? 'button is-open' : 'button'}
        ref={arrow}
        aria-label={menuLabel}
        title={menuLabel}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={button.disabled}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron-down" />
      </button>
      {open && (
        <Menu
          label={menuLabel}
          entries={entries}
          anchor={whole}
          opener={arrow}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}
