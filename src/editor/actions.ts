import type { AppSession, AppSlashAction } from '#app';
import { t } from '#base/l10n';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { Mention } from '#protocol/message';
import type { Core } from './core';
import { openFileDiff, openTurnsDiff } from './diff-view';
import { type ReadyCore, readyCore } from './needs';
import { type Post, showNotice, showOutcome } from './outcomes';
import { pickMode, pickModel, pickTurn } from './picks';
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
    const session = await this.#session(sessionId);
    const app = this.#core.ready?.app;
    if (!session || !app) return;
    const slash = mentions.length === 0 ? app.parseSlash(text) : undefined;
    if (slash && !slash.ok) return this.#notice(session, 'warning', text, slash.error);
    if (slash) return this.#slash(session, slash.value);
    if (text.trim() === '') return;
    this.#run(session, session.send(text, mentions));
  }

  async resume(sessionId: string): Promise<void> {
    const session = await this.#session(sessionId);
    if (session) this.#run(session, session.resume());
  }

  async stop(sessionId?: string): Promise<void> {
    (await this.#session(sessionId))?.stop();
  }

  async undo(request: UndoRequest, sessionId?: string): Promise<void> {
    const session = await this.#session(sessionId);
    if (session)
      await undoTurns(session, request, (shown, outcome, from) =>
        showOutcome(this.#post, shown, outcome, from),
      );
  }

  /** The last turn that changed files and isn't undone. */
  async undoLastTurn(sessionId?: string): Promise<void> {
    const session = await this.#session(sessionId);
    const last = session && lastUndoable(session);
    if (session && !last)
      this.#notice(session, 'info', t('Nothing to undo'), t('No turn of this session has changed a file.'));
    if (last) await this.undo({ turn: last.turn, scope: 'files' }, sessionId);
  }

  /** What stands in the changed-files bar: from its first turn on. */
  async undoChanges(onConflict: UndoRequest['onConflict'], sessionId?: string): Promise<void> {
    const session = await this.#session(sessionId);
    const first = session?.changesToReview()[0];
    if (first)
      await this.undo({ turn: first.turn, scope: 'files', onConflict: onConflict ?? 'stop' }, sessionId);
  }

  async undoPicked(scope: UndoRequest['scope']): Promise<void> {
    const session = await this.#session();
    const turn = session && (await pickTurn(session, scope));
    if (turn !== undefined) await this.undo({ turn, scope });
  }

  async redo(sessionId?: string): Promise<void> {
    const session = await this.#session(sessionId);
    if (session) showOutcome(this.#post, session, await session.redo(), undefined);
  }

  async keepAll(sessionId?: string): Promise<void> {
    (await this.#session(sessionId))?.keepAll();
  }

  async review(sessionId?: string): Promise<void> {
    const { folder } = await readyCore(this.#core);
    const session = await this.#session(sessionId);
    const changes = session?.changesToReview() ?? [];
    if (changes.length > 0) await openTurnsDiff(folder.uri, changes, t('Belay: changes to review'));
    else if (session)
      this.#notice(session, 'info', t('Nothing to review'), t('No file was changed since the last review.'));
  }

  /** What going back to before a picked turn would change, without changing it. */
  async showUndo(): Promise<void> {
    const { folder } = await readyCore(this.#core);
    const session = await this.#session();
    const turn = session && (await pickTurn(session, 'files'));
    if (!session || turn === undefined) return;
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
    const { models } = await readyCore(this.#core);
    const session = await this.#session(sessionId);
    const chosen = await pickModel(models, session?.transcript().modelId);
    if (chosen) await this.setModel(chosen, sessionId);
  }

  async setModel(modelId: string, sessionId?: string): Promise<void> {
    const { models } = await readyCore(this.#core);
    (await this.#session(sessionId))?.setModel(modelId);
    await models.prefer(modelId);
  }

  /** With no mode given, or with one that must be confirmed, the person is asked first. */
  async setMode(mode?: Parameters<AppSession['setMode']>[0], sessionId?: string): Promise<void> {
    const session = await this.#session(sessionId);
    const chosen = session && (await pickMode(session.transcript().mode, mode));
    if (chosen) session.setMode(chosen);
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
      case 'stop':
        return session.stop();
      case 'new':
        return this.#core.newSession();
      case 'model':
        return this.selectModel(session.id);
      case 'mode':
        return this.setMode(undefined, session.id);
      case 'help':
        return this.#notice(
          session,
          'info',
          t('Commands'),
          this.#core.ready?.app
            .slashCommands()
            .map(({ usage, description }) => `${usage} — ${description}`)
            .join('\n') ?? '',
        );
    }
  }

  #run(session: AppSession, turn: Promise<unknown>): void {
    turn.catch((error: unknown) =>
      this.#notice(
        session,
        'error',
        t('The turn broke off'),
        error instanceof Error ? error.message : String(error),
      ),
    );
  }

  #notice(session: AppSession, severity: 'info' | 'warning' | 'error', title: string, detail: string): void {
    showNotice(this.#post, { sessionId: session.id, severity, title, detail });
  }

  async #session(sessionId?: string): Promise<AppSession | undefined> {
    const { app } = await readyCore(this.#core);
    return sessionId ? app.session(sessionId) : this.#core.session;
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

function lastUndoable(session: AppSession): CheckpointSummary | undefined {
  return session
    .checkpoints()
    .filter(({ state, files }) => state !== 'undone' && files.length > 0)
    .sort((a, b) => b.turn - a.turn)[0];
}
