/** What a command would do, harmless to worst. */
const COMMAND_CLASSES = ['read-only', 'workspace-write', 'network', 'execute', 'forbidden'] as const;
export type CommandClass = (typeof COMMAND_CLASSES)[number];

/** The worst of several; nothing at all is harmless. */
export function worstOf(classes: readonly CommandClass[]): CommandClass {
  return COMMAND_CLASSES[Math.max(0, ...classes.map((each) => COMMAND_CLASSES.indexOf(each)))] ?? 'execute';
}

/** A word as the tables see it. Only `literal` words say what they are; a `glob` becomes names of files. */
export interface TableWord {
  readonly text: string;
  /** `status` holds `$?` or its like, `output` what commands of this line print: harmless as text, nothing else. */
  readonly kind: 'literal' | 'glob' | 'status' | 'output' | 'unknown';
}

/** A path that a command reads. */
export interface ReadPath {
  readonly text: string;
  readonly glob: boolean;
  /** When it is a folder, the contents of all files in it are read. */
  readonly deep: boolean;
  /** With `deep`: and what links in it lead to. */
  readonly follows?: boolean;
}

/** What of a repository's files a command prints the contents of. */
export interface PrintedFiles {
  /** Files and folders, as named behind `--`; absent: any that is tracked. */
  readonly under?: readonly string[];
}

/** That a command surely only reads, and what. */
export interface Reads {
  readonly paths: readonly ReadPath[];
  /** Holds only where its own configuration can't name programs to run: git. */
  readonly hardened?: true;
  /** Prints what is in files that the repository tracks and the line doesn't name. */
  readonly prints?: PrintedFiles;
  /** Goes there, so that what follows on the line starts from it: `cd`. */
  readonly moves?: true;
}

/** Why a command isn't known to only read, and what it is instead. */
export interface NotReads {
  readonly class: Exclude<CommandClass, 'read-only' | 'forbidden'>;
  readonly why: string;
}

/** Judges the words after a command's name. */
export type Judge = (args: readonly TableWord[]) => Reads | NotReads;

/** `execute` with a reason: whatever isn't in the tables may run anything. */
export function executes(why: string): NotReads {
  return { class: 'execute', why };
}

/** `workspace-write` with a reason. */
export function writes(why: string): NotReads {
  return { class: 'workspace-write', why };
}
