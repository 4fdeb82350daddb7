import path from 'node:path';
import { extensionTools } from '#addons/extensions/extensions';
import { LSP_TOOLS } from '#addons/lsp/tools';
import { mcpContribution } from '#addons/mcp/contribution';
import type { McpControl } from '#addons/mcp/control';
import { ContributedPrompts } from '#agent/contributed/prompts';
import { Resources } from '#agent/contributed/resources';
import type { Contribution } from '#agent/contribution';
import type { Core } from '#agent/core';
import { indexInBackground } from '#agent/history/indexing';
import type { Pace } from '#agent/pace';
import { withRedactedLog } from '#agent/redaction/log';
import { createRedactor } from '#agent/redaction/redactor';
import { Sessions } from '#agent/sessions';
import { slashCommands } from '#agent/slash';
import { Storage } from '#agent/storage';
import { Tidying } from '#agent/tidying';
import { ToolSource } from '#agent/tool-source';
import { coreOf, type Place } from '#app/core';
import { type FolderSessions, folderSessions, type OutsideSession } from '#app/folder-sessions';
import { keepLooking, mcpServers } from '#app/mcp';
import { recoveryNotice, type StartNotice, setAsideNotice } from '#app/notices';
import { type Typed, type TypedAction, typedWith } from '#app/typed';
import type { Disposable } from '#base/disposable';
import { Emitter, type Event } from '#base/emitter';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { ShellKind } from '#commands/shell-words';
import { hiddenFiles } from '#disk/hidden-files';
import { type ExplainPlace, type Explanation, explainCommand, freshContext } from '#gates/explain';
import { SettingsLoader } from '#gates/settings-files/load';
import type { Host } from '#host';
import type { ModelSource } from '#models/model';
import { openStore } from '#store/store';
import { BUILTIN_TOOLS } from '#tools/builtin';

/** What the core is built with, beside its host. */
export interface AppOptions {
  /** The open folder; its real path becomes the root of every session. */
  readonly folder: string;
  readonly models: Pick<ModelSource, 'get'>;
  /** What addons bring. */
  readonly contributions?: readonly Contribution[];
  /** Holds the core at events: for scenarios and tests. */
  readonly pace?: Pace;
  /** Stands for the machine's policy file: for scenarios, which are to be the same everywhere. */
  readonly policy?: string;
  /** Ask as if a sandbox worked: for scenarios, whose questions shall be the same on every machine. */
  readonly assumeSandbox?: boolean;
}

/** What a person asked for with a slash in front. */
export type AppSlashAction = TypedAction;

/** A session as the outside sees it. */
export type AppSession = OutsideSession;

/** How a command line would be judged in a session. */
export type AppExplanation = Awaited<ReturnType<AppSession['explain']>>;

/** What is kept, as the outside sees it. */
export type AppStorage = Pick<Storage, keyof Storage>;

/** The settings files as the outside sees them. */
export type AppSettings = Pick<
  SettingsLoader,
  'current' | 'project' | 'answer' | 'permittedModes' | 'refresh' | 'onDidChange'
>;

/** The MCP servers as the outside sees and steers them. */
export type AppMcp = Pick<McpControl, keyof McpControl>;

/** The core, whole: one per open folder. */
export interface App extends Disposable, FolderSessions, Typed {
  /** The list of sessions, a turn's state, a checkpoint or the settings files changed. */
  readonly onDidChange: Event<void>;
  /** What is kept of all sessions of all folders. */
  readonly storage: AppStorage;
  readonly startNotices: readonly StartNotice[];
  /** The same for what was found after the start: a window that was reloading let go of its session. */
  readonly onNotice: Event<StartNotice>;
  /** Policy, user and project files: what they need of the person, and what the policy leaves. */
  readonly settings: AppSettings;
  /** The MCP servers of this folder. */
  readonly mcp: AppMcp;
  /** Stops what runs, waits for its end, closes the store. */
  close(): Promise<void>;
}

/** Why there is no core, in words for people. */
export interface AppProblem {
  readonly title: string;
  readonly detail: string;
}

/** Says how the gates would judge command lines, without a session and without running anything. */
export function commandExplainer(
  host: Host,
  place: Omit<ExplainPlace, 'shell' | 'hidden'>,
): (command: string, shell: ShellKind) => Promise<Explanation> {
  const hidden = hiddenFiles(place.root);
  return (command, shell) => explainCommand({ command }, freshContext(host, { ...place, shell, hidden }));
}

/** Builds the core for one folder and brings to an end what a crash left open in it. */
export async function createApp(given: Host, options: AppOptions): Promise<Result<App, AppProblem>> {
  const hidden = new Set<string>();
  const stored = () => [...given.secrets.values(), ...hidden];
  const redactor = createRedactor(stored, given.environment.variables);
  const host = withRedactedLog(given, redactor);
  const root = await host.files.realPath(options.folder);
  if (!root) {
    const detail = t('{0} is not there any more. Open another folder.', options.folder);
    return fail({ title: t('The folder is gone'), detail });
  }
  if ((await host.files.stat(root))?.kind !== 'folder') {
    const detail = t('{0} is a file. Open the folder it is in.', options.folder);
    return fail({ title: t('That is no folder'), detail });
  }
  const { storage } = host.environment;
  const opened = openStore({ path: path.join(storage, 'belay.db'), log: host.log, clock: host.clock });
  if (!opened.ok) {
    const title = t('Belay can’t open its database');
    return fail({ title, detail: opened.error.message });
  }
  const hide = (values: readonly string[]) => {
    for (const value of values) hidden.add(value);
  };
  return ok(await assemble(host, options, { root, store: opened.value, redactor, hide }));
}

async function assemble(host: Host, options: AppOptions, place: Place): Promise<App> {
  const { root, store } = place;
  const { models, pace, assumeSandbox = false } = options;
  const failed = (error: unknown) => host.log.error(`a listener failed: ${String(error)}`);
  const changes = new Emitter<void>(failed);
  const notices = new Emitter<StartNotice>(failed);
  const settings = new SettingsLoader(host, { root, acceptances: store.acceptances, policy: options.policy });
  await settings.refresh();
  const mcp = mcpServers(host, place, settings);
  const contributions = [...contributionsOf(host, options), mcpContribution(mcp, host)];
  const tools = new ToolSource([...BUILTIN_TOOLS, ...LSP_TOOLS], contributions, host.log);
  const resources = new Resources(contributions, host.log);
  const prompts = new ContributedPrompts(contributions, slashCommands(), host.log);
  const core: Core = {
    ...coreOf(host, { models, pace, assumeSandbox }, place),
    settingsFiles: settings,
    table: () => tools.table,
    resources,
    changed: () => changes.emit(),
    tellRecovered: (session) => notices.emit(recoveryNotice(session)),
  };
  const { checkpoints, launchers } = core;
  const sessions = new Sessions(core);
  const storage = new Storage(core, sessions);
  const tidying = new Tidying(storage, host);
  const startNotices = [
    ...setAsideNotice(store.setAside),
    ...settings.problems(),
    ...(await sessions.recoverAll()).map(recoveryNotice),
  ];
  settings.onProblem((problem) => notices.emit(problem));
  settings.onDidChange(() => changes.emit());
  keepLooking(mcp, settings, host);
  for (const contribution of contributions) contribution.onDidChange(() => changes.emit());
  const indexing = indexInBackground(store, host.log);
  const close = async () => {
    indexing.dispose();
    tidying.dispose();
    await Promise.all([sessions.close(), mcp.close()]);
    for (const part of [tools, checkpoints, settings, changes, notices, launchers]) part.dispose();
    store.close();
  };
  const shown = { settings, storage, mcp, startNotices, onDidChange: changes.event, onNotice: notices.event };
  const typed = typedWith(prompts, resources);
  return { ...shown, ...typed, ...folderSessions(core, sessions), ...ended(close, host) };
}

/** What is added to the built-in tools: what the caller brings, and what the editor's other extensions offer. */
function contributionsOf({ extensionTools: port, log }: Host, options: AppOptions): readonly Contribution[] {
  return [...(options.contributions ?? []), ...(port ? [extensionTools(port, log)] : [])];
}

/** Closes once, however often it is asked to. */
function ended(closeAll: () => Promise<void>, { log }: Host): Pick<App, 'close' | 'dispose'> {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll());
  return {
    close,
    dispose: () => void close().catch((error: unknown) => log.error(`closing failed: ${String(error)}`)),
  };
}
