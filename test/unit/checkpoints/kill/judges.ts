import { prune } from '#checkpoints/prune';
import type { SessionId } from '#protocol/ids';
import { SESSION } from '../hands';
import { DAY, DEFAULTS, pruneWorld } from '../prune-lab';
import { AFTER, BEFORE, CHOICES, HANDS, OF_COMMAND, STATES } from './jobs';
import type { Restarted } from './places';

type Tree = Readonly<Record<string, string>>;

/** Says what is wrong after the next start; empty when nothing is. */
export type Judge = (at: Restarted) => Promise<readonly string[]>;

function differs(what: string, tree: Tree, ...wanted: readonly Tree[]): string[] {
  const isOne = wanted.some((each) => sorted(each) === sorted(tree));
  return isOne ? [] : [`${what}: ${sorted(tree)}`];
}

function sorted(tree: Tree): string {
  return JSON.stringify(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A turn stops between two of its steps, and can be taken back, and forth again. */
export const judgeTurn: Judge = async ({ checkpoints, tree }) => {
  const found = tree();
  const [summary] = checkpoints.list(SESSION);
  const isCutOff = summary?.cutOffCommands !== undefined;
  const { outcome } = await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  const undone = tree();
  // What a command did that was cut off isn't known: the turn says so, and an undo leaves it.
  const rest = (each: Tree) =>
    Object.fromEntries(Object.entries(each).filter(([path]) => !OF_COMMAND.has(path)));
  const ofCommand = (each: Tree) =>
    Object.fromEntries(Object.entries(each).filter(([path]) => OF_COMMAND.has(path)));
  const wrong = [
    ...differs('after the start', withoutEmpty(found), ...STATES.map(withoutEmpty)),
    ...(outcome.status === 'conflict' ? [`undo: ${JSON.stringify(outcome.conflicts)}`] : []),
    ...(isCutOff
      ? [
          ...differs('undone', rest(undone), rest(BEFORE)),
          ...differs('of the command', ofCommand(undone), ofCommand(found)),
        ]
      : differs('undone', undone, BEFORE)),
  ];
  if (outcome.status !== 'done') return wrong;
  const again = await checkpoints.redo({ sessionId: SESSION });
  return [
    ...wrong,
    ...(again.outcome.status === 'done' ? [] : ['no redo']),
    ...differs('redone', tree(), found),
  ];
};

/** Folders that were made for a file which never came are empty, and go with the undo. */
function withoutEmpty(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith('/')));
}

const EDITED: Tree = { ...AFTER, ...HANDS };
const CHOSEN: Tree = { ...BEFORE, 'skip.txt': HANDS['skip.txt'], 'merge.txt': '1\n2\nby hand\n4\n5\n' };
const BLOCK: Tree = { ...EDITED, 'merge.txt': '1\n2\nby hand\n4\nFIVE\n' };

/** It is done or it isn't; then it can be done, and taken back. */
export const judgeUndo: Judge = async ({ checkpoints, world, tree }) => {
  const found = tree();
  const isDone = sorted(found) === sorted(CHOSEN);
  const isRewound = world.store.checkpoints.list(SESSION).some(({ rewoundBy }) => rewoundBy !== undefined);
  const wrong = [
    ...differs('after the start', found, EDITED, CHOSEN),
    ...(isRewound === isDone ? [] : ['files and conversation disagree']),
  ];
  if (!isDone) await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'all', choices: CHOICES });
  wrong.push(...differs('undone', tree(), CHOSEN));
  await checkpoints.redo({ sessionId: SESSION });
  return [...wrong, ...differs('redone', tree(), EDITED)];
};

export const judgeRedo: Judge = async ({ checkpoints, world, tree }) => {
  const found = tree();
  const isDone = sorted(found) === sorted(EDITED);
  const isRewound = world.store.checkpoints.list(SESSION).some(({ rewoundBy }) => rewoundBy !== undefined);
  const wrong = [
    ...differs('after the start', found, EDITED, CHOSEN),
    ...(isRewound === isDone ? ['files and conversation disagree'] : []),
  ];
  if (!isDone) await checkpoints.redo({ sessionId: SESSION });
  wrong.push(...differs('redone', tree(), EDITED));
  await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'all', choices: CHOICES });
  return [...wrong, ...differs('undone again', tree(), CHOSEN)];
};

export const judgeBlock: Judge = async ({ checkpoints, tree }) => {
  const found = tree();
  const place = { path: 'merge.txt', line: 1, side: 'now' } as const;
  if (sorted(found) === sorted(EDITED)) await checkpoints.undoHunk({ sessionId: SESSION, since: 0 }, place);
  const undone = tree();
  await checkpoints.redo({ sessionId: SESSION });
  return [
    ...differs('after the start', found, EDITED, BLOCK),
    ...differs('undone', undone, BLOCK),
    ...differs('redone', tree(), EDITED),
  ];
};

/** The block is kept or it isn't: an undo of what waits leaves it or takes it. No file was changed. */
export const judgeKeep: Judge = async ({ checkpoints, tree }) => {
  const found = tree();
  const request = {
    sessionId: SESSION,
    turn: 1,
    scope: 'files',
    paths: ['merge.txt'],
    reviewedSince: 0,
  } as const;
  const { outcome } = await checkpoints.undo({ ...request, choices: { 'merge.txt': 'overwrite' } });
  const [kept, taken] = [
    { ...EDITED, 'merge.txt': 'ONE\n2\n3\n4\n5\n' },
    { ...EDITED, 'merge.txt': BEFORE['merge.txt'] ?? '' },
  ];
  const undone = tree();
  await checkpoints.redo({ sessionId: SESSION });
  return [
    ...differs('after the start', found, EDITED),
    ...(outcome.status === 'done' ? [] : [JSON.stringify(outcome)]),
    ...differs('undone', undone, kept, taken),
    ...differs('redone', tree(), EDITED),
  ];
};

/** There is a whole fork or none; the original isn't touched, and neither is undone by the other's undo. */
export const judgeFork: Judge = async ({ world, checkpoints, tree }) => {
  const { store } = world;
  const turns = (session: SessionId) =>
    checkpoints.list(session).map(({ turn, state }) => `${turn} ${state}`);
  const forks = store.sessions.list(world.folder).filter(({ id }) => id !== SESSION);
  const wrong = [
    ...differs('after the start', tree(), AFTER),
    ...(forks.length > 1 ? ['two forks'] : []),
    ...(String(turns(SESSION)) === '1 sealed' ? [] : ['the original has changed']),
  ];
  for (const { id } of forks) {
    if (String(turns(id)) !== '1 sealed') wrong.push(`the fork has ${turns(id)}`);
    if (!store.events.list(id).some(({ type }) => type === 'session.forked'))
      wrong.push('the fork has no end');
    await checkpoints.undo({ sessionId: id, turn: 1, scope: 'files' });
    wrong.push(...differs('undone', tree(), BEFORE));
    if (String(turns(SESSION)) !== '1 sealed') wrong.push('the original is undone');
    await checkpoints.redo({ sessionId: id });
  }
  return [...wrong, ...differs('at the end', tree(), AFTER)];
};

/** Every turn has its contents or says that it hasn't; the next run ends it, and what is kept can be taken back. */
export const judgePrune: Judge = async ({ world, checkpoints, storage, tree }) => {
  const before = tree();
  const clock = { now: () => 60 * DAY, monotonic: () => 0 };
  const prunes = pruneWorld({ ...world, clock }, storage);
  const { status } = await prune(prunes, { retention: { ...DEFAULTS, keepTurns: 1 } });
  const refused = await checkpoints.undo({ sessionId: SESSION, turn: 4, scope: 'files' });
  const rows = world.store.checkpoints.list(SESSION);
  return [
    ...(status === 'done' ? [] : [`prune: ${status}`]),
    ...(refused.outcome.status === 'nothing' ? [] : ['a pruned turn was undone']),
    ...differs('files', tree(), before),
    ...(rows.filter(({ prunedAt }) => prunedAt !== undefined).length === 4 ? [] : ['not pruned']),
  ];
};
