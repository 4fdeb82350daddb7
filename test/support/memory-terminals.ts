import type { ShownCommand, Terminals } from '#host/terminals';

/** A terminal that nobody sees, in the test's hands. */
export interface MemoryTerminal {
  readonly name: string;
  /** What it was told to show: the last million characters of it. */
  readonly text: string;
  /** The size it keeps to; undefined when it is the person's to choose. */
  readonly kept: { readonly columns: number; readonly rows: number } | undefined;
  readonly isOver: boolean;
  readonly isDisposed: boolean;
  readonly shown: number;
  /** As a person would. */
  type(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

export interface MemoryTerminals extends Terminals {
  readonly all: readonly MemoryTerminal[];
}

/** The list of terminals of a window without an editor. */
export function memoryTerminals(): MemoryTerminals {
  const all: MemoryTerminal[] = [];
  return {
    all,
    add(command: ShownCommand) {
      const state = { text: '', kept: command.size, isOver: false, isDisposed: false, shown: 0 };
      all.push({
        name: command.name,
        get text() {
          return state.text;
        },
        get kept() {
          return state.kept;
        },
        get isOver() {
          return state.isOver;
        },
        get isDisposed() {
          return state.isDisposed;
        },
        get shown() {
          return state.shown;
        },
        type: (text) => command.onInput(text),
        resize: (columns, rows) => command.onResized({ columns, rows }),
        close: () => command.onClosed(),
      });
      return {
        write: (text) => {
          // As much as a terminal scrolls back, more or less.
          state.text += text;
          if (state.text.length > 4_000_000) state.text = state.text.slice(-1_000_000);
        },
        keepTo: (size) => {
          state.kept = size;
        },
        show: () => {
          state.shown++;
        },
        ended: () => {
          state.isOver = true;
        },
        dispose: () => {
          state.isDisposed = true;
        },
      };
    },
  };
}
