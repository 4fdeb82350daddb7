const MARGIN = 12;

/**
 * Hangs a menu on its anchor: above, if that is wished and there is room, from the left edge; else below, or where there is more room.
 * Positions are set through the style object: the page's policy forbids style attributes.
 */
export function placeMenu(menu: HTMLElement, anchor: HTMLElement, above: boolean): void {
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
