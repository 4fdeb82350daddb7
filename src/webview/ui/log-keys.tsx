import { isInputMethodKey } from '#webview/state/keys';
import type { Port } from './port';

// The log is one stop for Tab: the current row. Arrows move between rows and messages.

const STOPS = '[data-stop]';

/** After every change exactly one row can be reached by Tab: the one that was, else the newest. */
export function keepOneStop(content: HTMLElement | null): void {
  if (!content || content.querySelector(`${STOPS}[tabindex="0"]`)) return;
  const stops = content.querySelectorAll<HTMLElement>(STOPS);
  stops[stops.length - 1]?.setAttribute('tabindex', '0');
}

/** Arrows, Home and End move between the stops, right and left unfold and fold, Ctrl or Cmd with C copies. */
export function onLogKey(event: KeyboardEvent, post: Port['post']): void {
  const stop = event.target instanceof HTMLElement && event.target.matches(STOPS) ? event.target : undefined;
  if (!stop || isInputMethodKey(event)) return;
  if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey)) {
    copy(stop, post);
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (move(event, stop) || fold(event, stop)) event.preventDefault();
}

/** The selection wins; without one the row or message is copied as it reads: without what only a screen reader hears. */
function copy(stop: HTMLElement, post: Port['post']): void {
  if (document.getSelection()?.toString()) return;
  const text = stop.title || stop.querySelector('.message-text')?.textContent || stop.textContent;
  post({ type: 'copy', text });
}

function move(event: KeyboardEvent, from: HTMLElement): boolean {
  const stops = [...(from.closest('.log-content')?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
  const at = stops.indexOf(from);
  const to = { ArrowDown: stops[at + 1], ArrowUp: stops[at - 1], Home: stops[0], End: stops.at(-1) }[
    event.key
  ];
  if (!to) return false;
  focusStop(to, stops);
  return true;
}

function focusStop(to: HTMLElement, stops: readonly HTMLElement[]): void {
  for (const stop of stops) stop.setAttribute('tabindex', stop === to ? '0' : '-1');
  to.focus();
}

function fold(event: KeyboardEvent, stop: HTMLElement): boolean {
  const open = stop.getAttribute('aria-expanded');
  const wanted = event.key === 'ArrowRight' ? 'false' : event.key === 'ArrowLeft' ? 'true' : undefined;
  if (open === null || open !== wanted) return false;
  stop.click();
  return true;
}
