import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { forkSession } from '#agent/fork/fork';
import type { Checkpoints } from '#checkpoints/checkpoints';
import type { Journal } from '#checkpoints/journal';
import { prune } from '#checkpoints/prune';
import type { World } from '#checkpoints/world';
import type { MessageId, TurnId } from '#protocol/ids';
import { type Hands, handsOf, SESSION } from '../hands';
import { DAY, DEFAULTS, pruneWorld } from '../prune-lab';

/** What a job works with. */
export interface At {
  readonly world: World;
  readonly checkpoints: Checkpoints;
  readonly storage: string;
}

export const BEFORE: Readonly<Record<string, string>> = {
  ...{ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
  ...{ 'run.txt': 'r\n', 'gone.txt': 'g\n', 'tool.sh': 't\n', 'old/x.txt': 'x\n' },
  ...{ 'old/': '750 ', 'shut/in/y.txt': 'y\n', 'shut/in/': '700 ' },
  ...{ 'turns.ln': '→ a.txt', 'goes.ln': '→ nowhere', 'file.ln': '→ run.txt', 'link.txt': 'l\n' },
  ...{ 'lib/z.txt': 'z\n', 'folder.ln': '→ shut' },
  ...{ 'skip.txt': 's\n', 'over.txt': 'o\n', 'merge.txt': '1\n2\n3\n4\n5\n' },
};

/** A step of the turn, and what it does to a tree as `treeOf` shows it. */
interface TurnStep {
  readonly does: (hands: Hands) => Promise<unknown>;
  readonly tree: Readonly<Record<string, string | undefined>>;
}

const TOOLS_FIRST: readonly TurnStep[] = [
  { does: (hands) => hands.edit('a.txt', 'A\n'), tree: { 'a.txt': 'A\n' } },
  { does: (hands) => hands.rename('b.txt', 'd/b.txt'), tree: { 'b.txt': undefined, 'd/b.txt': 'b\n' } },
  { does: (hands) => hands.remove('c.txt'), tree: { 'c.txt': undefined } },
  { does: (hands) => hands.create('e/f/g.txt', 'G\n'), tree: { 'e/f/g.txt': 'G\n' } },
];
const TOOLS_LAST: readonly TurnStep[] = [
  { does: (hands) => hands.edit('skip.txt', 'S\n'), tree: { 'skip.txt': 'S\n' } },
  { does: (hands) => hands.edit('over.txt', 'O\n'), tree: { 'over.txt': 'O\n' } },
  {
    does: (hands) => hands.edit('merge.txt', 'ONE\n2\n3\n4\nFIVE\n'),
    tree: { 'merge.txt': 'ONE\n2\n3\n4\nFIVE\n' },
  },
  // Twice: what the turn itself left is what the second write destroys.
  { does: (hands) => hands.edit('a.txt', 'AA\n'), tree: { 'a.txt': 'AA\n' } },
];

interface Call {
  readonly does: (at: (path: string) => string) => void;
  readonly tree: TurnStep['tree'];
}

/** `ln -sf`. */
function pointed(path: string, target: string): readonly Call[] {
  return [
    { does: (at) => unlinkSync(at(path)), tree: { [path]: undefined } },
    { does: (at) => symlinkSync(target, at(path)), tree: { [path]: `→ ${target}` } },
  ];
}

/** What the command does, call by call. */
const COMMAND: readonly Call[] = [
  { does: (at) => writeFileSync(at('run.txt'), 'R\n'), tree: { 'run.txt': 'R\n' } },
  { does: (at) => rmSync(at('gone.txt')), tree: { 'gone.txt': undefined } },
  { does: (at) => chmodSync(at('tool.sh'), 0o755), tree: { 'tool.sh': '755 t\n' } },
  { does: (at) => mkdirSync(at('made')), tree: { 'made/': '' } },
  {
    does: (at) => writeFileSync(at('made/new.txt'), 'N\n'),
    tree: { 'made/': undefined, 'made/new.txt': 'N\n' },
  },
  {
    does: (at) => rmSync(at('old'), { recursive: true }),
    tree: { 'old/x.txt': undefined, 'old/': undefined },
  },
  { does: (at) => rmSync(at('shut/in/y.txt')), tree: { 'shut/in/y.txt': undefined } },
  { does: (at) => chmodSync(at('shut/in'), 0o555), tree: { 'shut/in/': '555 ' } },
  { does: (at) => chmodSync(at('shut'), 0o711), tree: { 'shut/': '711 ' } },
  { does: (at) => symlinkSync('a.txt', at('made.ln')), tree: { 'made.ln': '→ a.txt' } },
  { does: (at) => unlinkSync(at('goes.ln')), tree: { 'goes.ln': undefined } },
  ...pointed('turns.ln', 'run.txt'),
  ...pointed('link.txt', 'a.txt'),
  { does: (at) => unlinkSync(at('file.ln')), tree: { 'file.ln': undefined } },
  { does: (at) => writeFileSync(at('file.ln'), 'F\n'), tree: { 'file.ln': 'F\n' } },
  {
    does: (at) => renameSync(at('lib'), at('lib-2')),
    tree: { 'lib/z.txt': undefined, 'lib-2/z.txt': 'z\n' },
  },
  { does: (at) => symlinkSync('lib-2', at('lib')), tree: { lib: '→ lib-2' } },
  { does: (at) => unlinkSync(at('folder.ln')), tree: { 'folder.ln': undefined } },
  { does: (at) => mkdirSync(at('folder.ln')), tree: { 'folder.ln/': '' } },
  {
    does: (at) => writeFileSync(at('folder.ln/in.txt'), 'I\n'),
    tree: { 'folder.ln/': undefined, 'folder.ln/in.txt': 'I\n' },
  },
];

/** Paths that only the command touches. */
export const OF_COMMAND = new Set(COMMAND.flatMap(({ tree }) => Object.keys(tree)));

/** Every tree that the turn passes through, from the one before it to the one after it. */
export const STATES = statesOf([...TOOLS_FIRST, ...COMMAND, ...TOOLS_LAST]);
export const AFTER = STATES.at(-1) ?? {};

function statesOf(steps: readonly Pick<TurnStep, 'tree'>[]): readonly Readonly<Record<string, string>>[] {
  const states = [BEFORE];
  for (const { tree } of steps) {
    const next = Object.entries({ ...states.at(-1), ...tree }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    states.push(Object.fromEntries(next));
  }
  return states;
}

/** By hand, after the turn. */
export const HANDS = {
  ...{ 'skip.txt': 'S by hand\n', 'over.txt': 'O by hand\n' },
  'merge.txt': 'ONE\n2\nby hand\n4\nFIVE\n',
};

function begin({ world, checkpoints }: At): Journal {
  const { store } = world;
  const turn = store.checkpoints.lastTurn(SESSION) + 1;
  const turnId = `t${turn}` as TurnId;
  const journal = checkpoints.open({
    ...{ sessionId: SESSION, turnId, turn, prompt: 'p', todos: [] },
    startSequence: store.events.last(SESSION),
    messageCount: store.messages.count(SESSION),
  });
  const said = {
    kind: 'user',
    id: `m${turn}` as MessageId,
    turnId,
    text: 'p',
    mentions: [],
    attached: '',
  } as const;
  store.events.append(SESSION, { type: 'turn.started', turnId, turn, prompt: 'p', mentions: [] }, 0, [said]);
  return journal;
}

async function end({ world: { store } }: At, journal: Journal): Promise<void> {
  const checkpoint = await journal.seal('sealed');
  const turnId = `t${store.checkpoints.lastTurn(SESSION)}` as TurnId;
  if (checkpoint) store.events.append(SESSION, { type: 'checkpoint.sealed', turnId, checkpoint }, 0);
  store.events.append(SESSION, { type: 'turn.ended', turnId, status: 'done' }, 0);
}

/** A turn of nothing but tools and a covered command. */
async function turn(at: At): Promise<void> {
  const journal = begin(at);
  const hands = handsOf(at.world, journal);
  for (const { does } of TOOLS_FIRST) await does(hands);
  await hands.run('make', () => {
    for (const { does } of COMMAND) does((path) => join(at.world.folder, path));
  });
  for (const { does } of TOOLS_LAST) await does(hands);
  await end(at, journal);
}

/** Many short turns, the last one undone: something to prune. */
async function manyTurns(at: At): Promise<void> {
  for (let number = 1; number <= 5; number++) {
    const journal = begin(at);
    await handsOf(at.world, journal).edit('a.txt', `a ${number}\n`);
    await handsOf(at.world, journal).edit('c.txt', `c ${number}\n`);
    await end(at, journal);
  }
  await at.checkpoints.undo({ sessionId: SESSION, turn: 5, scope: 'all' });
  const then = Date.now() / 1000 - 2 * 60 * 60;
  for (const name of readdirSync(join(at.storage, 'blobs')))
    utimesSync(join(at.storage, 'blobs', name), then, then);
}

async function pruneAll({ world, storage }: At): Promise<void> {
  const clock = { now: () => 60 * DAY, monotonic: () => 0 };
  await prune({ ...pruneWorld({ ...world, clock }, storage) }, { retention: { ...DEFAULTS, keepTurns: 1 } });
}

function fork({ world, checkpoints }: At): void {
  const from = world.store.sessions.get(SESSION);
  if (!from) throw new Error('no session');
  const host = { clock: world.clock, random: world.random };
  const settingsFiles = { current: () => [] };
  const made = forkSession(
    { host, store: world.store, workspace: { root: world.folder }, settingsFiles, checkpoints },
    from,
    undefined,
  );
  if (!made.ok) throw new Error(made.error);
}

export const CHOICES = { 'skip.txt': 'skip', 'over.txt': 'overwrite', 'merge.txt': 'merge' } as const;

/** All that is killed. */
export const JOBS = {
  turn,
  'many-turns': manyTurns,
  prune: pruneAll,
  fork: async (at: At) => fork(at),
  undo: ({ checkpoints }: At) =>
    checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'all', choices: CHOICES }),
  'undo-block': ({ checkpoints }: At) =>
    checkpoints.undoHunk({ sessionId: SESSION, since: 0 }, { path: 'merge.txt', line: 1, side: 'now' }),
  'keep-block': ({ checkpoints }: At) =>
    checkpoints.keepHunk({ sessionId: SESSION, since: 0 }, { path: 'merge.txt', line: 1, side: 'now' }),
  redo: ({ checkpoints }: At) => checkpoints.redo({ sessionId: SESSION }),
  recover: ({ checkpoints }: At) => checkpoints.recover(SESSION),
} as const;
export type Job = keyof typeof JOBS;
