/** The shells whose lines are looked at. Only bash and sh have a grammar here; the rest is judged by word. */
export type ShellKind = 'bash' | 'sh' | 'powershell' | 'cmd' | 'other';

/** A part of a word as the shell would treat it. */
export type WordPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `*`, `?`, `[…]` and extended globs. `all` when it matches any name at all. */
  | { readonly kind: 'glob'; readonly text: string; readonly all: boolean }
  /** `{a,b}` as written, braces included. */
  | { readonly kind: 'brace'; readonly text: string }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** Unquoted values are split at blanks into several words. */
      readonly quoted: boolean;
      /** `${a[1]}`: one element, by its number. */
      readonly index?: number;
      /** `${!X}`: the value is the name of another variable. */
      readonly indirect?: true;
      /** `${X:-word}` and its relatives. */
      readonly otherwise?: ShellWord;
      /** Never empty: `${X:?}` ends the shell first, `$#` and `$$` are numbers. */
      readonly guarded: boolean;
    }
  /** `<(…)` and `>(…)`: the name of a pipe; what runs behind it is a command of the line. */
  | { readonly kind: 'pipe'; readonly text: string }
  /** What a substitution prints. */
  | { readonly kind: 'output'; readonly script: string; readonly quoted: boolean }
  | { readonly kind: 'unknown'; readonly text: string };

export interface ShellWord {
  /** Exactly as written. */
  readonly source: string;
  /** With quotes and escapes resolved where the word is literal, else as written. */
  readonly text: string;
  /** Stands for exactly `text`: no expansion, glob, brace or tilde in it. */
  readonly literal: boolean;
  readonly pieces: readonly WordPiece[];
}

export interface ShellAssignment {
  readonly name: string;
  /** Several for an array; undefined where the result isn't simply these (`+=`, an index). */
  readonly values: readonly ShellWord[] | undefined;
  /** With `+=`: what comes behind what is there, as an array's elements or as text. */
  readonly added?: { readonly words: readonly ShellWord[]; readonly elements: boolean };
  /** With a number as index: that element's value. */
  readonly element?: { readonly index: number; readonly word: ShellWord };
}

export interface ShellRedirect {
  readonly op: string;
  /** The text of a literal target; absent otherwise. */
  readonly target?: string;
  readonly word?: ShellWord;
  /** The body of a here-document or the text of a here-string. */
  readonly body?: string;
  /** The body stands there as it will be read: nothing in it but text and the output of commands of this line. */
  readonly plainBody?: boolean;
  readonly source: string;
}

/** A command without control flow: assignments, words and redirects. `words` may be empty (`> file`). */
export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  readonly source: string;
}

/** One command as the shell meets it. */
export interface CommandStep {
  readonly kind: 'command';
  readonly command: SimpleCommand;
  /** The simple command whose output is piped into this one. */
  readonly input?: SimpleCommand;
}

/** The line in the order in which a shell would meet it, for whoever must know where `cd` and `X=` apply. */
export type ShellStep =
  | CommandStep
  /** What happens between the two stays in a subshell: directory and variables come back after it. */
  | { readonly kind: 'scope-start' }
  | { readonly kind: 'scope-end' }
  /** What a function would do when it is called. Its commands stand behind this in a scope of their own, too. */
  | { readonly kind: 'function'; readonly name: string; readonly steps: readonly ShellStep[] }
  /** A loop variable; undefined when its values aren't on the line but those of `$@`. */
  | { readonly kind: 'loop'; readonly name: string; readonly values: readonly ShellWord[] | undefined }
  /** Something that starts itself, or others, without end. */
  | { readonly kind: 'bomb'; readonly source: string };

/**
 * What holds the simple commands of a line together: it is one of them; lists, pipes, groups and subshells; also control
 * flow and the background; or what changes the meaning of commands (functions) or computes (`[[`, `((`).
 */
export type Shape = (typeof SHAPES)[number];
/** Plain to intricate. */
export const SHAPES = ['command', 'list', 'flow', 'other'] as const;

/** What one command line says. */
export interface Understanding {
  /** Nothing in the line was left out of `commands` and `redirects`. */
  readonly understood: boolean;
  /** Why not, for people. */
  readonly why?: string;
  /** Every simple command of the tree: lists, pipes, control flow, functions, substitutions. */
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly ShellRedirect[];
  /** Set when the whole line is exactly one literal simple command without redirects or assignments. */
  readonly single?: SimpleCommand;
  readonly shape: Shape;
  /** Of a line with a `cd`: each command runs only once all before it have succeeded, so that it holds for what stands behind it. */
  readonly inOrder: boolean;
  readonly steps: readonly ShellStep[];
}
