import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Core, ReadyCore } from './core';
import { readyCore, worked } from './needs';
import { oneLine, plainText } from './plain-text';

/** Most bytes of a file that is imported. */
const LARGEST = 128 * 1024 * 1024;

/** Writes a session to a file that the person chooses: Markdown to read, or its events for machines. */
export async function exportSession(core: Core): Promise<void> {
  const ready = await readyCore(core);
  const session = shown(core);
  const forms = [
    { label: 'Markdown', description: t('to read'), form: 'markdown', extension: 'md' },
    {
      label: 'JSONL',
      description: t('its events, to import or to evaluate'),
      form: 'events',
      extension: 'jsonl',
    },
  ] as const;
  const chosen = await vscode.window.showQuickPick(forms, { title: t('Export Session') });
  if (!chosen) return;
  const text = worked(ready.app.history.export(session.id, chosen.form));
  await save(ready, { title: session.title, extension: chosen.extension, text });
}

/** Writes a session as a scenario, and tells what that can't show. */
export async function exportScenario(core: Core): Promise<void> {
  const ready = await readyCore(core);
  const session = shown(core);
  const { scenario, notes } = worked(await ready.app.history.exportScenario(session.id));
  const text = `${JSON.stringify(scenario, null, 2)}\n`;
  const saved = await save(ready, { title: session.title, extension: 'json', text });
  if (!saved || notes.length === 0) return;
  void vscode.window.showWarningMessage(
    plainText(t('The scenario can’t show everything: {0}', oneLine(notes.slice(0, 3).join('; ')))),
  );
}

/** Makes a session of an exported one and shows it. Nothing of it is run. */
export async function importSession(core: Core): Promise<void> {
  const { app, models } = await readyCore(core);
  const picked = await vscode.window.showOpenDialog({
    title: t('Import Session'),
    canSelectMany: false,
    filters: { [t('Sessions')]: ['jsonl'] },
  });
  const uri = picked?.[0];
  if (!uri) return;
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0 || size > LARGEST)
    throw new Error(t('That file is too large for a session, or is no file. Nothing was imported.'));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const { sessionId, turns, skipped } = worked(app.history.import(text, await models.preferred()));
  await core.show(sessionId);
  const told =
    skipped === 0
      ? t('Imported {0} turns.', turns)
      : t('Imported {0} turns. {1} lines could not be read and were left out.', turns, skipped);
  void vscode.window.showInformationMessage(told);
}

interface Saved {
  readonly title: string;
  readonly extension: string;
  readonly text: string;
}

async function save({ folder }: ReadyCore, { title, extension, text }: Saved): Promise<boolean> {
  const name = fileName(title);
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Session'),
    defaultUri: vscode.Uri.joinPath(folder.uri, `${name}.${extension}`),
    filters: { [extension.toUpperCase()]: [extension] },
  });
  if (!uri) return false;
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  } catch (error) {
    throw new Error(t('The session could not be written: {0}', messageOf(error)));
  }
  return true;
}

/** What every file system takes. */
function fileName(title: string): string {
  const words = title.toWellFormed().replace(/[^\p{L}\p{N}._ -]/gu, ' ');
  return (
    words
      .trim()
      .replace(/\s+/g, '-')
      .slice(0, 60)
      .replace(/^\.+|[.-]+$/g, '') || 'session'
  );
}

function shown(core: Core) {
  if (!core.session) throw new Error(t('No session is shown.'));
  return core.session;
}
