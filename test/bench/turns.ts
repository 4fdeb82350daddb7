import path from 'node:path';
import type { Result } from '#base/result';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import { diskFiles } from '#disk/files';
import type { Clock, FileProblem, Landing, Log } from '#host';
import type { AbsolutePath, SessionId, TurnId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { milliseconds } from '#test/bench/benchmark';

/** Turns that change files of a folder, without an agent around them. */
export interface Turns {
  /** Runs a turn that gives each file other content; says how many milliseconds that took, writes and checkpoint together. */
  run(names: readonly string[]): Promise<number>;
  /** The same writes without a checkpoint. */
  write(names: readonly string[]): Promise<number>;
  /** Undoes the last turn; says how many milliseconds that took, its checks included. */
  undo(): Promise<number>;
  close(): void;
}

const SESSION = 'session' as SessionId;
const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Database and blobs go to `storage`. */
export function openTurns(folder: AbsolutePath, storage: string): Turns {
  const store = storeFor(folder, storage);
  const files = diskFiles();
  let [ids, turn] = [0, 0];
  const checkpoints = createCheckpoints({
    store,
    files,
    clock,
    log,
    folder,
    blobs: new BlobStore(path.join(storage, 'blobs')),
    documents: { dirtyText: () => undefined, dirtyPaths: () => [] },
    random: { id: () => `id-${++ids}` },
  });
  const runTurn = async (changes: readonly Change[]) => {
    const turnId = `turn-${turn}` as TurnId;
    const startSequence = store.events.last(SESSION);
    const start = { sessionId: SESSION, turnId, turn, prompt: '', startSequence, messageCount: 0, todos: [] };
    const journal = checkpoints.open(start);
    for (const change of changes) orThrow(await journal.write(change));
    await journal.seal('sealed');
  };
  const changesOf = async (names: readonly string[]) => {
    turn++;
    const changes: Change[] = [];
    for (const name of names) changes.push(await changeOf(path.join(folder, name) as AbsolutePath, turn));
    return changes;
  };
  return {
    async run(names) {
      const changes = await changesOf(names);
      // Turns are told apart by where they begin in the session's log.
      store.events.append(SESSION, { type: 'session.titled', title: `turn ${turn}` }, clock.now());
      return milliseconds(() => runTurn(changes));
    },
    async write(names) {
      const changes = await changesOf(names);
      return milliseconds(async () => {
        for (const change of changes) orThrow(await files.land(change));
      });
    },
    async undo() {
      let status = '';
      const ms = await milliseconds(async () => {
        const { outcome } = await checkpoints.undo({
          sessionId: SESSION,
          turn,
          scope: 'files',
          onConflict: 'stop',
        });
        status = outcome.status;
      });
      if (status !== 'done') throw new Error(`the undo ended as ${status}`);
      return ms;
    },
    close() {
      checkpoints.dispose();
      store.close();
    },
  };
}

function storeFor(folder: AbsolutePath, storage: string): Store {
  const opened = openStore({ path: path.join(storage, 'belay.db'), clock, log });
  if (!opened.ok) throw new Error(opened.error.message);
  const session = { id: SESSION, folder, title: '', mode: 'prompt', modelId: '', at: clock.now() } as const;
  opened.value.sessions.create(session);
  return opened.value;
}

type Change = Landing & { readonly kind: 'replace' };

async function changeOf(file: AbsolutePath, turn: number): Promise<Change> {
  const before = orThrow(await diskFiles().read(file, {}));
  const bytes = Buffer.concat([before.bytes, Buffer.from(`// turn ${turn}\n`)]);
  return { kind: 'replace', path: file, bytes, expected: before.sha256 };
}

function orThrow<T>(result: Result<T, FileProblem>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
