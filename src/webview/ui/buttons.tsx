import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from './icon';
import type { MenuEntry } from './menu';
import { useMenu } from './use-menu';

interface ButtonProps {
  readonly onPress: () => void;
  readonly primary?: boolean;
  readonly testId?: string | undefined;
  readonly disabled?: boolean;
  readonly label?: string | undefined;
  /** More than its words have room for. */
  readonly title?: string;
  /** The id of what says more about it. */
  readonly describedBy?: string;
  readonly children: ComponentChildren;
}

/** A button with words; a primary one is what is meant by default. */
export function Button({
  onPress,
  primary,
  testId,
  disabled,
  label,
  title,
  describedBy,
  children,
}: ButtonProps) {
  return (
    <button
      type="button"
      class={primary ? 'button primary' : 'button'}
      data-testid={testId}
      disabled={disabled}
      aria-label={label}
      title={title}
      aria-describedby={describedBy}
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
  /** The element itself, for whoever gives it the focus back. */
  readonly button?: RefObject<HTMLButtonElement | null> | undefined;
}

/** A button with an icon alone, whose name is heard and shown on hover. */
export function IconButton({ icon, label, onPress, testId, disabled, button }: IconButtonProps) {
  return (
    <button
      {...(button ? { ref: button } : {})}
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

interface TextButtonProps extends IconButtonProps {
  /** What is read where there is room; `label` says the same to screen readers, and where only the icon has room. */
  readonly words: string;
  /** Why it can't be pressed now. */
  readonly hint?: string | undefined;
}

/** Words where there is room, an icon where there isn't; the name stays. A disabled one can still be read and says why. */
export function TextButton({ icon, label, words, hint, testId, disabled, onPress }: TextButtonProps) {
  return (
    <button
      type="button"
      class="text-button"
      aria-label={label}
      title={hint ?? label}
      aria-disabled={disabled === true}
      data-testid={testId}
      onClick={() => disabled || onPress()}
    >
      <Icon name={icon} />
      <span class="text-button-label">{words}</span>
    </button>
  );
}

interface SplitButtonProps extends ButtonProps {
  readonly menuLabel: string;
  readonly entries: readonly MenuEntry[];
}

/** A button with a second one for its choices; Alt+Down opens them from the first. */
export function SplitButton({ menuLabel, entries, ...button }: SplitButtonProps) {
  const whole = useRef<HTMLSpanElement>(null);
  const { isOpen, open, opener, menu } = useMenu({ label: menuLabel, entries, anchor: whole });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the two buttons in it
    <span
      class="split"
      ref={whole}
      onKeyDown={(event) => {
        if (!event.altKey || event.key !== 'ArrowDown') return;
        event.preventDefault();
        if (!button.disabled) open();
      }}
    >
      <Button {...button} />
      <button
        type="button"
        class={isOpen ? 'button is-open' : 'button'}
        aria-label={menuLabel}
        title={menuLabel}
        disabled={button.disabled}
        {...opener}
      >
        <Icon name="chevron-down" />
      </button>
      {menu}
    </span>
  );
}
