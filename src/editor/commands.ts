import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { ChatView } from '#editor/panel/view';
import type { ApprovalAnswer } from '#protocol/approval';
import type { RestoreScope } from '#protocol/checkpoint';
import type { Actions } from './actions';
import type { Approvals } from './approvals';
import type { CheckpointNode } from './checkpoints-tree';
import type { Core } from './core';
import { readyCore } from './needs';
import { plainText } from './plain-text';

export interface CommandWorld {
  readonly context: vscode.ExtensionContext;
  readonly core: Core;
  /** Loaded with the first use. */
  readonly actions: () => Promise<Actions>;
  readonly approvals: Approvals;
  readonly chat: ChatView;
  readonly log: vscode.LogOutputChannel;
}

/** Every command of docs/surface.md, by id without `belay.`. */
export function registerCommands(world: CommandWorld): vscode.Disposable {
  const handlers = { ...chatCommands(world), ...turnCommands(world), ...treeCommands(world) };
  const registered = Object.entries(handlers).map(([id, run]) =>
    vscode.commands.registerCommand(`belay.${id}`, async (...args: unknown[]) => {
      try {
        await run(...args);
      } catch (error) {
        world.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
        void vscode.window.showErrorMessage(plainText(`Belay: ${messageOf(error)}`));
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

type Handlers = Record<string, (...args: unknown[]) => unknown>;

function chatCommands({ context, core, actions, approvals, chat, log }: CommandWorld): Handlers {
  return {
    openChat: async (which) => {
      const asking = which === 'waiting' ? approvals.waiting()[0] : undefined;
      if (asking) await core.show(asking.sessionId);
      await chat.focus();
    },
    focusComposer: () => chat.focus(),
    newSession: async () => {
      await readyCore(core);
      await core.newSession();
      await chat.focus();
    },
    showSessions: () => pickSession(core),
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
      await (await import('#editor/keys')).removeKey(models);
    },
    chooseFolder: () => pickFolder(core),
    openSample: async () => (await import('#editor/sample')).openSample(context),
    showSandbox: () => explainSandbox(core),
    showLog: () => log.show(),
  };
}

function turnCommands({ core, actions, approvals }: CommandWorld): Handlers {
  return {
    approve: () => answerShown(core, approvals, 'allow-once'),
    deny: () => answerShown(core, approvals, 'deny-once'),
    review: async () => (await actions()).review(),
    keepAll: async () => (await actions()).keepAll(),
    undoLastTurn: async () => (await actions()).undoLastTurn(),
    undoDiff: async () => (await actions()).showUndo(),
    undoFiles: async () => (await actions()).undoPicked('files'),
    undoSession: async () => (await actions()).undoPicked('session'),
    undoAll: async () => (await actions()).undoPicked('all'),
    redo: async () => (await actions()).redo(),
  };
}

function treeCommands({ actions }: CommandWorld): Handlers {
  const undo = (scope: RestoreScope, only?: true) => async (node: unknown) => {
    if (!isTurn(node)) return;
    await (await actions()).undo({ turn: node.checkpoint.turn, scope, only }, node.sessionId);
  };
  const open = (against: 'after' | 'now') => async (node: unknown) => {
    if (isFile(node))
      await (await actions()).openFile(node.checkpoint.turn, node.change.path, against, node.sessionId);
  };
  return {
    'checkpoint.undoFiles': undo('files'),
    'checkpoint.undoSession': undo('session'),
    'checkpoint.undoAll': undo('all'),
    'checkpoint.undoOnly': undo('files', true),
    'checkpoint.redo': async (node) => {
      if (isTurn(node)) await (await actions()).redo(node.sessionId);
    },
    'checkpoint.openTurn': async (node) => {
      if (isTurn(node)) await (await actions()).openTurn(node.checkpoint.turn, node.sessionId);
    },
    'checkpoint.openFile': open('after'),
    'checkpoint.openFileNow': open('now'),
  };
}

// Tree commands are called with a node by the tree alone, but any extension may call them with anything.
function isTurn(node: unknown): node is CheckpointNode & { kind: 'turn' } {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'turn';
}
function isFile(node: unknown): node is CheckpointNode & { kind: 'file' } {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'file';
}

/** The chords work while the panel has the focus, so they mean the card that it shows: never one of another session. */
function answerShown(core: Core, approvals: Approvals, answer: ApprovalAnswer['answer']): void {
  const request = approvals.waiting().find(({ sessionId }) => sessionId === core.session?.id);
  if (request) approvals.answer(request.id, request.inputSha256, { answer }, 'command');
}

async function pickSession(core: Core): Promise<void> {
  const { app } = await readyCore(core);
  const items = app
    .sessions()
    .map(({ id, title, at }) => ({ label: title, description: new Date(at).toLocaleString(), id }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Sessions of this folder'),
    matchOnDescription: true,
  });
  if (chosen) await core.show(chosen.id);
}

async function pickFolder(core: Core): Promise<void> {
  const folder = await vscode.window.showWorkspaceFolderPick({
    placeHolder: t('Belay works in one folder. Which?'),
  });
  if (folder) await core.chooseFolder(folder);
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
