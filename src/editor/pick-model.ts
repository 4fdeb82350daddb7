import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { type EditorModels, machineName } from './models';

interface Item extends vscode.QuickPickItem {
  readonly modelId?: string;
  readonly action?: 'key';
}

/** What really answers, asked of every endpoint; the offline demo is always there. Answers the id of the chosen model. */
export async function pickModel(
  models: EditorModels,
  current: string | undefined,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t('Select Model');
  pick.placeholder = t('Models run where the extension host runs: {0}', machineName());
  pick.matchOnDetail = true;
  pick.matchOnDescription = true;
  pick.show();
  void fill(pick, models, current);
  const chosen = await new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      // A line that says why an endpoint has no models stays to be read.
      if (item?.modelId !== undefined || item?.action) resolve(item);
    });
    pick.onDidHide(() => resolve(undefined));
  });
  pick.dispose();
  if (chosen?.action === 'key') await vscode.commands.executeCommand('belay.setKey');
  return chosen?.modelId;
}

/** Never rejects: what went wrong is a line of the list. */
async function fill(
  pick: vscode.QuickPick<Item>,
  models: EditorModels,
  current: string | undefined,
): Promise<void> {
  pick.busy = true;
  try {
    pick.items = await modelItems(models, current);
    pick.activeItems = pick.items.filter(({ modelId }) => modelId === current);
  } catch (error) {
    pick.items = [problemItem(t('The models could not be listed'), messageOf(error)), keyItem()];
  }
  pick.busy = false;
}

async function modelItems(models: EditorModels, current: string | undefined): Promise<readonly Item[]> {
  const { choices, problems } = await models.listAll();
  return [
    ...choices.map((choice) => ({
      label: choice.name,
      description: choice.detail,
      detail: choice.id,
      modelId: choice.id,
      iconPath: new vscode.ThemeIcon(choice.id === current ? 'check' : 'blank'),
    })),
    ...problems.map(({ name, message }) => problemItem(name, message)),
    keyItem(),
  ];
}

function problemItem(name: string, message: string): Item {
  return { label: name, description: message, iconPath: new vscode.ThemeIcon('circle-slash') };
}

function keyItem(): Item {
  return { label: t('Set Provider Key…'), action: 'key', iconPath: new vscode.ThemeIcon('key') };
}
