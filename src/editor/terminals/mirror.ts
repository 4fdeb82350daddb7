import * as vscode from 'vscode';
import type { ShownCommand } from '#host/terminals';

type Size = NonNullable<ShownCommand['size']>;

/** Characters that wait for a terminal that hasn't opened yet: what is fired before is lost. */
const MOST_WAITING = 262_144;

/** A terminal that shows what a command prints and hands on what a person types. */
export class Mirror implements vscode.Pseudoterminal {
  readonly #command: ShownCommand;
  readonly #write = new vscode.EventEmitter<string>();
  readonly #dimensions = new vscode.EventEmitter<vscode.TerminalDimensions | undefined>();
  #waiting: string | undefined = '';
  #kept: Size | undefined;
  #isLeft = false;
  #isOver = false;

  readonly onDidWrite = this.#write.event;
  readonly onDidOverrideDimensions = this.#dimensions.event;

  constructor(command: ShownCommand) {
    this.#command = command;
    this.#kept = command.size;
  }

  open(): void {
    this.#override();
    const waiting = this.#waiting ?? '';
    this.#waiting = undefined;
    if (waiting !== '') this.#write.fire(waiting);
  }

  write(text: string): void {
    if (this.#waiting === undefined) this.#write.fire(text);
    else this.#waiting = (this.#waiting + text).slice(-MOST_WAITING);
  }

  keepTo(size: Size | undefined): void {
    this.#kept = size;
    this.#override();
  }

  /** What a command draws is drawn for its own size, whatever place there is. */
  #override(): void {
    this.#dimensions.fire(this.#kept);
  }

  handleInput(text: string): void {
    this.#command.onInput(text);
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    if (!this.#isOver && this.#kept === undefined) this.#command.onResized({ columns, rows });
  }

  /** It stays to be read. */
  ended(): void {
    this.#isOver = true;
  }

  /** The terminal goes, and nobody closed it. */
  leave(): void {
    this.#isLeft = true;
  }

  close(): void {
    if (!this.#isLeft) this.#command.onClosed();
    this.#isLeft = true;
    this.#write.dispose();
    this.#dimensions.dispose();
  }
}
