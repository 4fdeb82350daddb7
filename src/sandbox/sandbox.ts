/** A command to confine. All paths are absolute. */
export interface SandboxRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What the command gets; the launcher gets no more. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  /** Writable inside, but for the protected names in it. */
  readonly workspaceRoot: string;
  /** More writable paths; `~/` stands for the home folder. */
  readonly writable: readonly string[];
  /** Paths to hide besides the well-known credentials; `~/` stands for the home folder. */
  readonly hidden: readonly string[];
  /** Gitignore-style names that stay read-only in the workspace where they exist. */
  readonly protectedNames: readonly string[];
  readonly home: string;
  /** Belay's own folder (database, blobs): hidden, but for the caches in it. */
  readonly storage: string;
  /** Writable; outside the workspace. */
  readonly caches: string;
}

/** What to spawn, without a shell, with exactly this environment. */
export interface SandboxLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Call when the command has ended. */
  cleanup(): Promise<void>;
}

/** Confines commands, or says why it can't. One per workspace folder. */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'none';
  /** False means that commands run with all that the user may do. */
  readonly active: boolean;
  /** For people: what holds the commands, or why nothing does and what to do about it. */
  readonly words: string;
  wrap(request: SandboxRequest): Promise<SandboxLaunch>;
}

/** Set inside a sandbox of Belay's, so that a Belay in it knows not to nest. */
export const INSIDE = 'BELAY_SANDBOX';
