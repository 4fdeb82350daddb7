import type { AppSession } from '#app';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { AgentEvent } from '#protocol/event';
import type { ChangedFile, PanelState } from '#protocol/wire';

/** What the changed-files bar shows of a session. Every checkpoint is read for it, so it is kept until an event may have changed it. */
export class ChangesToReview {
  #kept: { readonly session: AppSession; readonly changes: PanelState['changes'] } | undefined;

  of(session: AppSession): PanelState['changes'] {
    if (this.#kept?.session !== session)
      this.#kept = { session, changes: changesOf(session.changesToReview()) };
    return this.#kept.changes;
  }

  /** To be told every event of the session, from before it is asked for until another session is. */
  hear({ type }: AgentEvent): void {
    const concerns =
      type.startsWith('checkpoint.') ||
      type.startsWith('session.') ||
      type === 'files.kept' ||
      type === 'changes.kept';
    if (concerns) this.forget();
  }

  forget(): void {
    this.#kept = undefined;
  }
}

/** The bar's numbers: paths are counted once, lines over all turns. */
function changesOf(checkpoints: readonly CheckpointSummary[]): PanelState['changes'] {
  const files = checkpoints.flatMap((checkpoint) => checkpoint.files);
  const paths = [...new Set(files.map(({ path }) => path))].sort();
  const byCommands = checkpoints.flatMap((checkpoint) => checkpoint.commandChanges.map(({ path }) => path));
  return {
    files: paths.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    turns: checkpoints.map(({ turn }) => turn),
    paths,
    notUndoable: [...new Set(byCommands)].sort(),
    list: listOf(checkpoints),
  };
}

/** By path: lines are summed, and a file made in these turns stays a new one. */
export function listOf(
  checkpoints: readonly Pick<CheckpointSummary, 'turn' | 'files'>[],
): readonly ChangedFile[] {
  const found = new Map<string, ChangedFile>();
  for (const { turn, files } of checkpoints)
    for (const { path, operation, added, removed } of files) {
      const known = found.get(path);
      found.set(path, {
        path,
        turn: known?.turn ?? turn,
        operation: known?.operation === 'create' && operation === 'modify' ? 'create' : operation,
        added: (known?.added ?? 0) + added,
        removed: (known?.removed ?? 0) + removed,
      });
    }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
