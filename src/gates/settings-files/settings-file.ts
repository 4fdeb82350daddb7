import type { RuleSource } from '#gates/rules/sources';
import type { AbsolutePath } from '#protocol/ids';

/** Where a settings file stands: the administrator's, the user's own, or one that came with the folder. */
export type SettingsOrigin = 'policy' | 'user' | 'project';

/** One settings file as it is on disk now, read leniently. */
export interface SettingsFile {
  /** For people: ".belay/settings.json". */
  readonly name: string;
  readonly path: AbsolutePath;
  readonly origin: SettingsOrigin;
  readonly dialect: 'belay' | 'claude';
  /** What opens or runs something counts: owner and mode are fine, or the user accepted this very content. Denies and asks count anyway. */
  readonly counts: boolean;
  /** Holds no allow rules where `counts` is false. */
  readonly rules: RuleSource;
  /** As written, in Claude Code's shape; only to be run where `counts`. */
  readonly hooks: unknown;
  /** Only of the policy. */
  readonly forbids?: Forbids;
  readonly problems: readonly FileProblem[];
}

/** What a policy forbids, whatever any other file, rule, mode or answer says. */
export interface Forbids {
  readonly modes: readonly string[];
  /** Names of tools as rules write them; `mcp__github` takes in all of that server. */
  readonly tools: readonly string[];
  readonly mcpServers: readonly string[];
  /** No hooks but the policy's own. */
  readonly hooks: boolean;
}

/** What couldn't be used of a file, in words for the person who wrote it. */
export interface FileProblem {
  /** From 1; absent where the whole file is meant. */
  readonly line?: number;
  readonly words: string;
}

/** The settings files of one workspace, strong to weak: policy, user, project. */
export interface SettingsFiles {
  /** As last read; a snapshot that never changes under its reader. */
  current(): readonly SettingsFile[];
  /** Looks at the disk again; before each step, so that an edit counts at once. Never rejects: what can't be read is a problem of its file. */
  refresh(): Promise<void>;
}
