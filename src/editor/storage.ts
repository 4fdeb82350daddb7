import * as vscode from 'vscode';
import type { App, AppStorage } from '#app';
import { t } from '#base/l10n';
import { cachesIn } from '#commands/caches';
import { folderBytes } from '#disk/folder-size';
import { removeFolder } from '#disk/remove-folder';
import type { Core } from './core';
import { readyCore, worked } from './needs';
import { say } from './notices';
import { oneLine } from './plain-text';
import { agreed } from './question';
import {
  breakdown,
  cachesQuestion,
  clearQuestion,
  deleteQuestion,
  prunedWords,
  sessionWords,
  setAsideQuestion,
  sizeWords,
  storageTitle,
} from './storage-text';

type Usage = ReturnType<AppStorage['usage']>;
type SessionUsage = Usage['sessions'][number];

interface Item extends vscode.QuickPickItem {
  readonly run?: () => Promise<void>;
}

/** Shows what Belay keeps on this machine and lets it be removed, each thing at a time and after a question. */
export async function showStorage(core: Core): Promise<void> {
  const { app } = await readyCore(core);
  const pick = vscode.window.createQuickPick<Item>();
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.title = t('Storage');
  const chosen = new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
  });
  pick.show();
  const fill = (caches: number | undefined) => {
    const usage = app.storage.usage();
    const sizes = { ...usage, caches };
    pick.title = storageTitle(sizes);
    pick.placeholder = breakdown(sizes);
    pick.items = itemsOf(core, app, { usage, caches });
  };
  fill(undefined);
  let counted: number | undefined;
  void folderBytes(cachesIn(app.storage.usage().folder)).then((bytes) => {
    counted = bytes;
    // The row that the keyboard is on stays: only the words change.
    const active = pick.activeItems[0]?.label;
    fill(counted);
    pick.activeItems = pick.items.filter(({ label }) => label === active).slice(0, 1);
    pick.busy = false;
  });
  const item = await chosen;
  pick.dispose();
  await item?.run?.();
}

interface Shown {
  readonly usage: Usage;
  /** Bytes; undefined while they are counted. */
  readonly caches: number | undefined;
}

function itemsOf(core: Core, app: App, { usage, caches }: Shown): Item[] {
  const { storage } = app;
  const last =
    usage.lastPruned === undefined
      ? t('not done yet')
      : t('last done {0}', new Date(usage.lastPruned).toLocaleDateString());
  const whole: Item[] = [
    { label: `$(trash) ${t('Prune Now')}`, description: last, run: () => pruneNow(storage) },
    {
      label: `$(package) ${t('Clear Command Caches…')}`,
      description: caches === undefined ? '…' : sizeWords(caches),
      run: () => clearAllCaches(storage, usage.folder, caches),
    },
    {
      label: `$(folder-opened) ${t('Open Storage Folder')}`,
      description: usage.folder,
      run: async () =>
        void (await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(usage.folder))),
    },
  ];
  if (usage.setAside.files > 0)
    whole.splice(2, 0, {
      label: `$(warning) ${t('Delete Damaged Databases…')}`,
      description: sizeWords(usage.setAside.bytes),
      run: async () => {
        if (await agreed(setAsideQuestion(usage.setAside))) storage.deleteSetAside();
      },
    });
  const sessions = usage.sessions.map(
    (session): Item => ({
      label: oneLine(session.title),
      description: sessionWords(session, Date.now()),
      run: () => actOn(core, app, session),
    }),
  );
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [...whole, separator(t('Sessions of all folders')), ...sessions];
}

/** What can be done with one session. */
async function actOn(core: Core, app: App, session: SessionUsage): Promise<void> {
  const blocked = session.busy === undefined ? {} : { detail: session.busy };
  const items: Item[] = [
    {
      ...{
        label: `$(clear-all) ${t('Clear Checkpoints…')}`,
        description: sizeWords(session.checkpointBytes),
      },
      ...blocked,
      run: () => clearSession(app, session),
    },
    {
      ...{ label: `$(trash) ${t('Delete Session…')}`, description: sizeWords(session.bytes) },
      ...blocked,
      run: () => deleteSession(core, app, session),
    },
  ];
  const title = `${oneLine(session.title)} — ${session.folder}`;
  await (await vscode.window.showQuickPick(items, { title }))?.run?.();
}

async function clearSession({ storage }: App, session: SessionUsage): Promise<void> {
  if (session.busy !== undefined) throw new Error(session.busy);
  if (!(await agreed(clearQuestion(session, session.checkpointBytes)))) return;
  worked(await storage.clearCheckpoints(session.id));
  say(t('Belay: the checkpoints of “{0}” are cleared', oneLine(session.title)));
}

async function deleteSession(core: Core, { storage }: App, session: SessionUsage): Promise<void> {
  if (session.busy !== undefined) throw new Error(session.busy);
  if (!(await agreed(deleteQuestion(session)))) return;
  const ready = await readyCore(core);
  await core.leaveSession(ready, session.id);
  worked(await storage.deleteSession(session.id));
  say(t('Belay: “{0}” is deleted', oneLine(session.title)));
}

async function clearAllCaches(storage: AppStorage, folder: string, bytes: number | undefined): Promise<void> {
  const before = storage.commandsAtWork();
  if (before !== undefined) throw new Error(before);
  if (!(await agreed(cachesQuestion(bytes)))) return;
  const meanwhile = storage.commandsAtWork();
  if (meanwhile !== undefined) throw new Error(meanwhile);
  await removeFolder(cachesIn(folder));
  say(t('Belay: the caches of commands are cleared'));
}

async function pruneNow(storage: AppStorage): Promise<void> {
  const title = t('Belay: removing what is no longer kept');
  const report = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return storage.prune(stop.signal);
    },
  );
  void vscode.window.showInformationMessage(`Belay: ${prunedWords(report)}`);
}
