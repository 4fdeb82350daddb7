import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, futimesSync, openSync, type Stats, statfsSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '#base/disposable';
import { delay } from '#base/queue';

/**
 * File systems, by statfs's type, that stamp what is touched by this kernel's own clock, a renamed file included, and
 * whose folders keep their numbers: ext2 to ext4, XFS, Btrfs, tmpfs, F2FS. Servers stamp by their own clocks.
 */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010]);
/** Stamps like the file system under it, but may give a folder another number. */
const OVERLAY = 0x794c7630;

/** Whether `ctime` alone can tell when the files in a folder were touched; asked once per device. */
export class StampJudge {
  readonly #devices = new Map<number, boolean>();

  isExact(folder: string, stats: Stats): boolean {
    if (!isFine(stats.ctimeMs)) return false;
    const known = this.#devices.get(stats.dev);
    if (known !== undefined) return known;
    const type = typeOf(folder);
    const isLocal = type !== undefined && LOCAL.has(type);
    this.#devices.set(stats.dev, isLocal);
    return isLocal;
  }
}

/** A reading of the clock that stamps files, and of one that never jumps; in milliseconds. */
export interface Moment {
  readonly stamp: number;
  readonly monotonic: number;
}

const READINGS = 200;

/**
 * The clock by which the kernel stamps files. It moves in steps and lags behind the time of day, by some milliseconds
 * or, on a stalled virtual machine, by many: stamps can only be compared with its own readings. Those are taken from a
 * file of ours that has no name.
 */
export class StampClock implements Disposable {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Undefined where there is none to be read. */
  static open(): StampClock | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const type = typeOf(tmpdir());
      if (type === undefined || !(LOCAL.has(type) || type === OVERLAY)) return undefined;
      const path = join(tmpdir(), `belay-clock-${process.pid}-${randomBytes(6).toString('hex')}`);
      const descriptor = openSync(path, 'wx', 0o600);
      const clock = new StampClock(descriptor);
      unlinkSync(path);
      if (isFine(clock.read())) return clock;
      clock.dispose();
    } catch {
      // No room, or nobody may write there.
    }
    return undefined;
  }

  read(): number {
    futimesSync(this.#descriptor, 1, 1);
    return fstatSync(this.#descriptor).ctimeMs;
  }

  /** Undefined where it can't be read any more. */
  tryRead(): number | undefined {
    try {
      return this.read();
    } catch {
      return undefined;
    }
  }

  /**
   * A moment later than that reading: what was touched before the reading is stamped earlier than the moment, what is
   * touched from now on isn't. Undefined when the clock stands.
   */
  async momentAfter(reading: number): Promise<Moment | undefined> {
    for (let taken = 0; taken < READINGS; taken++) {
      const stamp = this.read();
      if (stamp > reading) return { stamp, monotonic: performance.now() };
      await delay(1);
    }
    return undefined;
  }

  dispose(): void {
    closeSync(this.#descriptor);
  }
}

/** Clocks that run side by side drift apart; less than this is no jump. */
const LEEWAY = 1000;

/** Says of a stamp whether it was set between that moment and now, also when the time of day was set meanwhile. */
export function stampedSince(
  { stamp, monotonic }: Moment,
  now: Moment = { stamp: Date.now(), monotonic: performance.now() },
): (ctimeMs: number) => boolean {
  const elapsed = now.monotonic - monotonic;
  const expected = stamp + elapsed;
  const from = now.stamp < expected - LEEWAY ? now.stamp - elapsed : stamp;
  // What lies in the future was stamped while the time of day was wrong, long ago.
  const to = Math.max(now.stamp, expected) + LEEWAY;
  return (ctimeMs) => ctimeMs <= to && ctimeMs >= (isFine(ctimeMs) ? from : Math.floor(from / 1000) * 1000);
}

/** Old formats keep whole seconds. */
function isFine(ctimeMs: number): boolean {
  return ctimeMs % 1000 !== 0;
}

function typeOf(path: string): number | undefined {
  try {
    return statfsSync(path).type;
  } catch {
    return undefined;
  }
}
