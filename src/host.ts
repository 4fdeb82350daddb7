import type { Disposable } from '#base/disposable';
import type { Result } from '#base/result';
import type { Encodings } from '#host/encodings';
import type { ExtensionTools } from '#host/extension-tools';
import type { Intelligence } from '#host/intelligence';
import type { Questions } from '#host/questions';
import type { SignIn, Vault } from '#host/sign-in';
import type { Terminals } from '#host/terminals';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { Settings } from '#protocol/settings';

/** Everything the agent may ask of the world. Each port has a VS Code side, a Node side and a working fake. */
export interface Host {
  readonly files: Files;
  readonly documents: Documents;
  readonly encodings: Encodings;
  readonly intelligence: Intelligence;
  readonly prompter: Prompter;
  /** Absent where nobody watches. */
  readonly terminals?: Terminals;
  /** Absent where nobody is there to be asked. */
  readonly questions?: Questions;
  /** Absent where no browser comes back. */
  readonly signIn?: SignIn;
  /** Absent where nothing may be kept. */
  readonly vault?: Vault;
  /** Absent where there are no other extensions. */
  readonly extensionTools?: ExtensionTools;
  readonly secrets: Secrets;
  readonly settings: SettingsSource;
  readonly trust: Trust;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  readonly log: Log;
}

/** What stands at a path. */
export type FileKind = 'file' | 'folder' | 'symlink' | 'fifo' | 'socket' | 'device' | 'other';

/** What lstat says. `identity` is device and inode: equal means the very same file. `mtimeNs` in nanoseconds. `owner`: user id, 0 on Windows. */
export interface FileStat {
  readonly kind: FileKind;
  readonly bytes: number;
  readonly mode: number;
  readonly links: number;
  readonly mtimeNs: bigint;
  readonly identity: string;
  readonly owner: number;
}

/** The bytes of a file and what they hash to. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly sha256: Sha256;
  readonly stat: FileStat;
}

/** A file could not be read or a change could not land. `message` ends in what to do. */
export interface FileProblem {
  readonly kind:
    | 'missing'
    | 'exists'
    | 'not-a-file'
    | 'too-large'
    | 'changed'
    | 'dirty'
    | 'denied'
    | 'lossy'
    | 'failed';
  readonly message: string;
}

/** One change to one path, landed whole or not at all. Paths are checked, absolute, symlinks resolved; a link's own path is that of its folder. */
export type Landing =
  | {
      readonly kind: 'create';
      readonly path: AbsolutePath;
      readonly bytes: Uint8Array;
      readonly mode?: number;
      /** The target of the symbolic link whose place it takes; nothing may stand there when absent. */
      readonly insteadOf?: string;
    }
  /**
   * `exact`: these very bytes, past whatever a save in the editor would do to them.
   * `beforeChange`: called once, when all is prepared; the file changes after it is fulfilled, and not at all when it rejects.
   * `before`: what was read there a moment ago, instead of reading it again; the file must still be that one right before the change.
   */
  | {
      readonly kind: 'replace';
      readonly path: AbsolutePath;
      readonly bytes: Uint8Array;
      readonly expected: Sha256;
      readonly mode?: number;
      readonly exact?: boolean;
      readonly beforeChange?: () => Promise<unknown>;
      readonly before?: FileContent;
    }
  | {
      readonly kind: 'rename';
      readonly path: AbsolutePath;
      readonly to: AbsolutePath;
      readonly expected: Sha256;
    }
  | { readonly kind: 'delete'; readonly path: AbsolutePath; readonly expected: Sha256 }
  /** `mode`: permission bits, also of one that is there already; as the system gives them to new folders when absent. */
  | { readonly kind: 'make-folder'; readonly path: AbsolutePath; readonly mode?: number }
  /** Permission bits of a folder, which must still be the expected ones. */
  | {
      readonly kind: 'folder-bits';
      readonly path: AbsolutePath;
      readonly expected: number;
      readonly mode: number;
    }
  | { readonly kind: 'remove-empty-folder'; readonly path: AbsolutePath }
  /** A symbolic link with that target, never followed. `insteadOf`: what it takes the place of; nothing may stand there when absent. */
  | {
      readonly kind: 'make-link';
      readonly path: AbsolutePath;
      readonly target: string;
      readonly insteadOf?: LinkedOrFile;
    }
  /** A symbolic link that must still have that target. */
  | { readonly kind: 'remove-link'; readonly path: AbsolutePath; readonly target: string };

/** A symbolic link by its target, or a regular file by its content. */
export type LinkedOrFile = { readonly target: string } | { readonly sha256: Sha256 };

/** What a change came to. */
export interface Landed {
  /** `editor` when an open document was edited and saved, `in-place` when a rename over the target wasn't possible. */
  readonly via: 'disk' | 'editor' | 'in-place';
  /** What is on disk now, read back; absent for folders and deletions. It may differ from what was asked: format on save. */
  readonly after?: { readonly sha256: Sha256; readonly bytes: number; readonly mode: number };
  /** For the model and the person: "format on save changed the file further". */
  readonly notes: readonly string[];
}

/** Files as they are on disk; changes land whole or not at all. */
export interface Files {
  /** lstat; undefined when nothing is there. Other errors throw. */
  stat(path: AbsolutePath): Promise<FileStat | undefined>;
  /** Resolves all symlinks; undefined when nothing is there (only ENOENT and ENOTDIR count as nothing). */
  realPath(path: string): Promise<AbsolutePath | undefined>;
  /** Names and kinds; throws when it isn't a folder. */
  list(path: AbsolutePath): Promise<readonly { readonly name: string; readonly kind: FileKind }[]>;
  /**
   * Reads a regular file without following a last-component symlink, beginning at byte `from`. At most `maxBytes` (+1 to know of more).
   * Never hangs on special files.
   */
  read(
    path: AbsolutePath,
    options?: { readonly maxBytes?: number; readonly from?: number },
  ): Promise<Result<FileContent & { readonly more: boolean }, FileProblem>>;
  /**
   * What is written in a symbolic link. Undefined when it is none (any more), and of one that can't be made again from a text: bytes
   * that are no UTF-8, and Windows, where links are of several kinds.
   */
  readLink(path: AbsolutePath): Promise<string | undefined>;
  land(change: Landing): Promise<Result<Landed, FileProblem>>;
}

/** What the person has open and not saved. */
export interface Documents {
  /** Unsaved text of that file, or undefined when there is none. */
  dirtyText(path: AbsolutePath): string | undefined;
  dirtyPaths(): readonly AbsolutePath[];
  /** Whether a notebook of that file is open with unsaved changes: they can't be had as text. Absent where there are no notebooks. */
  dirtyNotebook?(path: AbsolutePath): boolean;
  /** Notes from now on what is saved from an editor, also what is just being saved. Absent where there are no editors. */
  watchSaves?(): SavesWatch;
}

/** Which files were saved since it was made. */
export interface SavesWatch extends Disposable {
  paths(): ReadonlySet<AbsolutePath>;
}

/** Asks a person. Resolves with an answer or rejects when the signal aborts. A headless run denies, a test is scripted. */
export interface Prompter {
  ask(
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<{ readonly answer: ApprovalAnswer; readonly by: AnsweredBy }>;
}

/** Keys and the like that Belay keeps for the person. Only what stores them can read or change them one by one. */
export interface Secrets {
  /** Values to redact wherever text leaves the conversation, longest first. */
  values(): readonly string[];
}

/** The person's settings, read anew each time they matter. */
export interface SettingsSource {
  current(): Settings;
}

/** Whether the person trusts the folder; asked each time it matters, since the answer may become yes. */
export interface Trust {
  isTrusted(): boolean;
}

/** What time it is. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds from any fixed moment, never going back. */
  monotonic(): number;
}

/** Where ids come from. */
export interface Random {
  /** A new id of letters and digits, unique for practical purposes, sortable by time where the host can. */
  id(): string;
}

/** The machine and the process that Belay runs in. */
export interface Environment {
  readonly platform: NodeJS.Platform;
  readonly home: AbsolutePath;
  /** The environment Belay itself was started with; commands get a filtered one. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where Belay keeps what outlives a session: database, blobs, caches. */
  readonly storage: AbsolutePath;
  /** The path of the bundled ripgrep. */
  readonly ripgrep: AbsolutePath;
  readonly shell: string;
}

/** For who looks for a fault: never a key, never a file's content. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
