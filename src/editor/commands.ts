import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { LanguageServerWatch } from '#editor/language-servers/watch';
import { mcpCommands } from '#editor/mcp/handlers';
import type { McpServers } from '#editor/mcp/servers';
import type { SessionTabs } from '#editor/panel/tabs';
import type { ChatView } from '#editor/panel/view';
import type { QuestionLine } from '#editor/questions/line';
import type { ReviewActions } from '#editor/review/commands';
import { reviewCommands } from '#editor/review/handlers';
import type { RestoreScope } from '#protocol/checkpoint';
import type { Actions } from './actions';
import type { Approvals } from './approvals';
import type { Core } from './core';
import type { ExplainCommand } from './explain-command';
import type { EditorLog } from './log';
import { readyCore, sessionAt } from './needs';
import type { Once } from './once';
import type { Places } from './places';
import { plainText } from './plain-text';
import type { SettingsAcceptance } from './settings-acceptance';
import { fileOf, turnOf } from './tree-nodes';

/** What the commands work with. */
export interface CommandWorld {
  readonly context: vscode.ExtensionContext;
  /** Its session is the panel's. */
  readonly core: Core;
  /** Where a person looks, and which session is meant where none is named. */
  readonly places: Places;
  /** Loaded with the first use. */
  readonly actions: () => Promise<Actions>;
  /** Loaded with the first use. */
  readonly review: () => Promise<ReviewActions>;
  readonly approvals: Approvals;
  readonly chat: ChatView;
  /** Loaded with the first tab. */
  readonly tabs: Once<SessionTabs>;
  readonly settings: SettingsAcceptance;
  /** Loaded with the first use. */
  readonly explainer: () => Promise<ExplainCommand>;
  readonly servers: McpServers;
  readonly line: QuestionLine;
  readonly languageServers: LanguageServerWatch;
  readonly log: EditorLog;
}

/** What carries out each command, by its id without `belay.`. */
export type CommandTable = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** Every command of docs/surface.md. */
export function commandTable(world: CommandWorld): CommandTable {
  return {
    ...chatCommands(world),
    ...turnCommands(world),
    ...treeCommands(world),
    ...reviewCommands(world),
    ...mcpCommands({ ...world, extensionUri: world.context.extensionUri }),
  };
}

function chatCommands(world: CommandWorld): CommandTable {
  const { context, core, places, actions, approvals, chat, tabs, settings, explainer, languageServers, log } =
    world;
  return {
    // With "waiting" the session that asks, with an id that session; else the one shown last.
    openChat: async (which) => {
      const session = which === 'waiting' ? approvals.waiting()[0]?.sessionId : which;
      const tab = typeof session === 'string' ? (await tabs.begun())?.of(session) : undefined;
      if (tab && session !== core.session?.id) return tab.focus();
      if (typeof session === 'string') await core.show(session);
      await chat.focus();
    },
    focusComposer: async () => ((await tabs.begun())?.active ?? chat).focus(),
    openInTab: async (which, turn) => {
      if (typeof which !== 'string') return (await tabs()).openPicked();
      await (await tabs()).open(which, typeof turn === 'number' ? turn : undefined);
    },
    openShownInTab: async () => {
      const { session } = await sessionAt(core);
      await (await tabs()).open(session.id);
    },
    newSession: async () => {
      await core.newSession(await readyCore(core));
      await chat.focus();
    },
    ...historyCommands(world),
    stop: async () => (await actions()).stop(),
    selectModel: async () => (await actions()).selectModel(),
    selectMode: async () => (await actions()).setMode(),
    setKey: async (modelId) => {
      const { models } = await readyCore(core);
      const { setKey } = await import('#editor/keys');
      await setKey(models, typeof modelId === 'string' ? modelId : undefined);
    },
    removeKey: async () => {
      const { models } = await readyCore(core);
      const { removeKey } = await import('#editor/keys');
      await removeKey(models);
    },
    chooseFolder: () => pickFolder(core),
    openSample: async () => (await import('#editor/sample')).openSample(context),
    giveTerminalBack: async () => (await import('#editor/terminals/actions')).giveTerminalBack(places.core),
    showBackground: async (which) =>
      (await import('#editor/terminals/actions')).showBackground(places.core, which),
    showSandbox: () => explainSandbox(core),
    explainCommand: async (given) => (await explainer()).run(typeof given === 'string' ? given : undefined),
    reviewProjectSettings: () => settings.review(),
    storage: async () => (await import('#editor/storage')).showStorage(core),
    restartLanguageServer: async (name) => {
      const { restartLanguageServer } = await import('#editor/language-servers/restart');
      await restartLanguageServer(
        await languageServers.servers(),
        typeof name === 'string' ? name : undefined,
      );
    },
    showLog: () => log.show(),
  };
}

/** The panel's list gives an id, the palette none: then the session looked at is meant. */
function historyCommands({ core, places, chat }: CommandWorld): CommandTable {
  const load = async () => new (await import('#editor/history')).HistoryActions(places.core, places.post);
  const given = (id: unknown) => (typeof id === 'string' ? id : undefined);
  return {
    showSessions: () => chat.showSessions(),
    searchSessions: () => chat.showSessions(),
    renameSession: async (id) => (await load()).rename(given(id)),
    archiveSession: async (id) => (await load()).archive(given(id)),
    deleteSession: async (id) => (await load()).delete(given(id)),
    exportSession: async () => (await import('#editor/history-files')).exportSession(places.core),
    exportScenario: async () => (await import('#editor/history-files')).exportScenario(places.core),
    importSession: async () => (await import('#editor/history-files')).importSession(core),
  };
}

function turnCommands(world: CommandWorld): CommandTable {
  const { actions } = world;
  return {
    approve: () => answerShown(world, 'allow-once'),
    deny: () => answerShown(world, 'deny-once'),
    review: async () => (await actions()).changes.review(),
    keepAll: async () => (await actions()).changes.keepAll(),
    undoLastTurn: async () => (await actions()).changes.undoLastTurn(),
    undoDiff: async () => (await actions()).changes.showUndo(),
    undoFiles: async () => (await actions()).changes.undoPicked('files'),
    undoSession: async () => (await actions()).changes.undoPicked('session'),
    undoAll: async () => (await actions()).changes.undoPicked('all'),
    redo: async () => (await actions()).changes.redo(),
    redoFiles: async () => (await actions()).changes.redo(undefined, 'files'),
    fork: async () => (await actions()).forkPicked(),
    compact: async () => (await actions()).compact(),
  };
}

function treeCommands({ actions }: CommandWorld): CommandTable {
  const undo = (scope: RestoreScope, only?: true) => async (node: unknown) => {
    const { checkpoint, sessionId } = turnOf(node);
    await (await actions()).changes.undo({ turn: checkpoint.turn, scope, only }, sessionId);
  };
  const open = (against: 'after' | 'now') => async (node: unknown) => {
    const { checkpoint, change, sessionId } = fileOf(node);
    await (await actions()).changes.openFile(
      { turn: checkpoint.turn, path: change.path, against },
      sessionId,
    );
  };
  return {
    'checkpoint.undoFiles': undo('files'),
    'checkpoint.undoSession': undo('session'),
    'checkpoint.undoAll': undo('all'),
    'checkpoint.undoOnly': undo('files', true),
    'checkpoint.fork': async (node) => {
      const { checkpoint, sessionId } = turnOf(node);
      await (await actions()).fork(checkpoint.turn, sessionId);
    },
    'checkpoint.redo': async (node) => (await actions()).changes.redo(turnOf(node).sessionId),
    'checkpoint.redoFiles': async (node) => (await actions()).changes.redo(turnOf(node).sessionId, 'files'),
    'checkpoint.openTurn': async (node) => {
      const { checkpoint, sessionId } = turnOf(node);
      await (await actions()).changes.openTurn(checkpoint.turn, sessionId);
    },
    'checkpoint.openFile': open('after'),
    'checkpoint.openFileNow': open('now'),
  };
}

/** The chords work while the panel or a tab has the focus, so they mean the card that is shown there: never one of another session. */
function answerShown({ places, approvals }: CommandWorld, answer: 'allow-once' | 'deny-once'): void {
  const waiting = approvals.waiting();
  const { core, editing } = places.current;
  const request = waiting.find(({ sessionId }) => sessionId === core.session?.id);
  if (request && request.id === editing && answer === 'allow-once')
    throw new Error(t('Its command is being edited on the card: run it there, or cancel the edit.'));
  if (request) approvals.answer(request.id, request.inputSha256, { answer }, 'command');
  else if (waiting.length > 0)
    throw new Error(
      t('This session asks nothing. Another one does: its question opens from the status bar.'),
    );
  else throw new Error(t('Nothing waits for an answer.'));
}

async function pickFolder(core: Core): Promise<void> {
  if (!vscode.workspace.workspaceFolders?.length)
    throw new Error(t('Open a folder first: Belay works in one folder.'));
  const folder = await vscode.window.showWorkspaceFolderPick({
    placeHolder: t('Belay works in one folder. Which?'),
  });
  if (!folder) return;
  await core.chooseFolder(folder);
  vscode.window.setStatusBarMessage(t('Belay works in {0}', folder.name), 5000);
}

async function explainSandbox(core: Core): Promise<void> {
  const sandbox = await (await readyCore(core)).app.sandbox();
  void vscode.window.showInformationMessage(
    plainText(
      sandbox.active
        ? t('Commands run in a sandbox: {0}', sandbox.words)
        : t('Commands run without a sandbox, so each asks: {0}', sandbox.words),
    ),
  );
}
