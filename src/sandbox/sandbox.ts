import type { AllowedHosts } from '#sandbox/allowed-hosts/allowed-hosts';
import type { DeniedReads } from './workspace-walk';

/** What is the same for all commands of a workspace. All paths are absolute. */
export interface SandboxPlace {
  /** Writable inside, but for the protected names in it. */
  readonly workspaceRoot: string;
  /** More writable paths; `~/` stands for the home folder. */
  readonly writable: readonly string[];
  /** Paths to hide besides the well-known credentials; `~/` stands for the home folder. */
  readonly hidden: readonly string[];
  /** Gitignore-style names that stay read-only in the workspace where they exist. */
  readonly protectedNames: readonly string[];
  /** Rules that keep paths of the workspace from being read; absent where there are none. */
  readonly deniedReads?: DeniedReads | undefined;
  readonly home: string;
  /** Belay's own folder (database, blobs): hidden, but for the caches in it. */
  readonly storage: string;
  /** No command may write to the workspace. */
  readonly workspaceReadOnly?: boolean;
}

/** One command to confine. */
export interface SandboxedCommand {
  /** The first process of its namespace: whoever is left when it ends dies with it. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What the command gets; the launcher gets no more. Where it is handed over piece by piece, its order is kept. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  /** Nothing of the workspace can be written to either. */
  readonly workspaceReadOnly?: boolean;
  /** Writable; outside the workspace. */
  readonly caches: string;
}

export type SandboxRequest = SandboxPlace & SandboxedCommand;

/** What to spawn, without a shell, with exactly this environment. */
export interface SandboxLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Open files that the launcher reads; they must be its descriptors from 4 on. */
  readonly files?: readonly number[];
  /** The same in two parts, for a launcher that is started before there is a command and waits to be told on a descriptor. */
  readonly ahead?: {
    readonly args: readonly string[];
    readonly told: readonly string[];
    readonly toldOn: number;
    /** New ones for one more launch; whoever starts it closes them. */
    files(): readonly number[];
  };
  /** What of the workspace the command doesn't see: absolute paths of files and folders, links resolved. */
  readonly masked?: readonly string[];
  /** Which files that were held are others now, for when the command has ended. Absolute paths. */
  replaced?(): readonly string[];
  /** Once, when the command has ended or wasn't started: closes the files and clears up in the workspace. */
  release?(): void;
}

/** Something in the workspace would make the protection an illusion: the command must not run. The message ends in what to do. */
export class SandboxRefusal extends Error {}

/** Confines commands, or says why it can't. One per workspace folder. */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'namespaces' | 'seatbelt' | 'none';
  /** False means that commands run with all that the user may do. */
  readonly active: boolean;
  /** For people: what holds the commands, or why nothing does and what to do about it. */
  readonly words: string;
  /** What commands reach without the network; absent where that is nothing. */
  readonly hosts?: AllowedHosts;
  /** Rejects with a SandboxRefusal when the command must not run. */
  wrap(request: SandboxRequest): Promise<SandboxLaunch>;
}

/** A sandbox for one place: it takes commands alone. */
export function confinedTo(
  place: SandboxPlace,
  sandbox: Sandbox,
): { readonly kind: Sandbox['kind']; wrap(command: SandboxedCommand): Promise<SandboxLaunch> } {
  return { kind: sandbox.kind, wrap: (command) => sandbox.wrap({ ...place, ...command }) };
}

/** Set inside a sandbox of Belay's, so that a Belay in it knows not to nest. */
export const INSIDE = 'BELAY_SANDBOX';
