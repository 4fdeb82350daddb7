import { isInputMethodKey } from '#webview/state/keys';

/** What can be picked, from top to bottom. */
export function menuItems(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.item')];
}

/** Arrows, Home and End move, a letter goes to the next item that begins with it, Esc and Tab close. */
export function onMenuKey(event: KeyboardEvent, menu: HTMLElement | null, close: () => void): void {
  if (!menu || isInputMethodKey(event) || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = menuItems(menu);
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
