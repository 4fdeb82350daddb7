import type { Mode } from './settings';
import type { FileOperation } from './tool-result';

/** A session as the list shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970 of the last event. */
  readonly at: number;
  readonly running: boolean;
  readonly waiting: number;
}

/** A model that can be picked. */
export interface ModelChoice {
  readonly id: string;
  readonly name: string;
  /** Provider and where it runs: "Anthropic", "Ollama on this machine". */
  readonly detail: string;
}

/** A command for the composer. */
export interface SlashCommand {
  /** Without the slash: "undo". */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
}

/** Something that can be attached and isn't a file, with whose it is. */
export interface ResourceChoice {
  readonly uri: string;
  readonly name: string;
  readonly owner: string;
  readonly description: string;
}

/** A file that the bar lists: its lines over all turns, and the first of these turns, whose beginning is its old side. */
export interface ChangedFile {
  readonly path: string;
  readonly turn: number;
  readonly operation: FileOperation;
  readonly added: number;
  readonly removed: number;
}

/** A command that runs beside the conversation, or has just ended. */
export interface BackgroundRow {
  readonly id: string;
  readonly command: string;
  readonly running: boolean;
  /** How it ended; empty while it runs. */
  readonly ending: string;
  /** The person typed into its terminal: the agent can't until it is given back. */
  readonly taken: boolean;
}

/** Everything around the transcript. Sent whole whenever any of it changes: it is small. */
export interface PanelState {
  readonly folder:
    | { readonly kind: 'none' }
    | { readonly kind: 'choose'; readonly names: readonly string[] }
    | { readonly kind: 'open'; readonly name: string };
  readonly trusted: boolean;
  readonly sessionId: string | undefined;
  readonly sessions: readonly SessionSummary[];
  readonly modes: readonly Mode[];
  readonly models: readonly ModelChoice[];
  readonly modelId: string | undefined;
  readonly running: boolean;
  /** Another window writes to this session. */
  readonly elsewhere: boolean;
  readonly suggestions: readonly string[];
  readonly slashCommands: readonly SlashCommand[];
  readonly sandbox: { readonly active: boolean; readonly words: string };
  /** Belay can't work at all: what happened, what was kept, what to do. */
  readonly problem?: { readonly title: string; readonly detail: string };
  /** The one session of this place isn't to be had: why, and what stays. */
  readonly gone?: { readonly title: string; readonly detail: string };
  /** A recovered crash not yet answered by the person. */
  readonly interrupted: boolean;
  /** The turns and files that *Review*, *Keep*, *Undo* of the bar mean. */
  readonly changes: {
    readonly files: number;
    readonly added: number;
    readonly removed: number;
    readonly turns: readonly number[];
    readonly paths: readonly string[];
    readonly notUndoable: readonly string[];
    /** The same files by path, with their lines over all these turns. */
    readonly list: readonly ChangedFile[];
  };
  readonly background: readonly BackgroundRow[];
  /** The last undo can be taken back whole. */
  readonly canRedo: boolean;
  /** Of the last undo that has files these can be brought back. */
  readonly canRedoFiles: boolean;
}
