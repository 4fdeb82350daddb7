import { messageOf } from '#base/result';
import type { CommandCover, SeenChanges } from '#checkpoints/covering/cover';
import type { Journal } from '#checkpoints/journal';
import type { Core } from './core';

/** Something that may change files of the workspace while it runs. */
interface Covered {
  readonly core: Core;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  /** What it is called, without secrets: the command line. */
  readonly command: string;
}

const NOTHING: SeenChanges = { changes: [], notes: [] };

/**
 * Runs a command between two looks at the workspace, so that what it changes becomes part of the turn. Where the looks fail it runs all
 * the same (it may be what makes room on a full disk), and that is said. Rejects as `run` does, and when the signal aborts before.
 */
export async function runCovered<T>(
  { core, journal, signal, command }: Covered,
  run: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly seen: SeenChanges }> {
  const atWork = core.atWork.begin(command);
  try {
    const cover = await begin({ core, journal, signal, command });
    const outcome = await ran(run, cover);
    if (!cover) return { outcome, seen: notSeen() };
    return { outcome, seen: await ended(core, cover, atWork.others()) };
  } finally {
    atWork.dispose();
  }
}

/** For a command that can't write to the workspace: nothing is looked at. */
export async function runUncovered<T>(
  run: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly seen: SeenChanges }> {
  return { outcome: await run(), seen: NOTHING };
}

async function begin({ core, journal, signal, command }: Covered): Promise<CommandCover | undefined> {
  const { undoIgnoredKb, undoKeptMb } = core.host.settings.current();
  const limits = { ignoredBytes: undoIgnoredKb * 1024, allBytes: undoKeptMb * 1024 * 1024 };
  try {
    return await journal.cover({ command, signal, limits });
  } catch (error) {
    signal.throwIfAborted();
    core.host.log.error(`the workspace could not be looked at before a command: ${messageOf(error)}`);
    return undefined;
  }
}

/** What was never started changed nothing. */
async function ran<T>(run: () => Promise<T>, cover: CommandCover | undefined): Promise<T> {
  try {
    return await run();
  } catch (error) {
    cover?.drop();
    throw error;
  }
}

async function ended(core: Core, cover: CommandCover, others: readonly string[]): Promise<SeenChanges> {
  try {
    return await cover.end(others);
  } catch (error) {
    core.host.log.error(`what a command changed could not be recorded: ${messageOf(error)}`);
    return notSeen();
  }
}

function notSeen(): SeenChanges {
  return {
    changes: [],
    notes: ['What it changed on disk could not be recorded, so an undo will not take it back.'],
  };
}
