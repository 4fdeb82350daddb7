import type { CommandChange } from '#protocol/checkpoint';
import type { RelativePath } from '#protocol/ids';

/** A foreground command as the tool asks for it; the gates decided how it is confined. */
export interface CommandRequest {
  readonly command: string;
  /** Workspace-relative folder. */
  readonly cwd: RelativePath;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onOutput?(chunk: string): void;
}

/** How a command ended, and what came of it. */
export interface CommandOutcome {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly durationMs: number;
  /** Merged stdout and stderr as people and models read it: ANSI gone, carriage returns collapsed, head and tail kept. */
  readonly output: string;
  /** Characters left out of `output`. */
  readonly omitted: number;
  /** The whole output when `output` had to be cut, as the artifact keeps it. */
  readonly whole?: string;
  /** Children that were still alive when the command ended and were killed: "sleep 60 (pid 123)". */
  readonly killed: readonly string[];
  /** What the command was confined by: "bubblewrap", "none". */
  readonly sandbox: string;
  /** What changed on disk while it ran, as far as it was seen. */
  readonly changes: readonly CommandChange[];
  readonly notes: readonly string[];
}

/** Runs what the gates let through, and nothing else. */
export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandOutcome>;
}
