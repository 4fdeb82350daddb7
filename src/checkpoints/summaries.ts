import type { CheckpointSummary, FileChange, FolderChange } from '#protocol/checkpoint';
import type { CheckpointId, SessionId } from '#protocol/ids';
import type { StoredCheckpoint, StoredState } from '#store/checkpoints';
import type { StoredCommandChange } from '#store/command-changes';
import type { StoredOperation } from '#store/file-operations';
import type { Store } from '#store/store';
import { composeEffects } from './chain';
import { netChanges } from './net-changes';
import type { World } from './world';

/** What one turn changed; undefined when that is nothing. */
export function summaryOf(store: Store, id: CheckpointId): CheckpointSummary | undefined {
  const stored = store.checkpoints.get(id);
  return stored && summaryFrom(store, stored);
}

/** The turns of a session that changed something, in order. */
export function listSummaries(store: Store, sessionId: SessionId): CheckpointSummary[] {
  return store.checkpoints.list(sessionId).flatMap((stored) => summaryFrom(store, stored) ?? []);
}

function summaryFrom(store: Store, stored: StoredCheckpoint): CheckpointSummary | undefined {
  const { state } = stored;
  // Most turns of a long session may be: they cost no look.
  if (state === 'empty') return undefined;
  if (stored.prunedAt !== undefined) return prunedSummary(stored);
  return summarize({ ...stored, state }, store.operations.list(stored.id), {
    changes: store.commandChanges.list(stored.id),
    cutOff: cutOffIn(store, stored),
    folders: () => store.folders.changes(stored.id),
  });
}

/** Commands of an ended turn whose changes nobody saw. */
function cutOffIn(store: Store, { id, state }: StoredCheckpoint): readonly string[] {
  return state === 'open' ? [] : store.commandRuns.cutOff(id);
}

/** What is known of a turn beside its file operations. */
export interface BesideFiles {
  readonly changes: readonly StoredCommandChange[];
  /** Those that Belay was stopped in. */
  readonly cutOff: readonly string[];
  /** Asked for where nothing was done to files. */
  readonly folders: () => readonly FolderChange[];
}

/** What the turn changed is known by name; nothing of it can be shown or taken back. */
function prunedSummary({
  id,
  turnId,
  turn,
  prompt,
  at,
  files = [],
}: StoredCheckpoint): CheckpointSummary | undefined {
  if (files.length === 0) return undefined;
  return { id, turnId, turn, prompt, at, state: 'pruned', files, commandChanges: [] };
}

/** What a summary takes from the turn's own row. */
type Turn = Pick<
  StoredCheckpoint,
  'id' | 'turnId' | 'turn' | 'prompt' | 'at' | 'files' | 'omittedCommands'
> & {
  readonly state: Exclude<StoredState, 'empty'>;
};

/** The same of what is known already. */
export function summarize(
  stored: Turn,
  operations: readonly StoredOperation[],
  { changes, cutOff, folders: foldersOf }: BesideFiles,
): CheckpointSummary | undefined {
  const files = filesOf(operations, stored.files ?? []);
  const commandChanges = changes.map(({ path, operation, command, why }) => ({
    path,
    operation,
    command,
    ...(why === undefined ? {} : { why }),
  }));
  const folders = operations.length === 0 ? foldersOf() : [];
  if (files.length + folders.length + commandChanges.length + cutOff.length === 0) return undefined;
  const parts = [...operations.map(({ undoneBy }) => undoneBy !== undefined), ...folders.map(isBack)];
  const isUndone = parts.length > 0 && parts.every(Boolean);
  const { id, turnId, turn, prompt, at, omittedCommands } = stored;
  return {
    id,
    turnId,
    turn,
    prompt,
    at,
    state: isUndone ? 'undone' : stored.state,
    files,
    ...(folders.length > 0 ? { folders } : {}),
    commandChanges,
    ...(omittedCommands > 0 ? { omittedCommandChanges: omittedCommands } : {}),
    ...(cutOff.length > 0 ? { cutOffCommands: cutOff } : {}),
  };
}

function isBack({ undone }: FolderChange): boolean {
  return undone === true;
}

/** Net line counts were worked out at the seal; whether a change stands is read from its operations. */
function filesOf(operations: readonly StoredOperation[], sealed: readonly FileChange[]): FileChange[] {
  const known = new Map(sealed.map((change) => [change.path, change]));
  return netChanges(operations, (path) => {
    const change = known.get(path);
    return change && { added: change.added, removed: change.removed };
  });
}

/** One side of one file of a turn, for the diff editor; undefined when there was no file, or its content is lost. */
export async function contentOf(
  world: World,
  id: CheckpointId,
  path: string,
  side: 'before' | 'after',
): Promise<Uint8Array | undefined> {
  const operations = world.store.operations.list(id);
  const effects = composeEffects(operations);
  const effect = effects.get(path);
  if (!effect) return undefined;
  const moved = netChanges(operations).find((change) => change.path === path);
  // A renamed file is compared with what it was under its old name.
  const state = side === 'before' ? (moved?.before ?? effect.before) : (effect.after ?? moved?.after);
  return world.blobs.contentOf(state);
}
