import { meanwhile, SerialQueue } from '#base/queue';
import { fail, messageOf, ok, type Result } from '#base/result';
import { type CommandCover, type CoveredCommand, coverCommand } from '#checkpoints/covering/cover';
import type { Keeper } from '#checkpoints/covering/keeper';
import { folderBits } from '#disk/folder-bits';
import type { FileProblem, Landed } from '#host';
import type { CheckpointSummary, CommandChange, FileState } from '#protocol/checkpoint';
import type { CheckpointId, SessionId, TurnId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import type { NewCheckpoint } from '#store/checkpoints';
import type { Content } from './blobs';
import { ABSENT } from './chain';
import { noteCommandChanges } from './command-notes';
import { makeFolders, missingFolders } from './folders';
import { type FileLanding, type Intent, intend, notKept, outcomeOf } from './intent';
import { KeepLater } from './keep-later';
import { type LineStats, lineStats } from './lines';
import { absolutePath } from './paths';
import { dropRefused } from './refused';
import { sealCheckpoint } from './seal';
import { summaryOf } from './summaries';
import type { World } from './world';

/** Where a turn begins. */
export interface TurnStart {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  /** 1-based number of the turn in its session. */
  readonly turn: number;
  readonly prompt: string;
  /** Sequence of the last event before the turn: a rewind goes back to there. */
  readonly startSequence: number;
  readonly messageCount: number;
  readonly todos: readonly Todo[];
}

/**
 * The checkpoint of a turn that has not ended: everything the turn writes goes through it. Before a write the content
 * that it destroys is a durable blob and the intention a durable row; right after it the new hash is recorded. So a kill
 * at any moment leaves either nothing done, or something whose beginning and end are known.
 */
export interface Journal {
  readonly id: CheckpointId;
  /** Lands one change; missing folders above its target are made and recorded. Calls are served one by one. */
  write(landing: FileLanding): Promise<Result<Landed, FileProblem>>;
  /** Call it before a command that may change files; it answers with what to call when the command has ended. */
  cover(command: CoveredCommand): Promise<CommandCover>;
  /** Records what changed while a command ran and stays, so that it can be shown and named in conflicts. */
  noteCommandChanges(changes: readonly CommandChange[]): Promise<void>;
  /** The turn's changes so far; undefined when there are none. */
  summary(): CheckpointSummary | undefined;
  /** Ends the turn's checkpoint; undefined when nothing changed. A second call does nothing more. */
  seal(state: 'sealed' | 'interrupted'): Promise<CheckpointSummary | undefined>;
  /** The turn is over, sealed or not: it takes no more changes, and what can't be done while it runs can be. A later call does nothing. */
  close(): void;
}

/** A write on its way: what is meant, what is done, and its lines, counted while the disk is waited for. */
interface Writing {
  readonly intent: Intent;
  readonly landing: FileLanding;
  readonly counted: Promise<LineStats>;
}

/** What journals of one folder share. */
export interface Shared {
  readonly world: World;
  readonly keeper: Keeper;
}

/** Records where a turn begins and takes its changes from then on. `onEnded` is called when it is sealed or closed. */
export function openJournal({ world, keeper }: Shared, start: TurnStart, onEnded: () => void): Journal {
  const id = world.random.id() as CheckpointId;
  const checkpoint = { ...start, id, at: Math.trunc(world.clock.now()) };
  world.store.checkpoints.open(checkpoint);
  return new OpenJournal({ world, keeper }, checkpoint, onEnded);
}

class OpenJournal implements Journal {
  readonly id: CheckpointId;
  readonly #checkpoint: NewCheckpoint;
  readonly #world: World;
  readonly #keeper: Keeper;
  readonly #queue = new SerialQueue();
  readonly #onEnded: () => void;
  /** What the turn left at each path: a content that is known from here needs no second sync. */
  readonly #left = new Map<string, FileState>();
  readonly #later: KeepLater;
  #isOver = false;

  constructor({ world, keeper }: Shared, checkpoint: NewCheckpoint, onEnded: () => void) {
    this.#world = world;
    this.#keeper = keeper;
    this.#checkpoint = checkpoint;
    this.id = checkpoint.id;
    this.#onEnded = onEnded;
    this.#later = new KeepLater(world);
  }

  write(landing: FileLanding): Promise<Result<Landed, FileProblem>> {
    return this.#queue.run(() => this.#write(landing));
  }

  async cover(command: CoveredCommand): Promise<CommandCover> {
    const turn = { sessionId: this.#checkpoint.sessionId, checkpointId: this.id };
    const cover = await coverCommand(this.#world, this.#keeper, turn, command);
    return { ...cover, end: (beside) => this.#queue.run(() => cover.end(beside)) };
  }

  noteCommandChanges(changes: readonly CommandChange[]): Promise<void> {
    return this.#queue.run(() => noteCommandChanges(this.#world, this.id, changes));
  }

  summary(): CheckpointSummary | undefined {
    return summaryOf(this.#world.store, this.id);
  }

  seal(state: 'sealed' | 'interrupted'): Promise<CheckpointSummary | undefined> {
    return this.#queue.run(async () => {
      this.#later.now();
      const summary = this.#isOver
        ? this.summary()
        : await sealCheckpoint(this.#world, this.#checkpoint, state);
      this.#isOver = true;
      this.#onEnded();
      return summary;
    });
  }

  close(): void {
    this.#isOver = true;
    this.#later.now();
    this.#onEnded();
  }

  async #write(landing: FileLanding): Promise<Result<Landed, FileProblem>> {
    if (this.#isOver) throw new Error('the turn has ended: its journal takes no more changes');
    const { files, folder } = this.#world;
    const intent = await intend(this.#world, landing, this.#left);
    if (!intent.ok) return intent;
    const folders = await missingFolders(files, folder, intent.value.path);
    if (!folders.ok) return folders;
    const operation = this.#record(intent.value, folders.value);
    if (!operation.ok) return operation;
    this.#world.onStep?.('intended');
    const counted = meanwhile(() => linesOf(intent.value, intent.value.now));
    const landed = await this.#land(landing, intent.value, folders.value);
    this.#world.onStep?.('landed');
    if (landed.ok)
      await this.#settle(operation.value, { intent: intent.value, landing, counted }, landed.value);
    else await dropRefused(this.#world, this.id, { operation: operation.value, folders: folders.value });
    return landed;
  }

  /** The row is there for whoever comes after a kill. */
  #record(intent: Intent, folders: readonly string[]): Result<number, FileProblem> {
    const { store, log } = this.#world;
    const { kind, path, from, before, planned } = intent;
    const add = () => store.operations.add({ checkpointId: this.id, kind, path, from, before, planned });
    const addAll = () => {
      for (const made of folders) store.folders.addMade(this.id, made);
      return add();
    };
    try {
      return ok(folders.length === 0 ? add() : store.transaction(addAll));
    } catch (error) {
      log.error(`journal: ${kind} ${path} was not begun: ${messageOf(error)}`);
      return fail(notKept(error));
    }
  }

  /**
   * Nothing changes before row and old content would survive a power cut. A replacement stands ready beside its file by then:
   * the disk serves all three waits in one.
   */
  async #land(
    landing: FileLanding,
    { old, kept }: Intent,
    folders: readonly string[],
  ): Promise<Result<Landed, FileProblem>> {
    const { files, folder, store, blobs, log } = this.#world;
    // Asked for at once, so that the disk is at work while the replacement is written.
    const durable = Promise.all([store.synced(), kept === undefined ? undefined : blobs.sync(kept)]);
    let isAsked = false;
    const beforeChange = () => {
      isAsked = true;
      return durable;
    };
    // Whoever refuses the change before it asks leaves nobody who hears of a disk that failed.
    durable.catch(() => undefined);
    const early =
      landing.kind === 'replace'
        ? await files.land({ ...landing, beforeChange, ...(old && { before: old }) })
        : undefined;
    if (early && !isAsked) {
      if (early.ok) throw new Error('the host changed a file without asking whether it may');
      return early;
    }
    try {
      await durable;
    } catch (error) {
      log.error(`journal: ${landing.kind} ${landing.path} was not begun: ${messageOf(error)}`);
      return fail(notKept(error));
    }
    if (early) return early;
    const made = await makeFolders(files, folder, folders);
    if (!made.ok) return made;
    await this.#noteBits(folders);
    return files.land(landing);
  }

  /** With which permission bits folders were made: that they were made is recorded. */
  async #noteBits(folders: readonly string[]): Promise<void> {
    const { files, folder, store, log } = this.#world;
    try {
      for (const path of folders) {
        const bits = folderBits((await files.stat(absolutePath(folder, path)))?.mode ?? 0);
        if (bits) store.folders.addMade(this.id, path, bits);
      }
    } catch (error) {
      log.warn(`journal: permission bits of new folders were not recorded: ${messageOf(error)}`);
    }
  }

  async #settle(operation: number, { intent, landing, counted }: Writing, landed: Landed): Promise<void> {
    const { store, log } = this.#world;
    try {
      const at = landing.kind === 'rename' ? landing.to : landing.path;
      const after = await outcomeOf(this.#world, { intent, at, landed });
      const isAsPlanned = after.content === intent.now;
      const lines = isAsPlanned ? await counted : linesOf(intent, after.content);
      store.operations.settle(operation, after.state, lines);
      this.#world.onStep?.('recorded');
      if (intent.from !== undefined) this.#left.set(intent.from, ABSENT);
      this.#left.set(intent.path, after.state);
      if (after.content) this.#later.keep(after.content);
    } catch (error) {
      // The write stands and its intention is recorded: the seal settles it from the disk.
      log.warn(`journal: could not record the end of ${intent.kind} ${intent.path}: ${messageOf(error)}`);
    }
  }
}

/** A rename alone changes no lines. */
function linesOf({ kind, old }: Intent, now: Content | undefined): LineStats {
  return kind === 'rename' ? { added: 0, removed: 0 } : lineStats(old?.bytes, now?.bytes);
}
