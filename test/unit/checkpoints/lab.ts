import { join } from 'node:path';
import { BlobStore } from '#checkpoints/blobs';
import { type Checkpoints, createCheckpoints } from '#checkpoints/checkpoints';
import type { UndoRequest } from '#checkpoints/requests';
import type { World } from '#checkpoints/world';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { MessageId, SessionId, TurnId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { type MemoryHost, memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { ensureSession, type Hands, handsOf, SESSION } from './hands';
import { treeOf } from './tree';

export interface Lab {
  readonly host: MemoryHost;
  readonly folder: TempFolder;
  readonly storage: TempFolder;
  readonly store: Store;
  readonly world: World;
  readonly checkpoints: Checkpoints;
  /** Runs a turn of the session as the agent does: event, message, changes, seal. */
  turn(...steps: readonly Step[]): Promise<CheckpointSummary | undefined>;
  /** The same in another session of the folder. */
  turnIn(session: SessionId, ...steps: readonly Step[]): Promise<CheckpointSummary | undefined>;
  /** Every file of the folder as text, `latin1`, by path; an unusual mode is put before it; empty folders end in `/`. */
  tree(): Record<string, string>;
  undo(turn: number, more?: Partial<UndoRequest>): ReturnType<Checkpoints['undo']>;
  redo(scope?: 'files'): ReturnType<Checkpoints['redo']>;
}

export type Step = (hands: Hands) => Promise<unknown> | unknown;

export const create =
  (path: string, text: string | Uint8Array, mode?: number): Step =>
  (hands) =>
    hands.create(path, text, mode);
export const edit =
  (path: string, text: string | Uint8Array): Step =>
  (hands) =>
    hands.edit(path, text);
export const rename =
  (from: string, to: string): Step =>
  (hands) =>
    hands.rename(from, to);
export const remove =
  (path: string): Step =>
  (hands) =>
    hands.remove(path);

export function lab(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<World> = {},
): Lab {
  const folder = tempFolder(files);
  const storage = tempFolder();
  const host = memoryHost();
  const opened = openStore({ path: ':memory:', log: host.log, clock: host.clock });
  if (!opened.ok) throw new Error(opened.error.message);
  const world: World = {
    store: opened.value,
    blobs: new BlobStore(join(storage.path, 'blobs')),
    files: host.files,
    documents: host.documents,
    folder: folder.path,
    clock: host.clock,
    random: host.random,
    log: host.log,
    ...options,
  };
  return labOf({ host, folder, storage, world });
}

interface Parts {
  readonly host: MemoryHost;
  readonly folder: TempFolder;
  readonly storage: TempFolder;
  readonly world: World;
}

function labOf({ host, folder, storage, world }: Parts): Lab {
  const checkpoints = createCheckpoints(world);
  const turns = new Map<SessionId, number>();
  return {
    host,
    folder,
    storage,
    store: world.store,
    world,
    checkpoints,
    turn: (...steps) => turnIn(SESSION, ...steps),
    turnIn,
    tree: () => treeOf(folder.path),
    undo: (turn, more = {}) => checkpoints.undo({ sessionId: SESSION, turn, scope: 'files', ...more }),
    redo: (scope) => checkpoints.redo({ sessionId: SESSION, ...(scope ? { scope } : {}) }),
  };

  async function turnIn(
    sessionId: SessionId,
    ...steps: readonly Step[]
  ): Promise<CheckpointSummary | undefined> {
    const { store } = world;
    ensureSession(world, sessionId);
    const turn = (turns.get(sessionId) ?? 0) + 1;
    turns.set(sessionId, turn);
    const turnId = `${sessionId}-turn-${turn}-${host.random.id()}` as TurnId;
    const journal = checkpoints.open({
      sessionId,
      turnId,
      turn,
      prompt: `prompt ${turn}`,
      startSequence: store.events.last(sessionId),
      messageCount: store.messages.count(sessionId),
      todos: store.todos.list(sessionId),
    });
    const id = `${turnId}-user` as MessageId;
    store.events.append(
      sessionId,
      { type: 'turn.started', turnId, turn, prompt: `prompt ${turn}`, mentions: [] },
      0,
      [{ kind: 'user', id, turnId, text: `prompt ${turn}`, mentions: [], attached: '' }],
    );
    for (const step of steps) await step(handsOf(world, journal));
    const summary = await journal.seal('sealed');
    if (summary)
      store.events.append(sessionId, { type: 'checkpoint.sealed', turnId, checkpoint: summary }, 0);
    store.events.append(sessionId, { type: 'turn.ended', turnId, status: 'done' }, 0);
    return summary;
  }
}
