import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SESSION } from './hands';
import { create, edit, type Lab, lab, remove, rename, type Step } from './lab';

// Few paths and few contents, so that everything meets everything: files in files' places, folders in files' places.
const PATHS = ['a', 'b', 'd/a', 'd/e/b', 'f'];
// Half of everything happens to one file, or runs of changes to the same file would be rare.
const path = fc.oneof(fc.constant('a'), fc.constantFrom(...PATHS));

type Change =
  | { readonly kind: 'create' | 'edit' | 'remove' | 'hand' | 'hand-remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string };
type Deed =
  | { readonly kind: 'turn'; readonly changes: readonly Change[] }
  | { readonly kind: 'hand'; readonly path: string }
  | { readonly kind: 'hand-remove'; readonly path: string }
  | {
      readonly kind: 'undo';
      readonly back: number;
      readonly only: boolean;
      readonly onConflict: 'stop' | 'skip';
    }
  | { readonly kind: 'redo' };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create', 'edit', 'edit', 'remove', 'hand', 'hand-remove'), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
) as fc.Arbitrary<Change>;

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), changes: fc.array(change, { maxLength: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('hand', 'hand-remove'), path }) as fc.Arbitrary<Deed>,
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      back: fc.integer({ min: 0, max: 3 }),
      only: fc.boolean(),
      onConflict: fc.constantFrom('stop' as const, 'stop' as const, 'skip' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'redo' as const }) },
);

/** The lab with a person beside it: every content is new, so that a lost one is noticed. */
class Bench {
  readonly the: Lab = lab({ a: 'a0', 'd/a': 'da0' });
  /** What the person wrote last, by path, as long as nobody else wrote there since. */
  readonly byHand = new Map<string, string>();
  /** Number of the person's last content of a path, also when Belay built on it: nothing older may come back over it. */
  readonly lastHand = new Map<string, number>();
  turns = 0;
  #n = 0;

  fresh(who: string): string {
    return `${who} ${++this.#n}`;
  }

  at(file: string): string {
    return join(this.the.folder.path, file);
  }

  content(file: string): string | undefined {
    return existsSync(this.at(file)) && !isFolder(this.at(file))
      ? readFileSync(this.at(file), 'utf8')
      : undefined;
  }

  hand(file: string): void {
    try {
      mkdirSync(dirname(this.at(file)), { recursive: true });
      const text = this.fresh('hand');
      writeFileSync(this.at(file), text);
      this.byHand.set(file, text);
      this.lastHand.set(file, numberOf(text));
    } catch {
      // A file where the folder would be, or the other way round: the person can't either.
    }
  }

  handRemove(file: string): void {
    if (this.content(file) === undefined) return;
    rmSync(this.at(file));
    this.byHand.delete(file);
    this.lastHand.delete(file);
  }

  /** Belay changes only what it has just read, so a hand edit that it builds on is seen, not lost. */
  step(one: Change): Step {
    return async (hands) => {
      if (one.kind === 'hand') return this.hand(one.path);
      if (one.kind === 'hand-remove') return this.handRemove(one.path);
      const touched = one.kind === 'rename' ? [one.path, one.to] : [one.path];
      try {
        if (one.kind === 'create') await create(one.path, this.fresh('belay'))(hands);
        else if (one.kind === 'edit') await edit(one.path, this.fresh('belay'))(hands);
        else if (one.kind === 'remove') await remove(one.path)(hands);
        else if (one.kind === 'rename') await rename(one.path, one.to)(hands);
        for (const file of touched) this.byHand.delete(file);
        // A moved file takes its history along; following it isn't worth it here.
        if (one.kind === 'rename') for (const file of touched) this.lastHand.delete(file);
      } catch {
        // Not there, already there, a folder in the way: refused, so nothing happened.
      }
    };
  }
}

/** Contents are numbered as they are made; a missing file is older than all. */
function numberOf(text: string | undefined): number {
  return Number(text?.split(' ')[1] ?? -1);
}

function isFolder(at: string): boolean {
  try {
    readFileSync(at);
    return false;
  } catch {
    return true;
  }
}

async function perform(bench: Bench, one: Deed): Promise<void> {
  const { the } = bench;
  switch (one.kind) {
    case 'hand':
      return bench.hand(one.path);
    case 'hand-remove':
      return bench.handRemove(one.path);
    case 'turn':
      bench.turns++;
      await the.turn(...one.changes.map((each) => bench.step(each)));
      return;
    case 'undo':
    case 'redo': {
      const before = the.tree();
      const turn = Math.max(1, bench.turns - (one.kind === 'undo' ? one.back : 0));
      const { outcome } =
        one.kind === 'undo'
          ? await the.undo(turn, { only: one.only, onConflict: one.onConflict })
          : await the.redo();
      const after = the.tree();
      // All or nothing: what isn't done has changed nothing at all.
      if (outcome.status !== 'done') expect(after).toEqual(before);
      // What the person wrote last is there still, whatever was undone or redone.
      for (const [file, text] of bench.byHand) expect([file, bench.content(file)]).toEqual([file, text]);
      for (const [file, number] of bench.lastHand) {
        if (one.kind === 'redo' || before[file] === after[file]) continue;
        expect([file, numberOf(bench.content(file))]).toEqual([
          file,
          Math.max(number, numberOf(bench.content(file))),
        ]);
      }
      if (outcome.status === 'done') {
        const changed = Object.keys({ ...before, ...after }).filter(
          (file) => before[file] !== after[file] && !file.endsWith('/'),
        );
        expect(outcome.files).toEqual(expect.arrayContaining(changed));
        if (one.kind === 'undo') await backAndForth(bench, before, after);
      }
    }
  }
}

/** The way back leads exactly to where it began, folders included, and forth again. */
async function backAndForth(
  { the }: Bench,
  before: Record<string, string>,
  after: Record<string, string>,
): Promise<void> {
  const files = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).filter(([file]) => !file.endsWith('/')));
  expect((await the.redo()).outcome.status).toBe('done');
  expect(files(the.tree())).toEqual(files(before));
  const [last] = the.store.events.list(SESSION).slice(-1);
  const turns = last?.type === 'checkpoint.redone' ? last.turns : [];
  const again = await the.undo(Math.min(...turns), { only: turns.length === 1, onConflict: 'skip' });
  if (again.outcome.status === 'done') expect(files(the.tree())).toEqual(files(after));
}

test('whatever happens in whatever order: no hand edit is lost, no undo is half done, redo leads back', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 2, maxLength: 12 }), async (deeds) => {
      const bench = new Bench();
      for (const one of deeds) await perform(bench, one);
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

test('without hand edits every turn can be taken back to exactly what was there before it', {
  timeout: 120_000,
}, async () => {
  const turns = fc.array(
    fc.array(
      change.filter(({ kind }) => !kind.startsWith('hand')),
      { minLength: 1, maxLength: 5 },
    ),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(turns, fc.nat(), async (list, pick) => {
      const bench = new Bench();
      const { the } = bench;
      const trees = [the.tree()];
      for (const changes of list) {
        await the.turn(...changes.map((each) => bench.step(each)));
        trees.push(the.tree());
      }
      const back = (pick % list.length) + 1;
      const { outcome } = await the.undo(back);
      expect([outcome.status === 'conflict', the.tree()]).toEqual([false, trees[back - 1]]);
      if (outcome.status === 'done') await the.redo();
      expect(the.tree()).toEqual(trees.at(-1));
      the.store.close();
      rmSync(the.folder.path, { recursive: true });
      rmSync(the.storage.path, { recursive: true });
    }),
    { numRuns: Number(process.env['BELAY_RUNS'] ?? 60) },
  );
});
