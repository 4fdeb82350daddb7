import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlobStore } from '#checkpoints/blobs';
import type { CheckpointId, SessionId } from '#protocol/ids';
import { ensureSession, SESSION } from './hands';
import { create, edit, type Lab, lab, remove, type Step } from './lab';
import { DAY, lost, pruneOld } from './prune-lab';

const SESSIONS = [SESSION, 'session-2', 'session-3', 'session-4'] as SessionId[];
const PATHS = ['a', 'b', 'd/c'];

type Deed =
  | {
      readonly kind: 'turn';
      readonly session: number;
      readonly paths: readonly string[];
      readonly remove: boolean;
    }
  | { readonly kind: 'undo'; readonly session: number; readonly back: number; readonly all: boolean }
  | { readonly kind: 'redo'; readonly session: number }
  | { readonly kind: 'delete'; readonly session: number }
  | { readonly kind: 'fork'; readonly session: number; readonly to: number }
  | { readonly kind: 'prune'; readonly keepTurns: number; readonly days: number };

const session = fc.nat({ max: SESSIONS.length - 1 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      session,
      paths: fc.subarray(PATHS, { minLength: 1 }),
      remove: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      session,
      back: fc.nat({ max: 2 }),
      all: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redo' as const), session }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), session }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fork' as const), session, to: session }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('prune' as const),
      keepTurns: fc.nat({ max: 3 }),
      days: fc.constantFrom(0, 40),
    }),
  },
);

/** Every content is new, so that a lost one is noticed. */
class Bench {
  readonly the: Lab = lab({ a: 'a 0' });
  #n = 0;

  async perform(one: Deed): Promise<void> {
    const { the } = this;
    the.host.advance(DAY);
    switch (one.kind) {
      case 'turn':
        await the.turnIn(this.#id(one.session), ...one.paths.map((path) => this.#change(path, one.remove)));
        return;
      case 'undo':
      case 'redo': {
        const sessionId = this.#id(one.session);
        const before = the.tree();
        const { outcome } = await (one.kind === 'redo'
          ? the.checkpoints.redo({ sessionId })
          : the.checkpoints.undo({ sessionId, ...this.#undoOf(sessionId, one) }));
        // All or nothing: what isn't done has changed nothing at all.
        if (outcome.status !== 'done') expect(the.tree()).toEqual(before);
        return;
      }
      case 'delete':
        if (one.session > 0) the.store.sessions.delete(this.#id(one.session));
        return;
      case 'fork':
        return this.#fork(this.#id(one.session), this.#id(one.to));
      case 'prune': {
        const report = await pruneOld(the.world, the.storage.path, one);
        expect(report.status).toBe('done');
        return;
      }
    }
  }

  /** What holds at every moment. */
  async check(): Promise<void> {
    const { the } = this;
    expect(await lost(the.world, the.storage.path)).toEqual([]);
    const blobs = new BlobStore(the.world.blobs.folder);
    for (const id of SESSIONS)
      for (const { state, id: checkpointId, files } of the.checkpoints.list(id))
        for (const { path, before } of files) {
          // It has its earlier content, or says that it hasn't.
          if (state === 'pruned' || before.kind !== 'file') continue;
          expect([path, (await blobs.get(before.sha256)) !== undefined]).toEqual([path, true]);
          expect(the.store.operations.list(checkpointId).length).toBeGreaterThan(0);
        }
  }

  #id(number: number): SessionId {
    const id = SESSIONS[number] ?? SESSION;
    ensureSession(this.the.world, id);
    return id;
  }

  #undoOf(sessionId: SessionId, { back, all }: Extract<Deed, { kind: 'undo' }>) {
    const turn = Math.max(1, this.the.store.checkpoints.lastTurn(sessionId) - back);
    return { turn, scope: all ? 'all' : 'files' } as const;
  }

  #change(path: string, isRemoved: boolean): Step {
    const { folder } = this.the;
    const text = `belay ${++this.#n}`;
    if (!existsSync(join(folder.path, path))) return create(path, text);
    return isRemoved ? remove(path) : edit(path, text);
  }

  /** As the agent's fork copies checkpoints: to the end of another session. */
  #fork(from: SessionId, to: SessionId): void {
    const { store, host } = this.the;
    if (from === to || store.checkpoints.lastTurn(to) > 0) return;
    for (const { id, startSequence } of store.checkpoints.list(from)) {
      const copy = host.random.id() as CheckpointId;
      store.forks.copyCheckpoint({ from, to }, { id, copy, startSequence, isRewound: false });
    }
  }
}

test('after any sequence of turns, forks, undos, deletions and prunings every standing reference resolves', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 3, maxLength: 14 }), async (deeds) => {
      const bench = new Bench();
      for (const one of deeds) {
        await bench.perform(one);
        await bench.check();
      }
      bench.the.store.close();
      rmSync(bench.the.folder.path, { recursive: true });
      rmSync(bench.the.storage.path, { recursive: true });
    }),
    {
      numRuns: Number(process.env['BELAY_RUNS'] ?? 60),
      ...(process.env['BELAY_SEED'] ? { seed: Number(process.env['BELAY_SEED']) } : {}),
    },
  );
});
