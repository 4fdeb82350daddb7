import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { assertNever } from '#base/result';
import type { Actions } from '#editor/actions';
import type { Approvals } from '#editor/approvals';
import type { Core } from '#editor/core';
import type { ToHost, ToPanel } from '#protocol/wire';
import { FileFinder } from './find-files';
import { openLink, openWorkspaceFile } from './open';

interface World {
  readonly core: Core;
  readonly actions: Actions;
  readonly approvals: Approvals;
  readonly post: (message: ToPanel) => void;
}

/** Carries out what the page asks, message by message. All of it was parsed before. */
export function panelMessages(world: World): (message: ToHost) => Promise<void> {
  const finders = new Map<string, FileFinder>();
  return async (message) => {
    const { core, actions, post } = world;
    switch (message.type) {
      case 'hello':
      case 'keep':
      case 'focus':
        return;
      case 'send':
        return actions.send(message.sessionId, message.text, message.mentions);
      case 'stop':
        return actions.stop(message.sessionId);
      case 'answer':
        return answer(message, world);
      case 'set-mode':
        return actions.setMode(message.mode, message.sessionId);
      case 'set-model':
        return actions.setModel(message.modelId, message.sessionId);
      case 'new-session':
        return core.newSession();
      case 'open-session':
        return core.show(message.sessionId);
      case 'list-sessions':
        return void (await vscode.commands.executeCommand('belay.showSessions'));
      case 'review':
        return actions.review(message.sessionId);
      case 'keep-all':
        return actions.keepAll(message.sessionId);
      case 'undo':
        return actions.undo(message, message.sessionId);
      case 'undo-changes':
        return actions.undoChanges(message.onConflict, message.sessionId);
      case 'redo':
        return actions.redo(message.sessionId);
      case 'open-diff':
        return actions.openFile(message.turn, message.path, message.against, message.sessionId);
      case 'open-file':
        return openWorkspaceFile(core, message.path, message.line);
      case 'open-artifact':
        return openArtifact(core, message.sessionId, message.artifactId);
      case 'open-link':
        return openLink(message.url);
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'insert-code':
        return insertCode(message.text);
      case 'find-files':
        return findFiles(message, core, finders, post);
      case 'action':
        return action(message, world);
      default:
        return assertNever(message);
    }
  };
}

async function answer(message: ToHost & { type: 'answer' }, { approvals, post }: World): Promise<void> {
  const fate = approvals.answer(message.approvalId, message.inputSha256, message.answer, 'panel');
  if (fate.kind === 'decided') return;
  const title =
    fate.kind === 'unknown'
      ? t('Belay no longer asks this')
      : fate.answer.startsWith('allow')
        ? t('Already allowed in the notification')
        : t('Already denied in the notification');
  post({ type: 'notice', sessionId: message.sessionId, severity: 'info', title, detail: '' });
}

async function findFiles(
  message: ToHost & { type: 'find-files' },
  core: Core,
  finders: Map<string, FileFinder>,
  post: World['post'],
): Promise<void> {
  const folder = core.ready?.folder.uri;
  if (!folder) return post({ type: 'files-found', requestId: message.requestId, files: [] });
  const finder = finders.get(folder.toString()) ?? new FileFinder(folder);
  finders.set(folder.toString(), finder);
  post({ type: 'files-found', requestId: message.requestId, files: await finder.find(message.query) });
}

async function openArtifact(core: Core, sessionId: string, artifactId: string): Promise<void> {
  const content = await core.ready?.app.artifact(sessionId, artifactId);
  if (content === undefined) throw new Error(t('This output is no longer kept.'));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
}

async function insertCode(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error(t('Open a file and put the cursor where the code shall go.'));
  await editor.insertSnippet(new vscode.SnippetString().appendText(text));
}

async function action(message: ToHost & { type: 'action' }, { core, actions }: World): Promise<void> {
  switch (message.action) {
    case 'continue':
    case 'try-again':
      return actions.resume(message.sessionId ?? core.session?.id ?? '');
    case 'pick-model':
      return actions.selectModel(message.sessionId);
    case 'take-over':
      return core.session?.takeOver();
    case 'enter-key':
      return void (await vscode.commands.executeCommand('belay.setKey', core.session?.transcript().modelId));
    case 'choose-folder':
      return chooseFolder(core, message.folder);
    default:
      await vscode.commands.executeCommand(EDITOR_COMMANDS[message.action]);
  }
}

async function chooseFolder(core: Core, name: string | undefined): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.name === name);
  if (folder) await core.chooseFolder(folder);
  else await vscode.commands.executeCommand('belay.chooseFolder');
}

const EDITOR_COMMANDS = {
  'manage-trust': 'workbench.trust.manage',
  'open-folder': 'vscode.openFolder',
  'open-sample': 'belay.openSample',
  'show-log': 'belay.showLog',
} as const;
