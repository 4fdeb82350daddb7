import path from 'node:path';
import { extensionTools } from '#addons/extensions/extensions';
import { LSP_TOOLS } from '#addons/lsp/tools';
import { mcpContribution } from '#addons/mcp/contribution';
import type { McpControl } from '#addons/mcp/control';
import { McpServers } from '#addons/mcp/servers';
import { ContributedPrompts } from '#agent/contributed/prompts';
import { Resources } from '#agent/contributed/resources';
import type { Contribution } from '#agent/contribution';
import type { Core } from '#agent/core';
import { indexInBackground } from '#agent/history/indexing';
import { History } from '#agent/history/sessions';
import type { Pace } from '#agent/pace';
import { type OutsideRead, readForOthers } from '#agent/read-for-others';
import { withRedactedLog } from '#agent/redaction/log';
import { createRedactor } from '#agent/redaction/redactor';
import type { Session } from '#agent/session';
import { Sessions } from '#agent/sessions';
import { slashCommands } from '#agent/slash';
import { Storage } from '#agent/storage';
import { Tidying } from '#agent/tidying';
import { ToolSource } from '#agent/tool-source';
import { coreOf, type Place } from '#app/core';
import { recoveryNotice, type StartNotice, setAsideNotice } from '#app/notices';
import { type Typed, type TypedAction, typedWith } from '#app/typed';
import type { Disposable } from '#base/disposable';
import { Emitter, type Event } from '#base/emitter';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { ShellKind } from '#commands/shell-words';
import { hiddenFiles } from '#disk/hidden-files';
import { type ExplainPlace, type Explanation, explainCommand, freshContext } from '#gates/explain';
import { isForbiddenServer } from '#gates/settings-files/forbids';
import { SettingsLoader } from '#gates/settings-files/load';
import type { Host } from '#host';
import type { ModelSource } from '#models/model';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { AbsolutePath, ArtifactId, CheckpointId, SessionId, Sha256 } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import type { BackgroundRow, SessionSummary } from '#protocol/wire';
import type { Sandbox } from '#sandbox/sandbox';
import { openStore, type Store } from '#store/store';
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
export type AppSession = Pick<Session, keyof Session>;

/** How a command line would be judged in a session. */
export type AppExplanation = Awaited<ReturnType<AppSession['explain']>>;

/** What is kept, as the outside sees it. */
export type AppStorage = Pick<Storage, keyof Storage>;

/** The settings files as the outside sees them. */
export type AppSettings = Pick<
  SettingsLoader,
  'current' | 'project' | 'answer' | 'permittedModes' | 'refresh' | 'onDidChange'
>;

/** The history as the outside sees it. */
export type AppHistory = Pick<History, keyof History>;

/** The MCP servers as the outside sees and steers them. */
export type AppMcp = Pick<McpControl, keyof McpControl>;

/** The core, whole: one per open folder. */
export interface App extends Disposable, Typed {
  readonly folder: AbsolutePath;
  /** The sessions of this folder, the latest first. */
  sessions(): readonly SessionSummary[];
  /** Finds, names, puts away, exports and deletes sessions. */
  readonly history: AppHistory;
  /** The list of sessions, a turn's state, a checkpoint or the settings files changed. */
  readonly onDidChange: Event<void>;
  /** Full access is taken only from `mode`, never from the settings. */
  createSession(options?: { readonly mode?: Mode; readonly modelId?: string }): AppSession;
  /** Opens (or returns the open) session; undefined when this folder has none by that id. */
  session(id: string): AppSession | undefined;
  /** A new session, open, of what another was before a turn, or after its last; fails in words for people. */
  fork(sessionId: string, turn?: number): Result<AppSession, string>;
  /** What is kept of all sessions of all folders. */
  readonly storage: AppStorage;
  /** What the turns of a session changed, in order; the session needn't be open for it. */
  checkpoints(sessionId: string): readonly CheckpointSummary[];
  /** Whether its last undo can be taken back. */
  canRedo(sessionId: string): boolean;
  /** What runs beside a session, or has just ended; nothing where it isn't open here. */
  background(sessionId: string): readonly BackgroundRow[];
  /** One side of one file of a turn; undefined when there was no file, or its content is lost. */
  checkpointContent(
    checkpointId: string,
    path: string,
    side: 'before' | 'after',
  ): Promise<Uint8Array | undefined>;
  /** A content that is kept for undo, by its hash. */
  keptContent(sha256: string): Promise<Uint8Array | undefined>;
  /** The whole of a long output, for people: without secrets. */
  artifact(sessionId: string, artifactId: string): Promise<string | undefined>;
  /** Takes secrets out of what leaves the conversation, every string of a plain value. */
  redact<T>(value: T): T;
  /** What confines commands; probed at first use. */
  sandbox(): Promise<Pick<Sandbox, 'kind' | 'active' | 'words'>>;
  readonly startNotices: readonly StartNotice[];
  /** The same for what was found after the start: a window that was reloading let go of its session. */
  readonly onNotice: Event<StartNotice>;
  /** Policy, user and project files: what they need of the person, and what the policy leaves. */
  readonly settings: AppSettings;
  /** The MCP servers of this folder. */
  readonly mcp: AppMcp;
  /** Reads for another extension's model: no session, no question, nothing recorded. Fails in words for a model. */
  readForOthers(read: OutsideRead, signal: AbortSignal): Promise<Result<string, string>>;
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
  const redactor = createRedactor(() => given.secrets.values(), given.environment.variables);
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
  return ok(await assemble(host, options, { root, store: opened.value, redactor }));
}

async function assemble(host: Host, options: AppOptions, place: Place): Promise<App> {
  const { root, store, redactor } = place;
  const { models, pace, assumeSandbox = false } = options;
  const failed = (error: unknown) => host.log.error(`a listener failed: ${String(error)}`);
  const changes = new Emitter<void>(failed);
  const notices = new Emitter<StartNotice>(failed);
  const settings = new SettingsLoader(host, { root, acceptances: store.acceptances, policy: options.policy });
  await settings.refresh();
  const mcp = new McpServers({
    host,
    root,
    acceptances: store.acceptances,
    isForbidden: (server) => isForbiddenServer(server, settings.current()),
    redact: (text) => redactor.value(text),
  });
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
  // In the background: nothing waits for a server.
  const lookForServers = () =>
    void mcp.refresh().catch((error: unknown) => host.log.error(`mcp: ${String(error)}`));
  settings.onDidChange(lookForServers);
  lookForServers();
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
  return { ...shown, ...typed, ...sessionsOf(core, sessions), ...ended(close, host) };
}

/** What is added to the built-in tools: what the caller brings, and what the editor's other extensions offer. */
function contributionsOf({ extensionTools: port, log }: Host, options: AppOptions): readonly Contribution[] {
  return [...(options.contributions ?? []), ...(port ? [extensionTools(port, log)] : [])];
}

type OfSessions =
  | ('folder' | 'history' | 'sessions' | 'createSession' | 'session' | 'fork' | 'checkpoints' | 'background')
  | ('canRedo' | 'checkpointContent' | 'keptContent' | 'artifact' | 'redact' | 'sandbox' | 'readForOthers');

/** The sessions of the folder, and what is kept of them. */
function sessionsOf(core: Core, sessions: Sessions): Pick<App, OfSessions> {
  const { workspace, store, checkpoints, redactor, sandbox } = core;
  return {
    folder: workspace.root,
    history: new History(core, sessions),
    sessions: () => sessions.list(),
    createSession: (wanted = {}) => sessions.create(wanted),
    session: (id) => sessions.get(id),
    fork: (id, turn) => sessions.fork(id, turn),
    checkpoints: (id) => checkpoints.list(id as SessionId),
    background: (id) => sessions.opened(id)?.background.rows() ?? [],
    canRedo: (id) => checkpoints.canRedo(id as SessionId),
    checkpointContent: (id, file, side) => checkpoints.content(id as CheckpointId, file, side),
    keptContent: (sha256) => checkpoints.kept(sha256 as Sha256),
    artifact: async (sessionId, artifactId) => redactor.value(artifactText(store, sessionId, artifactId)),
    redact: redactor.value,
    sandbox,
    readForOthers: (read, signal) => readForOthers(core, read, signal),
  };
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

function artifactText(store: Store, sessionId: string, artifactId: string): string | undefined {
  const bytes = store.artifacts.content(sessionId as SessionId, artifactId as ArtifactId);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
