import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

/** A page without a conversation, its content in the middle. */
export function Center({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="stage">
      <div class="log">
        <section class="empty">{children}</section>
      </div>
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly role?: 'radiogroup';
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** Rows under a heading. */
export function Group({ title, role, testId, children }: GroupProps) {
  return (
    <div data-testid={testId}>
      <div class="group-head">{title}</div>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label */}
      <div class="group" role={role ?? 'group'} aria-label={title}>
        {children}
      </div>
    </div>
  );
}

interface RowProps {
  readonly icon: string;
  readonly label: string;
  readonly detail?: string;
  readonly checked?: boolean;
  readonly onPress: () => void;
}

/** One line to press; with `checked` it is one of several choices. */
export function Row({ icon, label, detail, checked, onPress }: RowProps) {
  return (
    <button
      type="button"
      class="row"
      {...(checked === undefined ? {} : { role: 'radio' as const, 'aria-checked': checked })}
      onClick={onPress}
    >
      <Icon name={icon} spin={icon === 'loading'} />
      <span class="row-label">{label}</span>
      {detail !== undefined && <span class="detail">{detail}</span>}
    </button>
  );
}
