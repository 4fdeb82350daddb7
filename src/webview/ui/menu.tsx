import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon';
import { menuItems, onMenuKey } from './menu-keys';
import { placeMenu } from './menu-place';

/** A line of a menu: one of several choices, something to do, or a line between. */
export type MenuEntry =
  | {
      readonly kind: 'choice' | 'action';
      readonly key: string;
      readonly label: string;
      readonly detail?: string;
      /** On a line of its own under the label. */
      readonly detailBelow?: boolean;
      readonly mono?: boolean;
      readonly icon?: string;
      readonly tone?: 'warn';
      readonly checked?: boolean;
      readonly onPick: () => void;
    }
  | { readonly kind: 'rule'; readonly key: string };

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** What the menu hangs on. */
  readonly anchor: RefObject<HTMLElement | null>;
  /** Gets the focus back. */
  readonly opener: RefObject<HTMLElement | null>;
  /** Above the anchor if there is room, from its left edge; else below. */
  readonly above?: boolean;
  readonly testId?: string;
  readonly onClose: () => void;
}

/** Opened by a person's click or key, so it may take the focus; it gives it back when it closes. */
export function Menu({ label, entries, anchor, opener, above, testId, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!menu.current || !anchor.current) return;
    placeMenu(menu.current, anchor.current, above ?? false);
    menuItems(menu.current)
      .find((item) => item.getAttribute('aria-checked') === 'true')
      ?.focus();
    if (!menu.current.contains(document.activeElement)) menuItems(menu.current)[0]?.focus();
  }, []);
  useCloseOutside(menu, opener, onClose);
  const close = () => {
    opener.current?.focus();
    onClose();
  };
  return (
    <div
      class="popup menu"
      role="menu"
      aria-label={label}
      data-testid={testId}
      ref={menu}
      onKeyDown={(event) => onMenuKey(event, menu.current, close)}
    >
      {entries.map((entry) =>
        entry.kind === 'rule' ? (
          // biome-ignore lint/a11y/useSemanticElements: an hr inside a menu would be announced as a thematic break
          <div key={entry.key} class="popup-rule" role="separator" />
        ) : (
          <MenuItem
            key={entry.key}
            entry={entry}
            onPick={() => {
              close();
              entry.onPick();
            }}
          />
        ),
      )}
    </div>
  );
}

function MenuItem({
  entry,
  onPick,
}: {
  readonly entry: Exclude<MenuEntry, { kind: 'rule' }>;
  readonly onPick: () => void;
}) {
  const radio = entry.kind === 'choice';
  const icon = entry.icon ?? (entry.checked ? 'check' : 'blank');
  return (
    <button
      type="button"
      class={entry.detailBelow ? 'item two-lines' : 'item'}
      {...(radio
        ? { role: 'menuitemradio' as const, 'aria-checked': entry.checked === true }
        : { role: 'menuitem' as const })}
      tabIndex={-1}
      onClick={onPick}
    >
      <Icon name={icon} tone={entry.tone} />
      <span class="item-label">{entry.label}</span>
      {entry.detail !== undefined && (
        <span class={entry.mono ? 'item-detail mono' : 'item-detail'}>{entry.detail}</span>
      )}
    </button>
  );
}

function useCloseOutside(
  menu: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  useEffect(() => {
    const onPointer = (event: PointerEvent) => {
      const node = event.target;
      if (node instanceof Node && (menu.current?.contains(node) || opener.current?.contains(node))) return;
      onClose();
    };
    document.addEventListener('pointerdown', onPointer, true);
    window.addEventListener('blur', onClose);
    window.addEventListener('resize', onClose);
    return () => {
      document.removeEventListener('pointerdown', onPointer, true);
      window.removeEventListener('blur', onClose);
      window.removeEventListener('resize', onClose);
    };
  }, [onClose]);
}
