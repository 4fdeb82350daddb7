import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isInputMethodKey } from '#webview/state/keys';
import { Icon } from './icon';

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
    place(menu.current, anchor.current, above ?? false);
    items(menu.current)
      .find((item) => item.getAttribute('aria-checked') === 'true')
      ?.focus();
    if (!menu.current.contains(document.activeElement)) items(menu.current)[0]?.focus();
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

function items(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.item')];
}

function onMenuKey(event: KeyboardEvent, menu: HTMLElement | null, close: () => void): void {
  if (!menu || isInputMethodKey(event)) return;
  const all = items(menu);
  const at = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1;
  const to = target(event.key, at, all);
  if (to) to.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function target(key: string, at: number, all: readonly HTMLElement[]): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return all[(at + 1) % all.length];
    case 'ArrowUp':
      return all[(at - 1 + all.length) % all.length];
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    default:
      if (key.length !== 1 || key === ' ') return undefined;
      return [...all.slice(at + 1), ...all.slice(0, at + 1)].find((item) =>
        item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()),
      );
  }
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

const MARGIN = 12;

/** Positions are set through the style object: the page's policy forbids style attributes. */
function place(menu: HTMLElement, anchor: HTMLElement, above: boolean): void {
  const at = anchor.getBoundingClientRect();
  const { innerWidth: width, innerHeight: height } = window;
  const roomBelow = height - at.bottom - 8;
  const upwards = above
    ? at.top - 8 >= Math.min(menu.offsetHeight, 160)
    : roomBelow < menu.offsetHeight && at.top > roomBelow;
  const room = (upwards ? at.top : height - at.bottom) - 8;
  menu.style.setProperty('max-height', `${Math.max(80, Math.min(320, room))}px`);
  const top = upwards ? at.top - menu.offsetHeight - (above ? 4 : 2) : at.bottom + 2;
  menu.style.setProperty('top', `${Math.max(4, top)}px`);
  menu.style.setProperty(
    'left',
    `${Math.max(MARGIN, Math.min(at.left, width - menu.offsetWidth - MARGIN))}px`,
  );
}
