import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { EditorModels } from './models';

/** Asks for a key; for which provider too, unless a model tells. The key goes to the editor's secret storage and nowhere else. */
export async function setKey(models: EditorModels, modelId?: string): Promise<void> {
  const keyed = models.keyed();
  const provider =
    keyed.find(({ id }) => modelId?.startsWith(`${id}/`)) ??
    (await pickProvider(keyed, t('Set Provider Key')));
  if (!provider) return;
  const key = await vscode.window.showInputBox({
    title: t('Key for {0}', provider.name),
    prompt: t('Kept in the secret storage of this editor, sent to {0} only.', provider.baseUrl),
    password: true,
    ignoreFocusOut: true,
  });
  if (!key?.trim()) return;
  await models.setKey(provider.keyName, key.trim());
  vscode.window.setStatusBarMessage(t('Belay: key for {0} saved', provider.name), 5000);
}

/** Offers the keys that are stored. */
export async function removeKey(models: EditorModels): Promise<void> {
  const keyed = models.keyed();
  const stored = await Promise.all(keyed.map(({ keyName }) => models.hasKey(keyName)));
  const removable = keyed.filter((_, index) => stored[index]);
  if (removable.length === 0) throw new Error(t('No key is stored.'));
  const provider = await pickProvider(removable, t('Remove Provider Key'));
  if (!provider) return;
  await models.removeKey(provider.keyName);
  vscode.window.setStatusBarMessage(t('Belay: key for {0} removed', provider.name), 5000);
}

async function pickProvider(providers: ReturnType<EditorModels['keyed']>, title: string) {
  const items = providers.map((provider) => ({
    label: provider.name,
    description: provider.baseUrl,
    provider,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.provider;
}
