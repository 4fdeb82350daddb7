import type { Disposable } from '#base/disposable';

/** Where a person watches the commands that run beside a conversation, types into them and ends them. */
export interface Terminals {
  /** Lists one. It takes no focus and opens nothing. */
  add(command: ShownCommand): TerminalView;
}

/** A command as its terminal knows it. */
export interface ShownCommand {
  /** For the list: one line, made by a model perhaps. */
  readonly name: string;
  /** Undefined where nobody can type into it. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** The person typed; as a terminal sends it. */
  onInput(text: string): void;
  /** The person sees it in another size now. */
  onResized(size: { readonly columns: number; readonly rows: number }): void;
  /** The person closed it. */
  onClosed(): void;
}

/** One terminal of the list. */
export interface TerminalView extends Disposable {
  /** What it shows; only sequences that draw are in it. */
  write(text: string): void;
  /** A size to keep to; undefined: as large as the person makes it. */
  keepTo(size: { readonly columns: number; readonly rows: number } | undefined): void;
  /** The person asked for it. */
  show(): void;
  /** It is over; what it showed can still be read. */
  ended(): void;
}
