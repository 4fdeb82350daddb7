import { BlobStore } from '#checkpoints/blobs';
import { type Checkpoints, createCheckpoints, type Recovery } from '#checkpoints/checkpoints';
import type { Journal } from '#checkpoints/journal';
import type { World } from '#checkpoints/world';
import type { AbsolutePath, MessageId, SessionId, TurnId } from '#protocol/ids';
import { ensureSession } from '../hands';
import { type MortalFiles, mortalFiles } from './mortal-files';

/** What one process has in memory. It is dropped, never closed, when the process dies. */
export interface Process {
  readonly world: World;
  readonly files: MortalFiles;
  readonly checkpoints: Checkpoints;
}

/** `saves`: files that are saved in editors are added to all of them. */
export function startProcess(base: World, saves: Set<Set<AbsolutePath>>): Process {
  const files = mortalFiles(base.files);
  const documents = {
    ...base.documents,
    watchSaves() {
      const paths = new Set<AbsolutePath>();
      saves.add(paths);
      return { paths: () => paths, dispose: () => void saves.delete(paths) };
    },
  };
  const world: World = { ...base, files, documents, blobs: new BlobStore(base.blobs.folder) };
  return { world, files, checkpoints: createCheckpoints(world) };
}

/** A turn that has begun in the store. */
export interface Begun {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly number: number;
  readonly journal: Journal;
}

/** Begins a turn as the agent does: checkpoint, event, message. */
export function beginTurn({ world, checkpoints }: Process, sessionId: SessionId): Begun {
  const { store } = world;
  ensureSession(world, sessionId);
  const number = store.checkpoints.lastTurn(sessionId) + 1;
  const turnId = world.random.id() as TurnId;
  const start = { sessionId, turnId, turn: number, prompt: `prompt ${number}`, todos: [] };
  const journal = checkpoints.open({
    ...start,
    startSequence: store.events.last(sessionId),
    messageCount: store.messages.count(sessionId),
  });
  const said = { id: world.random.id() as MessageId, turnId, text: start.prompt, mentions: [], attached: '' };
  const event = { type: 'turn.started', turnId, turn: number, prompt: start.prompt, mentions: [] } as const;
  store.events.append(sessionId, event, 0, [{ kind: 'user', ...said }]);
  return { sessionId, turnId, number, journal };
}

/** Ends it as the agent does. */
export async function endTurn({ world }: Process, { sessionId, turnId, journal }: Begun): Promise<void> {
  const { events } = world.store;
  const checkpoint = await journal.seal('sealed');
  if (checkpoint) events.append(sessionId, { type: 'checkpoint.sealed', turnId, checkpoint }, 0);
  events.append(sessionId, { type: 'turn.ended', turnId, status: 'done' }, 0);
}

/** What the next start does for a session. */
export async function recoverSession(
  { world, checkpoints }: Process,
  sessionId: SessionId,
  open: readonly Begun[],
): Promise<Recovery> {
  const { events } = world.store;
  const recovery = await checkpoints.recover(sessionId);
  for (const checkpoint of recovery.sealed)
    events.append(sessionId, { type: 'checkpoint.sealed', turnId: checkpoint.turnId, checkpoint }, 0);
  for (const { turnId } of open.filter((turn) => turn.sessionId === sessionId))
    events.append(sessionId, { type: 'turn.ended', turnId, status: 'interrupted' }, 0);
  return recovery;
}
