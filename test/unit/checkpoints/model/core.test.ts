import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppSession } from '#app';
import type { ModelItem } from '#protocol/scenario';
import { type CoreLab, call, coreLab, openApp } from '#test/support/core-lab';
import { treeOf } from '../tree';

// The same as model.test.ts through the whole core: a scripted model, the gates, real shell commands.

const PATHS = ['a', 'b', 'd/a', 'd/e/b'] as const;
const path = fc.constantFrom(...PATHS);

type Step =
  | { readonly by: 'tool' | 'shell'; readonly does: 'write'; readonly path: string }
  | { readonly by: 'tool' | 'shell'; readonly does: 'remove'; readonly path: string }
  | { readonly by: 'tool' | 'shell'; readonly does: 'move'; readonly path: string; readonly to: string }
  | { readonly by: 'shell'; readonly does: 'link'; readonly path: string; readonly to: string }
  | { readonly by: 'shell'; readonly does: 'chmod'; readonly path: string };
type Deed =
  | { readonly deed: 'turn'; readonly steps: readonly Step[] }
  | { readonly deed: 'hand'; readonly path: string }
  | { readonly deed: 'undo' | 'redo' | 'fork' | 'reopen' };

const by = fc.constantFrom('tool' as const, 'shell' as const, 'shell' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ by, does: fc.constant('write' as const), path }) },
  { weight: 1, arbitrary: fc.record({ by, does: fc.constant('remove' as const), path }) },
  { weight: 1, arbitrary: fc.record({ by, does: fc.constant('move' as const), path, to: path }) },
  {
    weight: 1,
    arbitrary: fc.record({ by: fc.constant('shell' as const), does: fc.constant('chmod' as const), path }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ by: fc.constant('shell' as const), does: fc.constant('link' as const), path },
      to: fc.constantFrom('a', '../a', 'd', '/nowhere'),
    }),
  },
);
const turn: fc.Arbitrary<Deed> = fc.record({
  deed: fc.constant('turn' as const),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
});
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: turn },
  { weight: 1, arbitrary: fc.record({ deed: fc.constant('hand' as const), path }) },
  { weight: 4, arbitrary: fc.constantFrom({ deed: 'undo' as const }, { deed: 'redo' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ deed: 'fork' as const }, { deed: 'reopen' as const }) },
);
const deeds = fc
  .tuple(turn, fc.array(deed, { minLength: 3, maxLength: 7 }))
  .map(([first, rest]) => [first, ...rest]);

type Tree = Readonly<Record<string, string>>;
/** By path: what a turn found and what it left; undefined for no file. */
type Changes = ReadonlyMap<
  string,
  { readonly before: string | undefined; readonly after: string | undefined; readonly turn: number }
>;

/** One session's turns and what of them stands. */
interface Line {
  readonly session: AppSession;
  readonly standing: Changes[];
  readonly undone: Changes[];
}

class Bench {
  readonly #lab: CoreLab;
  #app: CoreLab['app'];
  #line: Line;
  #words = 0;
  #turns = 0;

  constructor(lab: CoreLab) {
    this.#lab = lab;
    this.#app = lab.app;
    this.#line = { session: lab.session, standing: [], undone: [] };
  }

  tree(): Tree {
    const all = Object.entries(treeOf(this.#lab.folder.path));
    return Object.fromEntries(all.filter(([file]) => !file.endsWith('/')));
  }

  async perform(one: Deed): Promise<void> {
    switch (one.deed) {
      case 'turn':
        return this.#turn(one.steps);
      case 'hand':
        if (isLink(this.tree()[one.path])) return;
        return this.#lab.folder.write({ [one.path]: this.#word('hand') });
      case 'undo':
        return this.#goBack();
      case 'redo':
        return this.#goForth();
      case 'fork':
        return this.#fork();
      case 'reopen':
        return this.#reopen();
    }
  }

  #word(who: string): string {
    return `${who} ${++this.#words}\n`;
  }

  /** Each step is a turn's request of its own; what can't be done is not asked for. */
  async #turn(steps: readonly Step[]): Promise<void> {
    const before = this.tree();
    const expected: Record<string, string> = { ...before };
    const items = steps.flatMap((each, index) => this.#items(each, expected, `c${this.#words}-${index}`));
    this.#lab.model.play([...items, { text: 'done' }]);
    await this.#line.session.send('go on');
    const results = this.#line.session
      .messages()
      .flatMap((message) => (message.kind === 'result' ? [message.result] : []));
    expect(results.filter(({ status }) => status !== 'success')).toEqual([]);
    expect(this.tree()).toEqual(expected);
    const paths = Object.keys({ ...before, ...expected }).filter((file) => before[file] !== expected[file]);
    const turn = ++this.#turns;
    const changes = new Map(
      paths.map((file) => [file, { before: before[file], after: expected[file], turn }]),
    );
    if (paths.length > 0) this.#line.standing.push(changes);
  }

  #items(one: Step, tree: Record<string, string>, id: string): readonly ModelItem[] {
    const old = tree[one.path];
    const shell = (command: string): readonly ModelItem[] => [
      { calls: [call(id, 'run_command', { command, description: 'd' })] },
    ];
    if (one.does === 'link') {
      tree[one.path] = `→ ${one.to}`;
      return shell(`mkdir -p d/e && rm -f ${one.path} && ln -s ${one.to} ${one.path}`);
    }
    // Tools and redirections go where a link leads.
    if (isLink(old) && (one.by === 'tool' || one.does === 'write' || one.does === 'chmod')) return [];
    if (one.does === 'write') {
      const content = this.#word(one.by);
      // Bits of a file stay.
      tree[one.path] = `${/^\d+ /.exec(old ?? '')?.[0] ?? ''}${content}`;
      if (one.by === 'shell') return shell(`mkdir -p d/e && printf '${content.trim()}\\n' > ${one.path}`);
      const input = { path: one.path, content };
      if (old === undefined) return [{ calls: [call(id, 'write_file', input)] }];
      return [
        { calls: [call(`${id}-read`, 'read_file', { path: one.path })] },
        { calls: [call(id, 'write_file', { ...input, overwrite: true })] },
      ];
    }
    if (old === undefined) return [];
    if (one.does === 'chmod') {
      tree[one.path] = `755 ${old.replace(/^\d+ /, '')}`;
      return shell(`chmod 755 ${one.path}`);
    }
    const { [one.path]: _gone, ...rest } = tree;
    if (one.does === 'remove') {
      delete tree[one.path];
      return one.by === 'shell'
        ? shell(`rm ${one.path}`)
        : [{ calls: [call(id, 'delete_file', { path: one.path })] }];
    }
    if (rest[one.to] !== undefined || one.to === one.path) return [];
    delete tree[one.path];
    tree[one.to] = old;
    return one.by === 'shell'
      ? shell(`mkdir -p d/e && mv ${one.path} ${one.to}`)
      : [{ calls: [call(id, 'rename_file', { from: one.path, to: one.to })] }];
  }

  /** The last turn that stands: exactly to what it found, or not at all where a person wrote since. */
  async #goBack(): Promise<void> {
    const { session, standing, undone } = this.#line;
    const changes = standing.at(-1);
    const tree = this.tree();
    const turn = session.checkpoints().findLast(({ state }) => state === 'sealed')?.turn;
    if (!changes || turn === undefined) return;
    const { status } = await session.undo(turn, 'files');
    if (this.#isAgainst(changes, tree, 'after')) {
      expect([status, this.tree()]).toEqual(['conflict', tree]);
      return;
    }
    expect([status, this.tree()]).toEqual(['done', withSide(tree, changes, 'before')]);
    undone.push(changes);
    standing.pop();
  }

  async #goForth(): Promise<void> {
    const { session, standing, undone } = this.#line;
    const changes = undone.at(-1);
    const tree = this.tree();
    const { status } = await session.redo();
    if (!changes) return expect([status, this.tree()]).toEqual(['nothing', tree]);
    if (status !== 'done') return expect([status, this.tree()]).toEqual(['conflict', tree]);
    expect([this.#isAgainst(changes, tree, 'before'), this.tree()]).toEqual([
      false,
      withSide(tree, changes, 'after'),
    ]);
    standing.push(changes);
    // A turn that comes back stands where it was: others may have come after it.
    standing.sort((a, b) => turnOf(a) - turnOf(b));
    undone.pop();
  }

  /** Text that isn't what was left there. */
  #isAgainst(changes: Changes, tree: Tree, side: 'before' | 'after'): boolean {
    const text = (state: string | undefined) => state?.replace(/^\d+ /, '');
    return [...changes].some(([file, sides]) => text(tree[file]) !== text(sides[side]));
  }

  /** From then on work goes on in the fork. */
  #fork(): void {
    const forked = this.#app.fork(this.#line.session.id);
    if (!forked.ok) throw new Error(forked.error);
    this.#line = { session: forked.value, standing: [...this.#line.standing], undone: [] };
  }

  async #reopen(): Promise<void> {
    const { id } = this.#line.session;
    await this.#app.close();
    const { host, folder, model } = this.#lab;
    const models = { get: async () => ({ ok: true, value: model }) as const };
    this.#app = await openApp(host, folder, model, { assumeSandbox: true, models });
    const opened = this.#app.session(id);
    if (!opened) throw new Error('the session is gone');
    this.#line = { ...this.#line, session: opened };
  }
}

function isLink(state: string | undefined): boolean {
  return state?.startsWith('→ ') ?? false;
}

function turnOf(changes: Changes): number {
  return [...changes.values()][0]?.turn ?? 0;
}

function withSide(tree: Tree, changes: Changes, side: 'before' | 'after'): Tree {
  const next: Record<string, string> = { ...tree };
  for (const [file, sides] of changes) {
    const state = sides[side];
    if (state === undefined) delete next[file];
    else next[file] = state;
  }
  return next;
}

test('real commands and tools through the whole core: each turn goes back to what it found and forth to what it left', {
  timeout: 300_000,
}, async () => {
  const { BELAY_RUNS, BELAY_SEED, BELAY_PATH } = process.env;
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const answers = Array.from({ length: 50 }, () => 'allow-once' as const);
      const lab = await coreLab({ workspace: { a: 'first\n' }, settings: { mode: 'allow' }, answers });
      const bench = new Bench(lab);
      for (const one of list) await bench.perform(one);
    }),
    {
      numRuns: Number(BELAY_RUNS ?? 25),
      seed: Number(BELAY_SEED ?? 5),
      ...(BELAY_PATH ? { path: BELAY_PATH, endOnFailure: true } : {}),
    },
  );
});
