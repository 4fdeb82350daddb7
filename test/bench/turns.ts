import path from 'node:path';
import type { Result } from '#base/result';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import { diskFiles } from '#disk/files';
import type { Clock, FileProblem, Files, Landing, Log } from '#host';
import type { AbsolutePath, SessionId, TurnId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { milliseconds } from '#test/bench/benchmark';

/** Turns that change files of a folder, without an agent around them. */
export interface Turns {
  /**
   * Runs a turn that gives each file other content; says what its checkpoint cost in milliseconds: all but the writes' own work. A
   * wait for both the checkpoint and the new file counts as the checkpoint's.
   */
  run(names: readonly string[]): Promise<number>;
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
  const { files, writingMs } = timedFiles();
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
  return {
    async run(names) {
      turn++;
      const changes: Change[] = [];
      for (const name of names) changes.push(await changeOf(path.join(folder, name) as AbsolutePath, turn));
      // Turns are told apart by where they begin in the session's log.
      store.events.append(SESSION, { type: 'session.titled', title: `turn ${turn}` }, clock.now());
      const before = writingMs();
      const whole = await milliseconds(() => runTurn(changes));
      return whole - (writingMs() - before);
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

/** Knows how long its writes took, all together, without the waits for leave to change a file. */
function timedFiles(): { readonly files: Files; writingMs(): number } {
  const disk = diskFiles();
  let total = 0;
  const land = async (change: Landing) => {
    const begun = performance.now();
    let waited = 0;
    const timed = (wait: () => Promise<unknown>) => async () => {
      waited = await milliseconds(wait);
    };
    const landed = await disk.land(
      change.kind === 'replace' && change.beforeChange
        ? { ...change, beforeChange: timed(change.beforeChange) }
        : change,
    );
    total += performance.now() - begun - waited;
    return landed;
  };
  return { files: { ...disk, land }, writingMs: () => total };
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
