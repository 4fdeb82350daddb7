import * as vscode from 'vscode';
import { sha256 } from '#base/hash';
import { counted, t } from '#base/l10n';
import type { ChangeActions } from '#editor/change-actions';
import { queryOf } from '#editor/checkpoint-files';
import type { Core } from '#editor/core';
import { readyCore, sessionAt, writable } from '#editor/needs';
import { say } from '#editor/notices';
import type { Sha256 } from '#protocol/ids';
import { activeTab, originalOf } from './active-tab';
import { openReviewFile } from './open';
import { lineOf, placeOf } from './place';

/** What a person does about changes that wait for review: from the bar, the diff editor, its menus, the palette or a key. */
export class ReviewActions {
  readonly #core: Core;
  readonly #changes: ChangeActions;

  constructor(core: Core, changes: ChangeActions) {
    this.#core = core;
    this.#changes = changes;
  }

  async openFile(path: string, sessionId?: string): Promise<void> {
    const { folder, session } = await sessionAt(this.#core, sessionId);
    const change = (await session.review.changes()).find((each) => each.path === path);
    if (!change) throw new Error(t('{0} has no changes to review.', path));
    await openReviewFile(folder.uri, session.id, change);
  }

  async keepFile(path: string, sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const kept = writable(session).review.keep([path]);
    if (kept.length === 0) throw new Error(t('{0} has no changes to review.', path));
    say(t('Belay: {0} kept', path));
  }

  async undoFile(path: string, sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const change = (await session.review.changes()).find((each) => each.path === path);
    if (!change) throw new Error(t('{0} has no changes to review.', path));
    const request = { turn: change.turn, scope: 'files', paths: [path], review: true } as const;
    await this.#changes.undo(request, session.id);
  }

  /** The active editor's file, or the one that a button hands over. */
  async here(given: unknown, action: 'open' | 'keep' | 'undo'): Promise<void> {
    const { path, sessionId } = placeOf(given, (await readyCore(this.#core)).folder.uri);
    await this.act(action, path, sessionId);
  }

  async act(action: 'open' | 'keep' | 'undo', path: string, sessionId?: string): Promise<void> {
    if (action === 'open') await this.openFile(path, sessionId);
    else if (action === 'keep') await this.keepFile(path, sessionId);
    else await this.undoFile(path, sessionId);
  }

  async keepBlock(given: unknown): Promise<void> {
    const { session, block } = await this.#block(given);
    const kept = await session.review.keepHunk(block);
    if (typeof kept === 'string') throw new Error(kept);
    say(
      kept.lines === 0
        ? t('Belay: the change is kept')
        : t('Belay: {0} kept', counted(kept.lines, '{0} line', '{0} lines')),
    );
  }

  async undoBlock(given: unknown): Promise<void> {
    const { session, block } = await this.#block(given);
    const outcome = await session.review.undoHunk(block);
    if (outcome.status === 'done') say(t('Belay: the change is undone; Redo brings it back'));
    else if (outcome.status === 'nothing') throw new Error(outcome.why);
    else throw new Error(outcome.conflicts.map(({ path, why }) => `${path}: ${why}`).join('; '));
  }

  /** One file of a turn, from that turn's own diff. */
  async undoFileOfTurn(given: unknown): Promise<void> {
    const uri = given instanceof vscode.Uri ? given : undefined;
    const query = originalOf(activeTab()) ?? (uri && queryOf(uri));
    if (query?.side !== 'before' && query?.side !== 'after')
      throw new Error(t('Open the changes of a turn first.'));
    const { app } = await readyCore(this.#core);
    for (const { id } of app.sessions()) {
      const turn = app.checkpoints(id).find((each) => each.id === query.checkpoint);
      const change = turn?.files.find(({ path, from }) => path === query.path || from === query.path);
      if (turn && change)
        return this.#changes.undo(
          { turn: turn.turn, last: turn.turn, scope: 'files', paths: [change.path] },
          id,
        );
    }
    throw new Error(t('That turn is no longer kept.'));
  }

  async #block(given: unknown) {
    const { folder } = await readyCore(this.#core);
    const place = placeOf(given, folder.uri);
    const { session } = await sessionAt(this.#core, place.sessionId);
    writable(session);
    const seen = await seenContent(vscode.Uri.joinPath(folder.uri, place.path));
    const block = { path: place.path, line: lineOf(given), side: place.side, ...(seen ? { seen } : {}) };
    return { session, block };
  }
}

/** The bytes that the editor shows: a block is found by a line of these, so no others will do. */
async function seenContent(file: vscode.Uri): Promise<Sha256 | undefined> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === file.toString());
  if (!document || document.isDirty) return undefined;
  const bytes = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  return sha256(bytes) as Sha256;
}
