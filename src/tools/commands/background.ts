import type { Result } from '#base/result';
import type { RelativePath } from '#protocol/ids';

/** A background command as tools see it. */
export interface BackgroundStatus {
  /** "c1": counts up in its session. */
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly cwd: RelativePath;
  readonly network: boolean;
  /** What it is confined by: "bubblewrap", "none". */
  readonly sandbox: string;
  readonly isRunning: boolean;
  /** How long it has run, or ran. */
  readonly ms: number;
  /** How it ended, in words; absent while it runs. */
  readonly ending?: string;
  /** Bytes printed so far. */
  readonly bytes: number;
  /** What is typed into it may be a shell's to carry out. */
  readonly isShell: boolean;
  readonly terminal?: {
    readonly columns: number;
    readonly rows: number;
    readonly keyboard: 'agent' | 'person';
    /** Absent while the person has the keyboard. */
    readonly token?: string;
  };
}

/** Some of its output. Offsets count bytes from its very first one. */
export interface BackgroundOutput {
  readonly text: string;
  readonly start: number;
  readonly next: number;
  readonly end: number;
  /** Bytes between the offset that was asked for and `start` that aren't kept here. */
  readonly dropped: number;
  /** A line that hasn't ended, such as a prompt. */
  readonly unfinished: string;
  /** Where all that was kept is, once it has ended and was long. */
  readonly artifact?: string;
}

/** What may be known of the session's background commands before anything is allowed. */
export interface BackgroundLook {
  list(): readonly BackgroundStatus[];
  get(id: string): BackgroundStatus | undefined;
  /** What a shell would carry out if this were typed, with what stands on its line already; and what makes that unsure. */
  typing(
    id: string,
    text: string,
  ): { readonly line: string; readonly doubt?: 'keys' | 'history' | 'comment' };
}

/** What to start, as the tool asks for it; the gates decided how it is confined. */
export interface BackgroundRequest {
  readonly command: string;
  readonly description: string;
  readonly cwd: RelativePath;
  readonly network: boolean;
  readonly pty: boolean;
}

/** The session's background commands, for a call that passed the gates. What can't be done is words that say why. */
export interface BackgroundCommands extends BackgroundLook {
  start(request: BackgroundRequest): Promise<BackgroundStatus>;
  output(
    id: string,
    page: {
      readonly offset: number;
      readonly maxBytes: number;
      readonly waitMs: number;
      readonly signal: AbortSignal;
    },
  ): Promise<BackgroundOutput>;
  input(id: string, token: string, text: string): Result<void, string>;
  resize(
    id: string,
    token: string,
    size: { readonly columns: number; readonly rows: number },
  ): Result<void, string>;
  cancel(id: string): Promise<void>;
}
