import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { HistoryAnswer } from '#protocol/history';
import type { ToHost, ToPanel } from '#protocol/wire';
import type { Core } from './core';
import { readyCore, worked } from './needs';
import { oneLine, plainText } from './plain-text';
import { agreed } from './question';

/** What a person does with sessions as a whole, from the panel's list and from the palette. */
export class HistoryActions {
  readonly #core: Core;
  readonly #post: (message: ToPanel) => unknown;

  constructor(core: Core, post: (message: ToPanel) => unknown) {
    this.#core = core;
    this.#post = post;
  }

  /** Shows a session, at a turn if one is given. One that is gone, or of another folder, is told. */
  async open(sessionId: string, turn?: number): Promise<void> {
    const { app } = await readyCore(this.#core);
    if (!app.session(sessionId)) {
      const folder = app.history.folderOf(sessionId);
      if (folder === undefined) throw new Error(t('That session is gone: it was deleted.'));
      return offerFolder(folder);
    }
    await this.#core.show(sessionId);
    // A tab shows another session elsewhere: there it is told to.
    if (this.#core.session?.id !== sessionId) return;
    if (turn !== undefined) this.#post({ type: 'reveal', sessionId, turn });
    else this.#post({ type: 'focus-composer' });
  }

  async search({ requestId, ...wish }: ToHost & { type: 'search-sessions' }): Promise<void> {
    const { app } = await readyCore(this.#core);
    const answer: HistoryAnswer =
      wish.archived && wish.query.trim() === ''
        ? { found: app.history.archived(), indexing: false }
        : app.history.search(wish.query, wish);
    this.#post({ type: 'sessions-found', requestId, answer });
  }

  async rename(sessionId?: string, title?: string): Promise<void> {
    const { app } = await readyCore(this.#core);
    const id = this.#idOf(sessionId);
    const given = title ?? (await askTitle(app.session(id)?.title ?? ''));
    if (given !== undefined) worked(await app.history.rename(id, given));
  }

  async archive(sessionId?: string, away = true): Promise<void> {
    const { app } = await readyCore(this.#core);
    worked(app.history.archive(this.#idOf(sessionId), away));
  }

  /** Asks first, and names what is lost. */
  async delete(sessionId?: string): Promise<void> {
    const ready = await readyCore(this.#core);
    const { history } = ready.app;
    const id = this.#idOf(sessionId);
    const { title, turns, checkpoints } = worked(history.loss(id));
    const detail = [
      t('{0} turns and all that was said in them are deleted for good.', turns),
      checkpoints > 0
        ? t('What {0} of them changed stays in your files and can no longer be undone by Belay.', checkpoints)
        : t('No file is changed.'),
    ].join('\n');
    const message = t('Delete the session “{0}”?', oneLine(title));
    if (!(await agreed({ message, detail, button: t('Delete') }))) return;
    await this.#core.leaveSession(ready, id);
    worked(await history.delete(id));
  }

  #idOf(sessionId: string | undefined): string {
    const id = sessionId ?? this.#core.session?.id;
    if (id === undefined) throw new Error(t('No session is shown.'));
    return id;
  }
}

function askTitle(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Rename Session'),
    value,
    prompt: t('A title that you give is kept.'),
    validateInput: (text) => (text.trim() === '' ? t('A session needs a title.') : undefined),
  });
}

/** A session of another folder opens in a window of its folder. */
async function offerFolder(folder: string): Promise<void> {
  const open = t('Open Folder in New Window');
  const chosen = await vscode.window.showInformationMessage(
    plainText(t('That session belongs to another folder: {0}', folder)),
    open,
  );
  if (chosen !== open) return;
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
    forceNewWindow: true,
  });
}
