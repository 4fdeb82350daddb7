import { expect } from 'vitest';
import { forkSession } from '#agent/fork/fork';
import { assertNever } from '#base/result';
import { DAY, pruneOld } from '../prune-lab';
import type { Bench } from './bench';
import type { Deed } from './deeds';
import { forked, type Session } from './record';
import { redo, undo, undoBlock } from './restores';
import { turn } from './turns';

/** So many sessions are enough to meet each other. */
const MOST_SESSIONS = 4;

/** Does one thing to the real thing and to the model, and looks whether they agree. */
export async function perform(bench: Bench, deed: Deed): Promise<void> {
  switch (deed.deed) {
    case 'turn':
      await turn(bench, bench.session(deed.session), deed.steps, deed.death);
      break;
    case 'hand':
      bench.hand(deed.act);
      break;
    case 'undo':
      await undo(bench, deed);
      break;
    case 'redo':
      await redo(bench, deed);
      break;
    case 'undo-block':
      await undoBlock(bench, bench.session(deed.session), deed.path, deed.slot);
      break;
    case 'fork':
      fork(bench, bench.session(deed.session), deed.back);
      break;
    case 'prune':
      await prune(bench, deed.keepTurns);
      break;
    case 'restart':
      expect(await bench.restart()).toEqual({ sealed: [], restores: [] });
      break;
    default:
      assertNever(deed);
  }
  bench.check();
}

/** Before one of its turns, or after the last. */
function fork(bench: Bench, session: Session, back: number): void {
  const { the, process, sessions } = bench;
  const before = session.turns.length - back;
  if (sessions.length >= MOST_SESSIONS || before < 0) return;
  const stored = the.store.sessions.get(session.id);
  if (!stored) throw new Error('no such session');
  const world = {
    ...{ host: the.host, store: the.store, checkpoints: process.checkpoints },
    workspace: { root: the.folder.path },
    settingsFiles: { current: () => [] },
  };
  const made = forkSession(world, stored, session.turns[before]?.number);
  if (!made.ok) throw new Error(made.error);
  sessions.push(forked(session, made.value.id, before));
}

/** What is forgotten is said to be, is older than what is kept, and leaves every file as it is. */
async function prune(bench: Bench, keepTurns: number): Promise<void> {
  const { the } = bench;
  the.host.advance(2 * DAY);
  const report = await pruneOld(the.world, the.storage.path, { days: 1, keepTurns });
  expect(report.status).toBe('done');
  for (const session of bench.sessions) {
    const rows = the.store.checkpoints.list(session.id);
    const changed = rows.filter(({ state }) => state !== 'empty');
    const kept = changed.filter(({ prunedAt }) => prunedAt === undefined);
    expect(kept).toEqual(changed.slice(Math.max(0, changed.length - kept.length)));
    expect(kept.length).toBeGreaterThanOrEqual(Math.min(keepTurns, changed.length - alreadyPruned(session)));
    for (const [index, turn] of session.turns.entries()) {
      turn.pruned = rows[index]?.prunedAt !== undefined;
      if (turn.pruned) turn.ops = [];
    }
  }
  // An undo of what is forgotten can't be taken back any more.
  for (const undo of bench.undos) undo.isRedone ||= the.store.restores.isRedone(undo.id);
}

function alreadyPruned({ turns }: Session): number {
  return turns.filter(({ pruned }) => pruned).length;
}
