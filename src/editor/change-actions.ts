import type { AppSession } from '#app';
import { counted, t } from '#base/l10n';
import { decideConflicts } from '#editor/review/conflict-choices';
import { openReview } from '#editor/review/open';
import { openThreeWay } from '#editor/review/three-way';
import type { CheckpointSummary, RedoScope, RestoreScope } from '#protocol/checkpoint';
import type { Core, ReadyCore } from './core';
import { openFileDiff, openTurnsDiff } from './diff-view';
import { readyCore, sessionAt, writable } from './needs';
import { type Post, say, showNotice } from './notices';
import { showOutcome, type Told } from './outcomes';
import { pickTurn, turnsToGoBackTo } from './picks';
import { type UndoRequest, undoTurns } from './undo';

/** A file that a turn changed, and what its earlier content is compared with. */
interface FileOfTurn {
  readonly turn: number;
  readonly path: string;
  readonly against: 'after' | 'now';
}

/** What a person can do about changed files: look at them, keep them, take them back. */
export class ChangeActions {
  readonly #core: Core;
  readonly #post: Post;

  constructor(core: Core, post: Post) {
    this.#core = core;
    this.#post = post;
  }

  async undo(request: UndoRequest, sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    await undoTurns(session, request, (shown, outcome, from) =>
      showOutcome(this.#told(shown), shown, outcome, from),
    );
  }

  /** The last turn that changed files and isn't undone. */
  async undoLastTurn(sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const turn = session.lastUndoable;
    if (turn === undefined) this.#nothingToUndo(session);
    else await this.undo({ turn, scope: 'files' }, session.id);
  }

  /** What stands in the changed-files bar: from its first turn on. */
  async undoChanges(onConflict: UndoRequest['onConflict'], sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const turns = (await session.review.changes()).map(({ turn }) => turn);
    const turn = turns.length > 0 ? Math.min(...turns) : undefined;
    if (turn === undefined) this.#nothingToUndo(session);
    else await this.undo({ turn, scope: 'files', onConflict, review: true }, session.id);
  }

  /** Turns from one to another, those after them left alone. What that changes is listed first. */
  async undoRange(first?: number, sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const turns = turnsToGoBackTo(session, 'files');
    if (turns.length === 0) return this.#nothingToUndo(session);
    const turn = first ?? (await pickTurn(turns, t('Undo from which turn on?')));
    if (turn === undefined) return;
    const last = await pickTurn(
      turns.filter((each) => each.turn >= turn),
      t('Up to which turn?'),
    );
    if (last !== undefined) await this.undo({ turn, last, scope: 'files' }, session.id);
  }

  /** What stands against an undo of one file: three comparisons. */
  async compare(request: UndoRequest, path: string, sessionId?: string): Promise<void> {
    const { folder, session } = await sessionAt(this.#core, sessionId);
    await openThreeWay(folder.uri, session, { request, path });
  }

  async undoPicked(scope: RestoreScope): Promise<void> {
    const { session } = await sessionAt(this.#core);
    const turns = turnsToGoBackTo(session, scope);
    if (turns.length === 0) return this.#nothingToUndo(session);
    const turn = await pickTurn(turns);
    if (turn !== undefined) await this.undo({ turn, scope }, session.id);
  }

  /** The last undo; `files`: what the last one of files took of them. */
  async redo(sessionId?: string, scope?: RedoScope): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    await showOutcome(this.#told(session), session, await session.redo(scope), undefined);
  }

  async keepAll(sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const changes = await session.review.changes();
    if (changes.length === 0) return this.#nothingToReview(session);
    writable(session).review.keepAll();
    say(t('Belay: {0} kept', counted(changes.length, '{0} file', '{0} files')));
  }

  async review(sessionId?: string): Promise<void> {
    const { folder, session } = await sessionAt(this.#core, sessionId);
    const changes = await session.review.changes();
    if (changes.length > 0) return openReview(folder.uri, session.id, changes);
    // What only commands did can be told of, though it isn't kept.
    const turns = session.review.turns();
    if (turns.length === 0) return this.#nothingToReview(session);
    await openTurnsDiff(folder.uri, turns, t('Belay: changes to review'));
  }

  /** What going back to before a picked turn would change, without changing it. */
  async showUndo(): Promise<void> {
    const { folder, session } = await sessionAt(this.#core);
    const turns = turnsToGoBackTo(session, 'files');
    if (turns.length === 0) return this.#nothingToUndo(session);
    const turn = await pickTurn(turns);
    if (turn === undefined) return;
    const taken = session
      .checkpoints()
      .filter((checkpoint) => checkpoint.turn >= turn && checkpoint.state !== 'undone');
    await openTurnsDiff(folder.uri, taken, t('Belay: turns {0} and later', turn));
  }

  async openTurn(turn: number, sessionId?: string): Promise<void> {
    const shown = await this.#checkpoint(turn, sessionId);
    if (!shown) throw new Error(t('Turn {0} changed no file.', turn));
    await openTurnsDiff(shown.ready.folder.uri, [shown.checkpoint], t('Belay: turn {0}', turn));
  }

  async openFile({ turn, path, against }: FileOfTurn, sessionId?: string): Promise<void> {
    const shown = await this.#checkpoint(turn, sessionId);
    const change = shown?.checkpoint.files.find((file) => file.path === path);
    if (!shown || !change) throw new Error(t('Turn {0} did not change {1}.', turn, path));
    await openFileDiff(shown.ready.folder.uri, shown.checkpoint, change, against);
  }

  #told(session: AppSession): Told {
    return {
      post: this.#post,
      decide: (request, { conflicts }) =>
        decideConflicts(conflicts, (path) => this.compare(request, path, session.id)),
      again: (request) => this.undo(request, session.id),
    };
  }

  #nothingToUndo(session: AppSession): void {
    this.#tell(session, t('Nothing to undo'), t('No turn of this session has changed a file.'));
  }

  #nothingToReview(session: AppSession): void {
    this.#tell(session, t('Nothing to review'), t('No file was changed since the last review.'));
  }

  #tell({ id }: AppSession, title: string, detail: string): void {
    showNotice(this.#post, { sessionId: id, severity: 'info', title, detail });
  }

  /** A session of the tree needn't be open to look at what it did. */
  async #checkpoint(turn: number, sessionId?: string): Promise<Shown | undefined> {
    const ready = await readyCore(this.#core);
    const id = sessionId ?? this.#core.session?.id;
    const checkpoint = ready.app.checkpoints(id ?? '').find((each) => each.turn === turn);
    return checkpoint && { ready, checkpoint };
  }
}

interface Shown {
  readonly ready: ReadyCore;
  readonly checkpoint: CheckpointSummary;
}
