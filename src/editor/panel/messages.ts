import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { assertNever } from '#base/result';
import type { Actions } from '#editor/actions';
import type { Approvals } from '#editor/approvals';
import { openArtifact } from '#editor/artifact-documents';
import type { Core } from '#editor/core';
import { folderLabels } from '#editor/folder-labels';
import { lateWords } from '#editor/late-answer';
import { readyCore } from '#editor/needs';
import type { ReviewActions } from '#editor/review/commands';
import type { ToHost, ToPanel } from '#protocol/wire';
import { FileFinder } from './find-files';
import { historyMessages, isOfHistory } from './history-messages';
import { openLink, openSettingsFile, openWorkspaceFile } from './open';

interface World {
  readonly core: Core;
  readonly actions: Actions;
  readonly review: ReviewActions;
  readonly approvals: Approvals;
  readonly post: (message: ToPanel) => void;
}

/** Carries out what the page asks, message by message. All of it was parsed before. */
export function panelMessages(world: World): (message: ToHost) => Promise<void> {
  const finder = new FileFinder();
  const findResources = resourceFinder(world);
  const { core, actions } = world;
  const history = historyMessages(core, world.post);
  return async (message) => {
    if (isOfHistory(message)) return history(message);
    switch (message.type) {
      case 'hello':
      case 'keep':
      case 'focus':
      case 'editing':
        return;
      case 'send':
        return send(message, world);
      case 'stop':
        return actions.stop(message.sessionId);
      case 'answer':
        return answer(message, world);
      case 'set-mode':
        return actions.setMode(message.mode, message.sessionId);
      case 'set-model':
        return actions.setModel(message.modelId, message.sessionId);
      case 'new-session':
        return core.newSession(await readyCore(core));
      case 'list-sessions':
        return void (await vscode.commands.executeCommand('belay.showSessions'));
      case 'page':
        return sendPage(message, world);
      case 'review':
      case 'keep-all':
      case 'compare':
      case 'review-file':
      case 'open-diff':
        return ofChanges(message, world);
      case 'undo':
      case 'undo-changes':
      case 'fork':
      case 'redo':
        return goBack(message, actions);
      case 'background':
        return (await import('#editor/terminals/actions')).actOn(core, message.sessionId, message);
      case 'open-file':
        return openWorkspaceFile(core, message.path, message.line);
      case 'open-settings':
        return openSettingsFile(core, message.name, message.line);
      case 'open-artifact':
        return openArtifact(core, message.sessionId, message.artifactId);
      case 'open-link':
        return openLink(message.url);
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'insert-code':
        return insertCode(message.text);
      case 'find-files':
        return void (await Promise.all([findFiles(message, finder, world), findResources(message)]));
      case 'action':
        return action(message, world);
      default:
        return assertNever(message);
    }
  };
}

/** To look at changes, or to keep or undo those of one file. */
async function ofChanges(
  message: ToHost & { type: 'review' | 'keep-all' | 'compare' | 'review-file' | 'open-diff' },
  { review, actions }: World,
): Promise<void> {
  const { sessionId } = message;
  switch (message.type) {
    case 'review':
      return actions.changes.review(sessionId);
    case 'keep-all':
      return actions.changes.keepAll(sessionId);
    case 'compare':
      return actions.changes.compare({ ...message, scope: 'files' }, message.path, sessionId);
    case 'review-file':
      return review.act(message.action, message.path, sessionId);
    case 'open-diff':
      return actions.changes.openFile(message, sessionId);
  }
}

/** To another state of the session, or of a fork of it. */
async function goBack(
  message: ToHost & { type: 'undo' | 'undo-changes' | 'fork' | 'redo' },
  actions: Actions,
): Promise<void> {
  switch (message.type) {
    case 'undo':
      return actions.changes.undo(message, message.sessionId);
    case 'undo-changes':
      return actions.changes.undoChanges(message.onConflict, message.sessionId);
    case 'fork':
      return actions.fork(message.turn, message.sessionId);
    case 'redo':
      return actions.changes.redo(message.sessionId, message.scope);
  }
}

/** The page has cleared its composer: what can't be sent goes back there. */
async function send(message: ToHost & { type: 'send' }, { actions, post }: World): Promise<void> {
  try {
    await actions.send(message.sessionId, message.text, message.mentions);
  } catch (error) {
    const { sessionId, text, mentions } = message;
    post({ type: 'give-back', sessionId, text, mentions });
    throw error;
  }
}

/** Turns of a long session that the page doesn't have yet. */
async function sendPage(message: ToHost & { type: 'page' }, { core, post }: World): Promise<void> {
  const { app } = await readyCore(core);
  const { sessionId, place, turn } = message;
  const page = app.session(sessionId)?.history.page({ place, turn });
  if (page) post({ type: 'page', sessionId, wish: { place, turn }, page });
}

async function answer(message: ToHost & { type: 'answer' }, { approvals, post }: World): Promise<void> {
  const fate = approvals.answer(message.approvalId, message.inputSha256, message.answer, 'panel');
  if (fate.kind === 'decided') return;
  const title = lateWords(fate);
  post({ type: 'notice', sessionId: message.sessionId, severity: 'info', title, detail: '' });
}

async function findFiles(
  { query, requestId }: ToHost & { type: 'find-files' },
  finder: FileFinder,
  { core, post }: World,
): Promise<void> {
  const folder = core.ready?.folder.uri;
  post({ type: 'files-found', requestId, files: folder ? await finder.find(folder, query) : [] });
}

/** Most resources that are listed for completion. */
const MOST_RESOURCES = 20;

/** What servers and extensions offer comes when they answer; a newer question ends an older one. */
function resourceFinder({ core, post }: World): (message: ToHost & { type: 'find-files' }) => Promise<void> {
  let asking = new AbortController();
  return async ({ query, requestId }) => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const resources = (await core.ready?.app.findResources(query, MOST_RESOURCES, signal)) ?? [];
    if (!signal.aborted) post({ type: 'resources-found', requestId, resources });
  };
}

async function insertCode(text: string): Promise<void> {
  // Where the chat is a tab itself, the active editor is no text: then one that is in sight is meant.
  const inSight = vscode.window.visibleTextEditors.find(({ viewColumn }) => viewColumn !== undefined);
  const editor = vscode.window.activeTextEditor ?? inSight;
  if (!editor) throw new Error(t('Open a file and put the cursor where the code shall go.'));
  if (!(await editor.insertSnippet(new vscode.SnippetString().appendText(text))))
    throw new Error(t('The editor took no text. Is the file read-only?'));
}

async function action(message: ToHost & { type: 'action' }, { core, actions }: World): Promise<void> {
  const { sessionId } = message;
  switch (message.action) {
    case 'try-again':
      // Without a session it is the start that failed.
      return sessionId === undefined ? core.retry() : actions.resume(sessionId);
    case 'continue':
      return actions.resume(sessionId);
    case 'pick-model':
      return actions.selectModel(sessionId);
    case 'take-over':
      return actions.takeOver(sessionId);
    case 'enter-key':
      return void (await vscode.commands.executeCommand('belay.setKey', core.session?.transcript().modelId));
    case 'choose-folder':
      return chooseFolder(core, message.folder);
    default:
      await vscode.commands.executeCommand(EDITOR_COMMANDS[message.action]);
  }
}

async function chooseFolder(core: Core, label: string | undefined): Promise<void> {
  const state = await core.start();
  const folders = state.kind === 'choose' ? state.folders : [];
  const folder = folders[folderLabels(folders).indexOf(label ?? '')];
  if (folder) await core.chooseFolder(folder);
  else await vscode.commands.executeCommand('belay.chooseFolder');
}

const EDITOR_COMMANDS = {
  'manage-trust': 'workbench.trust.manage',
  'open-folder': 'vscode.openFolder',
  'open-sample': 'belay.openSample',
  'show-log': 'belay.showLog',
} as const;
