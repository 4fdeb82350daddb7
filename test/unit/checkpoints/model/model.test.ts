import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Bench } from './bench';
import { deeds, quietTurns } from './deeds';
import { perform } from './deeds-done';
import { turn } from './turns';

/** Another seed and more runs search further; a seed and a path, as a failure prints them, play one failure again. */
const { BELAY_RUNS, BELAY_SEED, BELAY_PATH } = process.env;
const search = (runs: number) => ({
  numRuns: Number(BELAY_RUNS ?? runs),
  seed: Number(BELAY_SEED ?? 5),
  ...(BELAY_PATH ? { path: BELAY_PATH, endOnFailure: true } : {}),
});

test('whatever happens in whatever order, every file holds what a plain model says: no hand edit is lost, no undo is half done', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const bench = new Bench();
      for (const deed of list) await perform(bench, deed);
      bench.close();
    }),
    search(500),
  );
});

test('without hand edits every turn of tools and commands can be taken back to exactly what was there before it', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(quietTurns, fc.nat(), async (list, pick) => {
      const bench = new Bench();
      const [session] = bench.sessions;
      if (!session) return;
      const worlds = [bench.world()];
      for (const steps of list) {
        await turn(bench, session, steps, undefined);
        worlds.push(bench.world());
      }
      const back = (pick % list.length) + 1;
      const { outcome } = await bench.process.checkpoints.undo({
        ...{ sessionId: session.id, turn: back, scope: 'files' },
      });
      expect([outcome.status === 'conflict', bench.world()]).toEqual([false, worlds[back - 1]]);
      if (outcome.status === 'done') await bench.process.checkpoints.redo({ sessionId: session.id });
      expect(bench.world()).toEqual(worlds.at(-1));
      bench.close();
    }),
    search(150),
  );
});

test('an undo that dies at any change ends at the next start, permission bits of folders included', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      quietTurns,
      fc.nat(),
      fc.nat({ max: 5 }),
      fc.boolean(),
      async (list, pick, at, isLanded) => {
        const bench = new Bench();
        const [session] = bench.sessions;
        if (!session) return;
        const worlds = [bench.world()];
        for (const steps of list) {
          await turn(bench, session, steps, undefined);
          worlds.push(bench.world());
        }
        const back = (pick % list.length) + 1;
        bench.dies({ at, isLanded, hands: [] });
        const request = { sessionId: session.id, turn: back, scope: 'files' } as const;
        await bench.ends(bench.process.checkpoints.undo(request));
        const { restores } = await bench.restart();
        expect([restores.filter(({ state }) => state !== 'done'), bench.world()]).toEqual([
          [],
          worlds[back - 1],
        ]);
        await bench.process.checkpoints.redo({ sessionId: session.id });
        expect(bench.world()).toEqual(worlds.at(-1));
        bench.close();
      },
    ),
    search(100),
  );
});
