import type { Resources } from '#agent/contributed/resources';
import type { Redactor } from '#agent/redaction/redactor';
import type { Checkpoints } from '#checkpoints/checkpoints';
import type { Launchers } from '#commands/launchers';
import type { deniedReads } from '#gates/denied-reads';
import type { SettingsFiles } from '#gates/settings-files/settings-file';
import type { Host } from '#host';
import type { ModelSource } from '#models/model';
import type { SessionId } from '#protocol/ids';
import type { Sandbox } from '#sandbox/sandbox';
import type { LeaseOwner } from '#store/leases';
import type { Store } from '#store/store';
import type { Workspace } from '#tools/paths';
import type { ToolTable } from '#tools/toolbox';
import type { CommandsAtWork } from './commands-at-work';
import type { Pace } from './pace';

/** What all sessions of one folder share. */
export interface Core {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly store: Store;
  /** The policy's, the user's and the project's. */
  readonly settingsFiles: SettingsFiles;
  readonly checkpoints: Checkpoints;
  readonly models: Pick<ModelSource, 'get'>;
  readonly owner: LeaseOwner;
  /** The tools as they are now; a step keeps the table that it began with. */
  table(): ToolTable;
  /** What people may attach besides files. */
  readonly resources: Resources;
  /** Probed at first use. */
  sandbox(): Promise<Sandbox>;
  /** Starts the commands of all of them. */
  readonly launchers: Launchers;
  /** Which commands run now: what changes meanwhile may be the work of any of them. */
  readonly atWork: CommandsAtWork;
  /** What rules keep from being read, for the sandbox to mask. */
  readonly deniedReads: ReturnType<typeof deniedReads>;
  /** Takes secrets out of whatever leaves the conversation. */
  readonly redactor: Redactor;
  readonly pace?: Pace | undefined;
  /** Ask as if a sandbox worked, so that questions are the same on every machine (scenarios). */
  readonly assumeSandbox: boolean;
  /** The list of sessions or a checkpoint changed. */
  changed(): void;
  /** What another window had left open was brought to an end here, after the start. */
  tellRecovered(session: {
    readonly id: SessionId;
    readonly title: string;
    readonly notes: readonly string[];
  }): void;
}
