import type { AppSession } from '#app';
import type { AgentEvent } from '#protocol/event';
import type { PanelState } from '#protocol/panel-state';

/** What the changed-files bar shows of a session. Every checkpoint is read for it, so it is kept until an event may have changed it. */
export class ChangesToReview {
  #kept: { readonly session: AppSession; readonly changes: Promise<PanelState['changes']> } | undefined;

  of(session: AppSession): Promise<PanelState['changes']> {
    if (this.#kept?.session !== session) this.#kept = { session, changes: changesOf(session) };
    const { changes } = this.#kept;
    changes.catch(() => this.forget());
    return changes;
  }

  /** To be told every event of the session, from before it is asked for until another session is. */
  hear({ type }: AgentEvent): void {
    const concerns = type.startsWith('checkpoint.') || type.startsWith('session.') || type === 'files.kept';
    if (concerns) this.forget();
  }

  forget(): void {
    this.#kept = undefined;
  }
}

/** The bar's numbers: what waits file by file, and what commands did in turns that wait. */
async function changesOf(session: AppSession): Promise<PanelState['changes']> {
  const changes = await session.review.changes();
  const byCommands = session.review
    .turns()
    .flatMap((checkpoint) => checkpoint.commandChanges.map(({ path }) => path));
  return {
    files: changes.length,
    added: changes.reduce((sum, file) => sum + file.added, 0),
    removed: changes.reduce((sum, file) => sum + file.removed, 0),
    turns: [...new Set(changes.flatMap(({ turns }) => turns))].sort((a, b) => a - b),
    paths: changes.map(({ path }) => path),
    notUndoable: [...new Set(byCommands)].sort(),
    list: changes.map(({ path, turn, operation, added, removed }) => ({
      ...{ path, turn, operation, added, removed },
    })),
  };
}
