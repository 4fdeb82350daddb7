import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { Menu, type MenuEntry } from './menu';

interface MenuFacts {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** What it hangs on; else the button that opens it. */
  readonly anchor?: RefObject<HTMLElement | null>;
  /** Above the anchor if there is room; else below. */
  readonly above?: boolean;
  readonly testId?: string;
}

interface OwnMenu {
  readonly isOpen: boolean;
  readonly open: () => void;
  /** For the button that opens it. */
  readonly opener: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly 'aria-haspopup': 'menu';
    readonly 'aria-expanded': boolean;
    readonly onClick: () => void;
  };
  /** To be drawn beside the button. */
  readonly menu: ComponentChildren;
}

/** A button's menu: the button opens and closes it, and gets the focus back. */
export function useMenu({ anchor, ...facts }: MenuFacts): OwnMenu {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return {
    isOpen,
    open: () => setOpen(true),
    opener: {
      ref,
      'aria-haspopup': 'menu',
      'aria-expanded': isOpen,
      onClick: () => setOpen(!isOpen),
    },
    menu: isOpen ? <Menu {...facts} anchor={anchor ?? ref} opener={ref} onClose={close} /> : null,
  };
}
