import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { RestoreScope } from '#protocol/checkpoint';
import { MODES, type Mode } from '#protocol/settings';
import type { EditorModels } from './models';
import { modeName } from './status-bar';

/** The word that full access is confirmed by: typed, never pressed, so that a stray Enter can't grant it. */
const CONFIRMATION = 'danger';

/** What really answers, asked of every endpoint; the offline demo is always there. */
export async function pickModel(
  models: EditorModels,
  current: string | undefined,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { modelId?: string; action?: 'key' }>();
  pick.title = t('Select Model');
  pick.placeholder = t(
    'Models run where the extension host runs: {0}',
    vscode.env.remoteName ?? t('this machine'),
  );
  pick.matchOnDetail = true;
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.show();
  const listed = models.listAll().then(({ choices, problems }) => {
    pick.busy = false;
    pick.items = [
      ...choices.map((choice) => ({
        label: choice.name,
        description: choice.detail,
        detail: choice.id,
        modelId: choice.id,
        iconPath: new vscode.ThemeIcon(choice.id === current ? 'check' : 'blank'),
      })),
      ...problems.map((problem) => ({
        label: problem.name,
        description: problem.message,
        iconPath: new vscode.ThemeIcon('circle-slash'),
      })),
      { label: t('Set Provider Key…'), action: 'key' as const, iconPath: new vscode.ThemeIcon('key') },
    ];
    pick.activeItems = pick.items.filter((item) => item.modelId === current);
  });
  const chosen = await new Promise<(typeof pick.items)[number] | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
  });
  pick.dispose();
  await listed.catch(() => undefined);
  if (chosen?.action === 'key') await vscode.commands.executeCommand('belay.setKey');
  return chosen?.modelId;
}

/** Asks for a mode unless one is given; full access is confirmed by typing a word in either case. */
export async function pickMode(current: Mode, given?: Mode): Promise<Mode | undefined> {
  const mode = given ?? (await askMode(current));
  if (mode !== 'danger-full-access' || current === mode) return mode;
  const typed = await vscode.window.showInputBox({
    title: t('Full access'),
    prompt: t('No sandbox and no questions until this session is closed. Type {0} to confirm.', CONFIRMATION),
    validateInput: (value) =>
      value === '' || CONFIRMATION.startsWith(value)
        ? undefined
        : t('Type {0}, or press Escape to keep the mode.', CONFIRMATION),
  });
  return typed === CONFIRMATION ? mode : undefined;
}

async function askMode(current: Mode): Promise<Mode | undefined> {
  const items = MODES.map((mode) => ({
    label: modeName(mode),
    description: modeWords(mode),
    mode,
    iconPath: new vscode.ThemeIcon(mode === current ? 'check' : 'blank'),
  }));
  return (await vscode.window.showQuickPick(items, { title: t('Select Permission Mode') }))?.mode;
}

function modeWords(mode: Mode): string {
  const words: Record<Mode, string> = {
    'read-only': t('Reads. No changes, no commands'),
    prompt: t('Asks before every change and command'),
    'workspace-write': t('Edits this folder. Asks before commands'),
    allow: t('Runs without asking, in the sandbox'),
    'danger-full-access': t('No sandbox, no questions. Until this session ends'),
  };
  return words[mode];
}

/** A turn to go back to before. For files: turns that changed some; for the conversation: all. */
export async function pickTurn(session: AppSession, scope: RestoreScope): Promise<number | undefined> {
  const changed = new Set(
    session
      .checkpoints()
      .filter(({ state }) => state !== 'undone')
      .map(({ turn }) => turn),
  );
  const turns = session.transcript().turns.filter(({ turn }) => scope === 'session' || changed.has(turn));
  const items = turns
    .map(({ turn, prompt, at }) => ({
      label: truncate(prompt.replaceAll(/\s+/g, ' '), 80),
      description: t('turn {0} · {1}', turn, new Date(at).toLocaleTimeString()),
      turn,
    }))
    .reverse();
  return (await vscode.window.showQuickPick(items, { title: t('Go back to before which turn?') }))?.turn;
}
