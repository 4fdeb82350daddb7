import type { Core } from '#agent/core';
import { deleteSession, whyBusy } from '#agent/delete-session';
import { linesOf } from '#agent/export/events';
import { markdownOf } from '#agent/export/markdown';
import { type ExportedScenario, scenarioOf } from '#agent/export/scenario';
import { turnsOf } from '#agent/export/turns';
import { readEvents } from '#agent/import/events';
import { importSession } from '#agent/import/session';
import type { Sessions } from '#agent/sessions';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { FoundInHistory, HistoryAnswer } from '#protocol/history';
import type { SessionId } from '#protocol/ids';
import type { HistoryHit } from '#store/history-index';
import { snippet } from '#store/history-snippet';
import type { StoredSession } from '#store/sessions';

/** Most places that a search shows, and most of one session. */
const MOST_FOUND = 60;
const MOST_OF_ONE = 3;

/** What a delete would take away for good. */
export interface Loss {
  readonly title: string;
  readonly turns: number;
  /** Turns whose changes could no longer be undone. */
  readonly checkpoints: number;
}

/** What an import made, and how many lines of the file could not be read. */
export interface Importing {
  readonly sessionId: SessionId;
  readonly turns: number;
  readonly skipped: number;
}

/** The sessions of a folder as things to find, name, put away and throw away. Errors are sentences for people. */
export class History {
  readonly #core: Core;
  readonly #sessions: Sessions;

  constructor(core: Core, sessions: Sessions) {
    this.#core = core;
    this.#sessions = sessions;
  }

  /** Where the words were said, the best first; in this folder, or in all. Never throws for what is typed. */
  search(query: string, { everywhere = false }: { readonly everywhere?: boolean } = {}): HistoryAnswer {
    const { store, workspace } = this.#core;
    const folder = everywhere ? {} : { folder: workspace.root };
    const hits = store.history.search(query, { ...folder, limit: MOST_FOUND * MOST_OF_ONE });
    const seen = new Map<SessionId, number>();
    const few = hits.filter(({ sessionId }) => {
      const count = (seen.get(sessionId) ?? 0) + 1;
      seen.set(sessionId, count);
      return count <= MOST_OF_ONE;
    });
    const found = few.slice(0, MOST_FOUND).map((hit) => this.#found(hit, query));
    return { found, indexing: store.history.waiting() > 0 };
  }

  /** What was put away, the latest first. */
  archived(): readonly FoundInHistory[] {
    return this.#sessions.archived().map(({ id, title, at }) => ({
      ...{ sessionId: id, title, at, folder: undefined, turn: undefined },
      ...{ archived: true, kind: 'title', snippet: [] },
    }));
  }

  /** Where a session works, in whatever folder; undefined when it is gone. */
  folderOf(id: string): string | undefined {
    return this.#core.store.sessions.get(id as SessionId)?.folder;
  }

  async rename(id: string, title: string): Promise<Result<void, string>> {
    return this.#sessions.briefly(id, async (session) => session.history.rename(title));
  }

  /** Puts a session away, or takes it out again. */
  archive(id: string, away: boolean): Result<void, string> {
    const stored = this.#here(id);
    if (!stored) return fail(gone());
    this.#core.store.sessions.archive(stored.id, away ? this.#core.host.clock.now() : undefined);
    this.#core.changed();
    return ok(undefined);
  }

  /** What a delete would take away, or why it can't be. */
  loss(id: string): Result<Loss, string> {
    const stored = this.#here(id);
    if (!stored) return fail(gone());
    const busy = whyBusy(this.#core, this.#sessions, stored.id);
    if (busy !== undefined) return fail(busy);
    const { store } = this.#core;
    const turns = store.outline.rows(stored.id).filter(({ type }) => type === 'turn.started').length;
    const checkpoints = this.#core.checkpoints
      .list(stored.id)
      .filter(({ files, state }) => files.length > 0 && state !== 'undone').length;
    return ok({ title: stored.title || t('New session'), turns, checkpoints });
  }

  /** Deletes for good what `loss` told of. Files stay as they are now. */
  async delete(id: string): Promise<Result<void, string>> {
    const stored = this.#here(id);
    return stored ? deleteSession(this.#core, this.#sessions, stored.id) : fail(gone());
  }

  /** A session for people (Markdown) or machines (its events, one a line). Secrets are taken out; files and long outputs stay out. */
  export(id: string, form: 'markdown' | 'events'): Result<string, string> {
    const stored = this.#here(id);
    if (!stored) return fail(gone());
    const { store, redactor } = this.#core;
    const pieces =
      form === 'markdown'
        ? markdownOf(stored, turnsOf(store, stored.id))
        : linesOf(redactor.value(stored), redactor.value(store.events.list(stored.id)));
    const text = [...pieces].join('');
    return ok(form === 'markdown' ? redactor.value(text) : text);
  }

  /** The session as a scenario that plays it again without a model, and what that can't show. */
  async exportScenario(id: string): Promise<Result<ExportedScenario, string>> {
    const stored = this.#here(id);
    return stored ? ok(await scenarioOf(this.#core, stored.id)) : fail(gone());
  }

  /** A session of this folder made of exported events: to read and to go on with. Nothing of it is run. */
  import(text: string, modelId: string): Result<Importing, string> {
    const read = readEvents(text);
    if (!read.ok) return read;
    const { turns, skipped } = read.value;
    if (turns.length === 0) return fail(t('No turn of a session can be read from that file.'));
    return ok({ sessionId: importSession(this.#core, read.value, modelId), turns: turns.length, skipped });
  }

  #here(id: string): StoredSession | undefined {
    const stored = this.#core.store.sessions.get(id as SessionId);
    return stored?.folder === this.#core.workspace.root ? stored : undefined;
  }

  #found({ text, folder, turn, ...hit }: HistoryHit, query: string): FoundInHistory {
    const { root } = this.#core.workspace;
    return {
      sessionId: hit.sessionId,
      title: hit.title || t('New session'),
      folder: folder === root ? undefined : folder,
      ...{ archived: hit.archived, at: hit.at, turn, kind: hit.kind },
      snippet: snippet(text, query),
    };
  }
}

/** Said where a list still has a session that is no more. */
function gone(): string {
  return t('That session is gone: it was deleted, or it belongs to another folder.');
}
