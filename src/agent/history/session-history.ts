import type { Core } from '#agent/core';
import type { SessionState } from '#agent/session-state';
import { betterTitle, titleOf } from '#agent/titles';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { PageWish, TurnHead, TurnPage } from '#protocol/page';
import type { TitledBy } from '#store/sessions';
import { readOutline } from './outline';
import { pageOf } from './pages';

/** Most characters of a title that a person gives. */
const LONGEST_TITLE = 200;

/** What was said in one session, by pages, and what it is called. */
export class SessionHistory {
  readonly #core: Core;
  readonly #state: SessionState;
  readonly #mayWrite: () => boolean;
  #naming: AbortController | undefined;

  constructor(core: Core, state: SessionState, { mayWrite }: { mayWrite(): boolean }) {
    this.#core = core;
    this.#state = state;
    this.#mayWrite = mayWrite;
  }

  /** Some of its turns that count. */
  page(wish: PageWish): TurnPage {
    return pageOf(this.#core.store, this.#state.id, wish);
  }

  /** All of its turns that count, oldest first, as a list names them. */
  turns(): readonly TurnHead[] {
    const { store } = this.#core;
    const started = store.outline.bodies(this.#state.id, ['turn.started']);
    const prompts = new Map(started.map(({ turnId, prompt }) => [turnId, prompt]));
    return readOutline(store, this.#state.id).turns.map(({ turnId, turn, at }) => ({
      ...{ turnId, turn, at },
      prompt: prompts.get(turnId) ?? '',
    }));
  }

  /** The title that a person gives; no other replaces it. The error is a sentence for people. */
  rename(words: string): Result<void, string> {
    const title = titleOf(words, LONGEST_TITLE);
    if (title === '') return fail(t('A session needs a title.'));
    if (!this.#mayWrite()) return fail(t('Another window works in this session. Take it over first.'));
    this.stopNaming();
    this.#give(title, 'person');
    return ok(undefined);
  }

  /** After a session's first turn: looks for a better title than its first words, without keeping anybody waiting. */
  improveTitle(): void {
    this.#improve().catch((error: unknown) => {
      this.#core.host.log.warn(`session ${this.#state.id} keeps its title: ${messageOf(error)}`);
    });
  }

  /** Whatever names it is no longer wanted: the session closes, or a person names it. */
  stopNaming(): void {
    this.#naming?.abort();
  }

  async #improve(): Promise<void> {
    const { store } = this.#core;
    const { id, modelId } = this.#state;
    const wants = () => store.sessions.get(id)?.titledBy === 'prompt';
    if (this.#naming || !wants()) return;
    const { turns, before, after } = this.page({ place: 'around', turn: 1 });
    if (turns.length !== 1 || before + after > 0 || turns[0]?.status !== 'done') return;
    const naming = new AbortController();
    this.#naming = naming;
    const title = await betterTitle(this.#core, { modelId, turns }, naming.signal);
    if (title !== undefined && !naming.signal.aborted && this.#mayWrite() && wants())
      this.#give(title, 'model');
  }

  #give(title: string, titledBy: TitledBy): void {
    const { store, redactor } = this.#core;
    const shown = redactor.value(title);
    this.#state.log.recordNow({ type: 'session.titled', title: shown });
    store.sessions.update(this.#state.id, { title: shown, titledBy });
    this.#state.title = shown;
    this.#core.changed();
  }
}
