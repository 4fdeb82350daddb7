import { Emitter } from '#base/emitter';
import type { Pty, TerminalSize } from '#commands/pty';
import type { ShellKind } from '#commands/shell-words';
import { type LogPage, OutputLog } from './output-log';
import type { LongEnd, RunningProcess } from './process';
import { mayBeShell } from './programs';
import { ScreenText } from './screen-text';
import { type PieceFilter, Spoken } from './spoken';
import { TypedLine } from './typed-line';

/** Who ended it, where it wasn't itself. */
export type EndedBy = 'agent' | 'person' | 'window';

/** Who may type. */
export type Keyboard = 'agent' | 'person';

/** What a command is made of, beside its process. */
export interface BackgroundParts {
  readonly command: string;
  readonly shell: ShellKind;
  readonly terminal: Pty | undefined;
  readonly size: TerminalSize;
  /** One for what the model reads, one for what the person looks at. */
  filter(): PieceFilter;
}

/** What has been printed since, and whether that is all. */
export interface OutputNow extends LogPage {
  /** A line that hasn't ended. */
  readonly unfinished: string;
}

/** Lets go of so much memory when it is over: the rest is an artifact by then. */
const KEPT_AFTER_END = 65_536;
/** A line is rarely written in one piece. */
const SETTLE_MS = 40;

/** A command that runs beside the conversation: what it printed, who may type into it, how it ended. */
export class BackgroundCommand {
  readonly isShell: boolean;
  readonly typed = new TypedLine();
  readonly #parts: BackgroundParts;
  readonly #log = new OutputLog();
  readonly #spoken: Spoken;
  readonly #screen = new ScreenText();
  readonly #decoder = new TextDecoder();
  readonly #shown: PieceFilter;
  readonly #drawn = new Emitter<string>();
  readonly #changed = new Emitter<void>();
  #process: RunningProcess | undefined;
  #size: TerminalSize;
  #keyboard: Keyboard = 'agent';
  #token = 1;
  #endedBy: EndedBy | undefined;
  #end: LongEnd | undefined;
  /** The unfinished line that the model has seen. */
  #lineSeen = '';

  /** What a terminal shows of it, piece by piece. */
  readonly onDrawn = this.#drawn.event;
  /** It printed something, ended, or another one has the keyboard. */
  readonly onChanged = this.#changed.event;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
    this.#size = parts.size;
    this.isShell = mayBeShell(parts.command, parts.shell);
    this.#spoken = new Spoken(parts.filter());
    this.#shown = parts.filter();
  }

  /** Every piece of its output, from the process. */
  readonly take = (chunk: Buffer): void => {
    this.#log.push(this.#spoken.push(chunk));
    this.#draw(this.#screen.push(this.#decoder.decode(chunk, { stream: true })));
    this.#changed.emit();
  };

  /** It runs from now on. Fulfilled when it has ended and all of its output is here. */
  async run(process: RunningProcess): Promise<LongEnd> {
    this.#process = process;
    const end = await process.ended;
    this.#log.push(this.#spoken.flush());
    this.#draw(this.#screen.push(this.#decoder.decode()) + this.#screen.flush());
    this.#drawn.emit(this.#shown.flush());
    this.#end = end;
    this.#changed.emit();
    return end;
  }

  get end(): LongEnd | undefined {
    return this.#end;
  }

  get endedBy(): EndedBy | undefined {
    return this.#endedBy;
  }

  get hasTerminal(): boolean {
    return this.#parts.terminal !== undefined;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  get keyboard(): Keyboard {
    return this.#keyboard;
  }

  /** Names this holding of the keyboard: after the person had it, it is another. Undefined while the person has it. */
  get token(): string | undefined {
    return this.hasTerminal && this.#keyboard === 'agent' ? `keyboard-${this.#token}` : undefined;
  }

  /** Bytes printed so far. */
  get bytes(): number {
    return this.#log.end;
  }

  output(offset: number, maxBytes: number): OutputNow {
    const page = this.#log.read(offset, maxBytes);
    const unfinished = page.next === page.end && !this.#end ? this.#spoken.unfinished : '';
    this.#lineSeen = unfinished;
    return { ...page, unfinished };
  }

  /** Resolves when there is something that `output` of this offset hasn't given, when it has ended, or in time. */
  async news(offset: number, ms: number, signal: AbortSignal): Promise<void> {
    const isNews = () =>
      this.#end !== undefined || this.#log.end > offset || this.#spoken.unfinished !== this.#lineSeen;
    if (ms <= 0 || isNews()) return;
    await new Promise<void>((resolve) => {
      let settle: NodeJS.Timeout | undefined;
      const timer = setTimeout(done, ms);
      const listening = this.onChanged(() => {
        if (this.#end) done();
        else if (isNews()) settle ??= setTimeout(done, SETTLE_MS);
      });
      signal.addEventListener('abort', done, { once: true });
      function done() {
        clearTimeout(timer);
        clearTimeout(settle);
        listening.dispose();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
    signal.throwIfAborted();
  }

  whole(): string {
    return this.#log.whole();
  }

  last(bytes: number): string {
    return this.#log.last(bytes);
  }

  /** What it printed is kept elsewhere now. */
  shrink(): void {
    this.#log.shrink(KEPT_AFTER_END);
  }

  /** The agent types; whoever calls has looked at the token. */
  type(text: string): void {
    this.typed.take(text, this.#parts.shell);
    this.#parts.terminal?.write(text);
  }

  /** The person types, and has the keyboard from now on. False where nobody can type. */
  typeAsPerson(text: string): boolean {
    if (!this.#parts.terminal || this.#end) return false;
    this.#hold('person');
    // What they leave on the line stands before what the agent types later.
    this.typed.take(text, this.#parts.shell);
    this.#parts.terminal.write(text);
    return true;
  }

  giveBack(): void {
    if (this.#keyboard === 'person') this.#token++;
    this.#hold('agent');
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    if (!this.#end) this.#parts.terminal?.resize(size);
    this.#changed.emit();
  }

  /** Ends it and all that it started. */
  async stop(by: EndedBy, graceMs: number): Promise<void> {
    if (this.#end) return;
    this.#endedBy ??= by;
    await this.#process?.stop(graceMs);
  }

  #hold(by: Keyboard): void {
    if (this.#keyboard === by) return;
    this.#keyboard = by;
    this.#changed.emit();
  }

  #draw(text: string): void {
    // A terminal begins a line where the last one ended, unless it is told to return; a PTY tells it.
    const shown = this.#shown.push(this.hasTerminal ? text : text.replace(/\r?\n/g, '\r\n'));
    if (shown !== '') this.#drawn.emit(shown);
  }
}
