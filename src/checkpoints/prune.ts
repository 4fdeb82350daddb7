import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { CheckpointId } from '#protocol/ids';
import type { LeaseOwner } from '#store/leases';
import type { BlobReference } from '#store/references';
import { isIncomplete } from '#store/set-aside';
import type { Store } from '#store/store';
import { type Retention, turnsToPrune } from './prune-plan';
import { type SweepStep, type Swept, sweepBlobs } from './sweep';
import type { World } from './world';

/** A moment of pruning between two effects, at which tests die. */
export type PruneStep =
  | SweepStep
  | 'begun'
  | 'planned'
  | 'turn-forgotten'
  | 'undo-forgotten'
  | 'swept'
  | 'ended';

/** What pruning works with: the whole storage, of whatever folder. */
export interface PruneWorld extends Pick<World, 'store' | 'blobs' | 'clock' | 'log'> {
  readonly owner: LeaseOwner;
  /** The folder that holds database and blobs. */
  readonly storage: string;
  onPruneStep?(step: PruneStep): void;
}

export interface PruneOptions {
  readonly retention: Retention;
  readonly signal?: AbortSignal;
}

/** What pruning came to. `stopped`: it ended before its end, what is left to do is left to the next time. */
export interface PruneReport extends Swept {
  readonly status: 'done' | 'stopped';
  readonly why?: string;
  /** Turns whose earlier contents were removed. */
  readonly turns: number;
}

const TASK = 'prune';
const NOTHING: Swept = { blobs: 0, bytes: 0 };
/** Turns between two pauses. */
const SLICE = 8;

/**
 * Removes what is older or more than is to be kept: first what turns changed, so that they say that their contents are gone, then
 * blobs that nobody needs. May be killed or stopped anywhere. Never while a turn, a command or an undo is at work in any window.
 */
export async function prune(world: PruneWorld, options: PruneOptions): Promise<PruneReport> {
  const { store, owner, clock } = world;
  const hindrance = atWork(store, owner);
  if (hindrance !== undefined) return stopped(hindrance);
  if (!store.housekeeping.begin(TASK, owner, clock.now()))
    return stopped(t('Another window is just tidying the storage.'));
  world.onPruneStep?.('begun');
  let done = false;
  try {
    const report = await new Pruning(world, options).run();
    done = report.status === 'done';
    return report;
  } finally {
    store.housekeeping.end(TASK, owner, done ? clock.now() : undefined);
    world.onPruneStep?.('ended');
  }
}

/** Only the second half: deletes what nobody needs any more, unless somebody is at work. */
export async function sweepStorage(world: PruneWorld): Promise<Swept> {
  return atWork(world.store, world.owner) === undefined ? sweepAll(world, () => pause(world)) : NOTHING;
}

/** When pruning last came to its end. */
export function lastPruned(store: Store): number | undefined {
  return store.housekeeping.doneAt(TASK);
}

/** Why not now; undefined when nobody is at work. What the dead left unfinished protects its own contents and nothing else. */
function atWork({ pruning, leases }: Store, { host }: LeaseOwner): string | undefined {
  const busy = pruning.unfinished().some((sessionId) => leases.holder(sessionId, host) !== undefined);
  return busy ? t('A turn or an undo is running. What is kept is tidied when it has ended.') : undefined;
}

/** One run. */
class Pruning {
  readonly #world: PruneWorld;
  readonly #options: PruneOptions;
  #turns = 0;
  #swept: Swept = NOTHING;

  constructor(world: PruneWorld, options: PruneOptions) {
    this.#world = world;
    this.#options = options;
  }

  async run(): Promise<PruneReport> {
    try {
      await this.#forgetTurns();
      this.#forgetUndos();
      this.#swept = await sweepAll(this.#world, () => this.#goOn());
      return this.#report('done');
    } catch (error) {
      if (error instanceof Stopped) return { ...this.#report('stopped'), why: error.message };
      this.#world.log.error(`pruning broke off: ${messageOf(error)}`);
      return { ...this.#report('stopped'), why: messageOf(error) };
    }
  }

  async #forgetTurns(): Promise<void> {
    const { store, clock } = this.#world;
    const facts = {
      turns: store.pruning.kept(),
      needs: await this.#needs(),
      otherBytes: store.artifacts.bytes(),
      now: clock.now(),
    };
    const going = turnsToPrune(facts, this.#options.retention);
    this.#world.onPruneStep?.('planned');
    for (const [index, turn] of going.entries()) {
      if (index % SLICE === 0) await this.#goOn();
      if (!store.pruning.forgetTurn(turn, clock.now())) continue;
      this.#turns++;
      this.#world.onPruneStep?.('turn-forgotten');
    }
  }

  /** Read session by session, so that a large storage doesn't hold up the window. */
  async #needs(): Promise<ReadonlyMap<CheckpointId, readonly BlobReference[]>> {
    const { store } = this.#world;
    const needs = new Map<CheckpointId, BlobReference[]>();
    for (const sessionId of new Set(store.pruning.kept().map((turn) => turn.sessionId))) {
      await this.#goOn();
      for (const reference of store.references.ofSession(sessionId)) {
        const known = needs.get(reference.checkpointId);
        if (known) known.push(reference);
        else needs.set(reference.checkpointId, [reference]);
      }
    }
    return needs;
  }

  #forgetUndos(): void {
    const { store, clock } = this.#world;
    for (const undo of store.pruning.oldUndos(
      clock.now() - this.#options.retention.days * 24 * 60 * 60 * 1000,
    )) {
      store.pruning.forgetUndo(undo);
      this.#world.onPruneStep?.('undo-forgotten');
    }
  }

  /** Lets others work, and ends here when it is to end. */
  async #goOn(): Promise<void> {
    if (this.#options.signal?.aborted) throw new Stopped(t('It was stopped.'));
    await pause(this.#world);
    if (this.#options.signal?.aborted) throw new Stopped(t('It was stopped.'));
  }

  #report(status: PruneReport['status']): PruneReport {
    return { status, turns: this.#turns, ...this.#swept };
  }
}

/** Contents that belong to a damaged database that was set aside may still be wanted: nothing is swept beside one. */
async function sweepAll(world: PruneWorld, goOn: () => Promise<void>): Promise<Swept> {
  const { store, blobs, storage } = world;
  if (isIncomplete(storage)) return NOTHING;
  const swept = await sweepBlobs({
    folder: blobs.folder,
    standing: () => store.references.standing(),
    goOn,
    onStep: (step) => world.onPruneStep?.(step),
  });
  world.onPruneStep?.('swept');
  return swept;
}

/** Lets others work; throws when somebody has begun something. */
async function pause({ store, owner }: PruneWorld): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  const hindrance = atWork(store, owner);
  if (hindrance !== undefined) throw new Stopped(hindrance);
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

function stopped(why: string): PruneReport {
  return { status: 'stopped', why, turns: 0, blobs: 0, bytes: 0 };
}
