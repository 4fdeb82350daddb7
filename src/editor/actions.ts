import * as vscode from 'vscode';
import type { AppSession, AppSlashAction } from '#app';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { count } from '#base/text';
import { decideConflicts } from '#editor/review/conflict-choices';
import { openReview } from '#editor/review/open';
import { openThreeWay } from '#editor/review/three-way';
import type { CheckpointSummary, RestoreScope } from '#protocol/checkpoint';
import type { Mention } from '#protocol/message';
import type { Mode } from '#protocol/settings';
import type { Core, ReadyCore } from './core';
import { openFileDiff, openTurnsDiff } from './diff-view';
import { forkAndShow, pickForkTurn } from './fork';
import { readyCore } from './needs';
import { type Post, showNotice } from './notices';
import { showOutcome, type Told } from './outcomes';
import { pickModel } from './pick-model';
import { pickMode, pickTurn, turnsToGoBackTo } from './picks';
import { type UndoRequest, undoTurns } from './undo';

/** What a person can do, from wherever they do it: panel, palette, tree or key. */
export class Actions {
  readonly #core: Core;
  readonly #post: Post;

  constructor(core: Core, post: Post) {
    this.#core = core;
    this.#post = post;
  }

  /** Sends a prompt or carries out a slash command. The turn goes on by itself: nobody waits here for its end. */
  async send(sessionId: string, text: string, mentions: readonly Mention[]): Promise<void> {
    const { app, session } = await this.#at(sessionId);
    const slash = mentions.length === 0 ? app.parseSlash(text) : undefined;
    if (slash && !slash.ok) return this.#notice(session, 'warning', text, slash.error);
    if (slash) return this.#slash(session, slash.value);
    if (text.trim() === '') return;
    this.#run(session, writable(session).send(text, mentions));
  }

  async resume(sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    this.#run(session, writable(session).resume());
  }

  async stop(sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    if (session.running) session.stop();
    else say(t('Belay: no turn is running'));
  }

  /** Makes room in the model's window. What came of it shows in the conversation, unless it couldn't even begin. */
  async compact(focus = '', sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    const work = writable(session).compact(focus);
    this.#run(
      session,
      work.then(({ problem }) => problem && this.#notice(session, 'info', problem.title, problem.detail)),
    );
  }

  /** Goes on here with what another window runs. */
  async takeOver(sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    session.takeOver();
    writable(session);
  }

  async undo(request: UndoRequest, sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    await undoTurns(session, request, (shown, outcome, from) =>
      showOutcome(this.#told(shown), shown, outcome, from),
    );
  }

  /** The last turn that changed files and isn't undone. */
  async undoLastTurn(sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    const turn = session.lastUndoable;
    if (turn === undefined) this.#nothingToUndo(session);
    else await this.undo({ turn, scope: 'files' }, session.id);
  }

  /** What stands in the changed-files bar: from its first turn on. */
  async undoChanges(onConflict: UndoRequest['onConflict'], sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    const turns = (await session.review.changes()).map(({ turn }) => turn);
    const turn = turns.length > 0 ? Math.min(...turns) : undefined;
    if (turn === undefined) this.#nothingToUndo(session);
    else await this.undo({ turn, scope: 'files', onConflict, review: true }, session.id);
  }

  /** Turns from one to another, those after them left alone. What that changes is listed first. */
  async undoRange(first?: number, sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
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
    const { folder, session } = await this.#at(sessionId);
    await openThreeWay(folder.uri, session, request, path);
  }

  async undoPicked(scope: RestoreScope): Promise<void> {
    const { session } = await this.#at();
    const turns = turnsToGoBackTo(session, scope);
    if (turns.length === 0) return this.#nothingToUndo(session);
    const turn = await pickTurn(turns);
    if (turn !== undefined) await this.undo({ turn, scope }, session.id);
  }

  async redo(sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    await showOutcome(this.#told(session), session, await session.redo(), undefined);
  }

  async fork(turn: number | undefined, sessionId?: string): Promise<void> {
    const id = sessionId ?? (await this.#at()).session.id;
    await forkAndShow(this.#core, id, turn);
  }

  /** Asks before which turn. */
  async forkPicked(): Promise<void> {
    const { session } = await this.#at();
    const picked = await pickForkTurn(session);
    if (picked) await this.fork(picked.turn, session.id);
  }

  async keepAll(sessionId?: string): Promise<void> {
    const { session } = await this.#at(sessionId);
    const changes = await session.review.changes();
    if (changes.length === 0) return this.#nothingToReview(session);
    writable(session).keepAll();
    say(t('Belay: {0} kept', count(changes.length, 'file')));
  }

  async review(sessionId?: string): Promise<void> {
    const { folder, session } = await this.#at(sessionId);
    const changes = await session.review.changes();
    if (changes.length > 0) return openReview(folder.uri, session.id, changes);
    // What only commands did can be told of, though it isn't kept.
    const turns = session.changesToReview();
    if (turns.length === 0) return this.#nothingToReview(session);
    await openTurnsDiff(folder.uri, turns, t('Belay: changes to review'));
  }

  /** What going back to before a picked turn would change, without changing it. */
  async showUndo(): Promise<void> {
    const { folder, session } = await this.#at();
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

  async openFile(
    turn: number,
    path: string | undefined,
    against: 'after' | 'now',
    sessionId?: string,
  ): Promise<void> {
    const shown = await this.#checkpoint(turn, sessionId);
    const change = shown?.checkpoint.files.find((file) => file.path === path);
    if (!shown || !change) throw new Error(t('Turn {0} did not change {1}.', turn, path ?? ''));
    await openFileDiff(shown.ready.folder.uri, shown.checkpoint, change, against);
  }

  async selectModel(sessionId?: string): Promise<void> {
    const { models, session } = await this.#at(sessionId);
    const chosen = await pickModel(models, writable(session).transcript().modelId);
    if (chosen) await this.setModel(chosen, session.id);
  }

  async setModel(modelId: string, sessionId?: string): Promise<void> {
    const { models, session } = await this.#at(sessionId);
    writable(session).setModel(modelId);
    await models.prefer(modelId);
  }

  /** With no mode given, or with one that must be confirmed, the person is asked first. */
  async setMode(mode?: Mode, sessionId?: string): Promise<void> {
    const { app, session } = await this.#at(sessionId);
    const permitted = app.settings.permittedModes();
    const chosen = await pickMode(writable(session).transcript().mode, permitted, mode);
    if (chosen) writable(session).setMode(chosen);
  }

  async #slash(session: AppSession, action: AppSlashAction): Promise<void> {
    switch (action.kind) {
      case 'undo':
        return action.turn === undefined
          ? this.undoLastTurn(session.id)
          : this.undo({ turn: action.turn, scope: action.scope }, session.id);
      case 'diff':
        return action.path === undefined
          ? this.openTurn(action.turn, session.id)
          : this.openFile(action.turn, action.path, 'after', session.id);
      case 'redo':
        return this.redo(session.id);
      case 'fork':
        return this.fork(action.turn, session.id);
      case 'compact':
        return this.compact(action.focus, session.id);
      case 'stop':
        return this.stop(session.id);
      case 'new':
        return this.#core.newSession(await readyCore(this.#core));
      case 'model':
        return this.selectModel(session.id);
      case 'mode':
        return this.setMode(undefined, session.id);
      case 'help':
        return this.#help(session);
    }
  }

  async #help(session: AppSession): Promise<void> {
    const { app } = await readyCore(this.#core);
    const lines = app.slashCommands().map(({ usage, description }) => `${usage} — ${description}`);
    this.#notice(session, 'info', t('Commands'), lines.join('\n'));
  }

  #told(session: AppSession): Told {
    return {
      post: this.#post,
      decide: (request, { conflicts }) =>
        decideConflicts(conflicts, (path) => this.compare(request, path, session.id)),
      again: (request) => this.undo(request, session.id),
    };
  }

  #run(session: AppSession, turn: Promise<unknown>): void {
    turn.catch((error: unknown) => this.#notice(session, 'error', t('The turn broke off'), messageOf(error)));
  }

  #nothingToUndo(session: AppSession): void {
    this.#notice(session, 'info', t('Nothing to undo'), t('No turn of this session has changed a file.'));
  }

  #nothingToReview(session: AppSession): void {
    this.#notice(session, 'info', t('Nothing to review'), t('No file was changed since the last review.'));
  }

  #notice(session: AppSession, severity: 'info' | 'warning' | 'error', title: string, detail: string): void {
    showNotice(this.#post, { sessionId: session.id, severity, title, detail });
  }

  /** The core and one of its sessions, by default the one shown. Throws in words for people where there is none. */
  async #at(sessionId?: string): Promise<ReadyCore & { readonly session: AppSession }> {
    const ready = await readyCore(this.#core);
    const session = sessionId === undefined ? this.#core.session : ready.app.session(sessionId);
    if (!session) throw new Error(t('That session is not in this folder.'));
    return { ...ready, session };
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

/** Only one window writes to a session; in another one every change is refused aloud. */
function writable(session: AppSession): AppSession {
  if (session.elsewhere) throw new Error(t('Another window works in this session. Take it over first.'));
  return session;
}

/** What can be seen anyway needs no more than a word at the window's edge. */
function say(words: string): void {
  vscode.window.setStatusBarMessage(words, 5000);
}
