import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Recovery } from '#checkpoints/checkpoints';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { ensureSession, SESSION } from '../hands';
import { lab } from '../lab';
import type { Act, Death } from './deeds';
import type { Memory } from './memory';
import { Place } from './place';
import { type Begun, type Process, recoverSession, startProcess } from './process';
import type { Op, Session, Touch, Turn, Undo } from './record';

/** A change that has begun and of which nobody knows yet whether it happened. */
export interface Pending {
  readonly turn: Turn;
  readonly touches: readonly Touch[];
}

/** The real thing on a real folder, the model of it, and a person who edits by hand. */
export class Bench {
  readonly the = lab();
  readonly place = new Place(this.the.folder.path);
  readonly sessions: Session[] = [
    { id: SESSION, turns: [] },
    { id: 'session-2' as SessionId, turns: [] },
  ];
  readonly undos: Undo[] = [];
  /** What the person wrote last, by path, as long as nobody else wrote there since. */
  readonly byHand = new Map<string, string>();
  readonly open: Begun[] = [];
  process: Process;
  pending: Pending | undefined;
  #ops = 0;
  readonly #saves = new Set<Set<AbsolutePath>>();

  constructor() {
    this.place.act({ act: 'write', path: 'a' }, 'first');
    this.place.act({ act: 'write', path: 'd/a' }, 'first');
    this.process = startProcess(this.the.world, this.#saves);
    for (const { id } of this.sessions) ensureSession(this.the.world, id);
  }

  get memory(): Memory {
    return this.place.memory;
  }

  /** The last operation so far. */
  get last(): number {
    return this.#ops;
  }

  session(number: number): Session {
    return this.sessions[number % this.sessions.length] as Session;
  }

  add(turn: Turn, touches: readonly Touch[], command?: number): Op {
    const op: Op = { place: ++this.#ops, isCopy: false, touches, command, undoneBy: undefined };
    turn.ops.push(op);
    return op;
  }

  /** All that is really there. */
  world(): unknown {
    return [this.the.tree(), this.place.folderBits()];
  }

  /** A person works, in an editor or past it. Says which file was written. */
  hand(act: Act, isSaved = false): string | undefined {
    const old = new Map(this.memory.files);
    const path = this.place.act(act, 'hand');
    for (const [file, state] of old)
      if (this.memory.files.get(file)?.text !== state.text) this.byHand.delete(file);
    if (path === undefined) return undefined;
    this.byHand.set(path, this.memory.files.get(path)?.text ?? '');
    if (isSaved) for (const paths of this.#saves) paths.add(join(this.place.folder, path) as AbsolutePath);
    return path;
  }

  /** Somebody else changed the file: what it holds is no longer the person's. */
  overwritten(paths: Iterable<string>): void {
    for (const path of paths) this.byHand.delete(path);
  }

  /** Waits for a deed to end, or for the process to die in it. */
  async ends<T>(work: Promise<T>): Promise<{ readonly value: T } | 'died'> {
    return Promise.race([
      work.then((value) => ({ value })),
      this.process.files.died.then(() => 'died' as const),
    ]);
  }

  dies(death: Death | undefined): void {
    if (death) this.process.files.dieAt(death.at, death.isLanded);
  }

  /** A new process takes the place of one that is dead. */
  async restart(): Promise<Recovery> {
    this.process = startProcess(this.the.world, this.#saves);
    this.#saves.clear();
    const recovered: Recovery[] = [];
    for (const { id } of this.sessions) recovered.push(await recoverSession(this.process, id, this.open));
    this.open.length = 0;
    return {
      sealed: recovered.flatMap(({ sealed }) => sealed),
      restores: recovered.flatMap(({ restores }) => restores),
    };
  }

  /** Disk and model agree, nothing that the person wrote is gone, and the store knows the turns as they are. */
  check(): void {
    const found = this.place.look();
    expect(found.tree()).toEqual(this.memory.tree());
    for (const [path, text] of this.byHand) expect([path, found.files.get(path)?.text]).toEqual([path, text]);
    this.memory.folders.clear();
    for (const folder of found.folders) this.memory.folders.add(folder);
    expect(this.sessions.map(({ id }) => this.#stored(id))).toEqual(
      this.sessions.map(({ turns }) =>
        turns.map(({ number, rewoundBy, pruned, ops }) => ({
          ...{ number, isRewound: rewoundBy !== undefined, pruned },
          changes: ops.map(({ touches, undoneBy }) => wordsFor(touches.at(-1)?.path, undoneBy)).sort(),
        })),
      ),
    );
  }

  /** The turns of a session as the store has them. */
  #stored(session: SessionId): unknown {
    const { checkpoints, operations } = this.the.store;
    return checkpoints.list(session).map(({ id, turn, rewoundBy, prunedAt }) => ({
      ...{ number: turn, isRewound: rewoundBy !== undefined, pruned: prunedAt !== undefined },
      // Folders' permission bits aren't in the model: they are compared with those that were really there.
      changes: operations
        .list(id)
        .filter(({ before }) => before.kind !== 'folder')
        .map(({ path, undoneBy }) => wordsFor(path, undoneBy))
        .sort(),
    }));
  }

  close(): void {
    this.the.store.close();
    for (const { path } of [this.the.folder, this.the.storage]) rmSync(path, { recursive: true });
  }
}

function wordsFor(path: string | undefined, undoneBy: unknown): string {
  return `${path} ${undoneBy === undefined ? 'stands' : 'is undone'}`;
}
