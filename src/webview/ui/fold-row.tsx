import type { ComponentChildren } from 'preact';
import { useFold } from './fold';
import { Icon } from './icon';

interface FoldRowProps {
  readonly foldKey: string;
  /** What stands in the line, behind the twistie. */
  readonly head: ComponentChildren;
  /** Attributes of the line. */
  readonly facts?: object;
  /** Under the line, folded or not. */
  readonly below?: ComponentChildren;
  /** What it unfolds to. */
  readonly children: ComponentChildren;
}

/** A line of the log that unfolds, and one of the stops of the arrow keys. */
export function FoldRow({ foldKey, head, facts, below, children }: FoldRowProps) {
  const [open, setOpen] = useFold(foldKey);
  return (
    <div class="call">
      <button
        type="button"
        class="row"
        tabIndex={-1}
        data-stop=""
        aria-expanded={open}
        {...facts}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron-right" />
        {head}
      </button>
      {below}
      {open && children}
    </div>
  );
}
