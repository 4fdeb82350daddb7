import type { AppSession, AppSlashAction } from '#app';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { truncate } from '#base/text';
import type { Mention } from '#protocol/message';
import type { Mode } from '#protocol/settings';
import { ChangeActions } from './change-actions';
import type { Core } from './core';
import { forkAndShow, pickForkTurn } from './fork';
import { readyCore, sessionAt, writable } from './needs';
import { type Post, say, showNotice } from './notices';
import { pickModel } from './pick-model';
import { pickMode } from './picks';

/** What a person sent. */
interface Sent {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

type PromptCall = Extract<AppSlashAction, { kind: 'prompt' }>['call'];

/** What a person can do, from wherever they do it: panel, palette, tree or key. */
export class Actions {
  readonly #core: Core;
  readonly #post: Post;
  /** What is about changed files. */
  readonly changes: ChangeActions;

  constructor(core: Core, post: Post) {
    this.#core = core;
    this.#post = post;
    this.changes = new ChangeActions(core, post);
  }

  /** Sends a prompt or carries out a slash command. The turn goes on by itself: nobody waits here for its end. */
  async send(sessionId: string, text: string, mentions: readonly Mention[]): Promise<void> {
    const { app, session } = await sessionAt(this.#core, sessionId);
    const slash = app.parseSlash(text, mentions);
    if (slash && !slash.ok) return this.#giveBack(session, { text, mentions }, slash.error);
    if (slash?.value.kind === 'prompt') return this.#call(session, { text, mentions }, slash.value.call);
    if (slash) return this.#slash(session, slash.value);
    if (text.trim() === '') return;
    if (session.running && mentions.some(({ kind }) => kind === 'resource')) {
      const why = t(
        'What a server offers can’t be attached to a message that waits. Send it when the turn has ended.',
      );
      return this.#giveBack(session, { text, mentions }, why);
    }
    this.#run(session, writable(session).send(text, mentions));
  }

  /** A prompt of others becomes a turn. Where it can't, what was typed goes back. */
  #call(session: AppSession, sent: Sent, call: PromptCall): void {
    const work = writable(session).call(sent.text, call, sent.mentions);
    this.#run(
      session,
      work.then((called) => called.ok || this.#giveBack(session, sent, called.error)),
    );
  }

  #giveBack(session: AppSession, { text, mentions }: Sent, why: string): void {
    this.#notice(session, 'warning', truncate(text.trim().split('\n')[0] ?? '', 100), why);
    this.#post({ type: 'give-back', sessionId: session.id, text, mentions });
  }

  async resume(sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    this.#run(session, writable(session).resume());
  }

  async stop(sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    if (session.running) session.stop();
    else say(t('Belay: no turn is running'));
  }

  /** Makes room in the model's window. What came of it shows in the conversation, unless it couldn't even begin. */
  async compact(focus = '', sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    const work = writable(session).compact(focus);
    this.#run(
      session,
      work.then(({ problem }) => problem && this.#notice(session, 'info', problem.title, problem.detail)),
    );
  }

  /** Goes on here with what another window runs. */
  async takeOver(sessionId?: string): Promise<void> {
    const { session } = await sessionAt(this.#core, sessionId);
    session.takeOver();
    writable(session);
  }

  async fork(turn: number | undefined, sessionId?: string): Promise<void> {
    const id = sessionId ?? (await sessionAt(this.#core)).session.id;
    await forkAndShow(this.#core, id, turn);
  }

  /** Asks before which turn. */
  async forkPicked(): Promise<void> {
    const { session } = await sessionAt(this.#core);
    const picked = await pickForkTurn(session);
    if (picked) await this.fork(picked.turn, session.id);
  }

  async selectModel(sessionId?: string): Promise<void> {
    const { models, session } = await sessionAt(this.#core, sessionId);
    const chosen = await pickModel(models, writable(session).transcript().modelId);
    if (chosen) await this.setModel(chosen, session.id);
  }

  async setModel(modelId: string, sessionId?: string): Promise<void> {
    const { models, session } = await sessionAt(this.#core, sessionId);
    writable(session).setModel(modelId);
    await models.prefer(modelId);
  }

  /** With no mode given, or with one that must be confirmed, the person is asked first. */
  async setMode(mode?: Mode, sessionId?: string): Promise<void> {
    const { app, session } = await sessionAt(this.#core, sessionId);
    const permitted = app.settings.permittedModes();
    const chosen = await pickMode(writable(session).transcript().mode, permitted, mode);
    if (chosen) writable(session).setMode(chosen);
  }

  async #slash(session: AppSession, action: Exclude<AppSlashAction, { kind: 'prompt' }>): Promise<void> {
    switch (action.kind) {
      case 'undo':
        return action.turn === undefined
          ? this.changes.undoLastTurn(session.id)
          : this.changes.undo({ turn: action.turn, scope: action.scope }, session.id);
      case 'diff':
        return action.path === undefined
          ? this.changes.openTurn(action.turn, session.id)
          : this.changes.openFile({ turn: action.turn, path: action.path, against: 'after' }, session.id);
      case 'redo':
        return this.changes.redo(session.id, action.scope);
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

  #run(session: AppSession, turn: Promise<unknown>): void {
    turn.catch((error: unknown) => this.#notice(session, 'error', t('The turn broke off'), messageOf(error)));
  }

  #notice(session: AppSession, severity: 'info' | 'warning' | 'error', title: string, detail: string): void {
    showNotice(this.#post, { sessionId: session.id, severity, title, detail });
  }
}
