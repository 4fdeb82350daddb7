import { messageOf } from '#base/result';
import { noteCommandChanges } from '#checkpoints/command-notes';
import type { World } from '#checkpoints/world';
import { changesBetween } from '#disk/scan-changes';
import type { FileState } from '#protocol/checkpoint';
import type { CheckpointId, SessionId } from '#protocol/ids';
import { type Covered, judgeAll, type Left } from './judge';
import type { Before, Keeper } from './keeper';
import { listenForOthers, type Others } from './meanwhile';
import { recordFolders } from './record-folders';
import type { KeepLimits } from './sources';
import { coverWords } from './words';

/** A command that is about to run. */
export interface CoveredCommand {
  /** The command line, without secrets. */
  readonly command: string;
  readonly signal: AbortSignal;
  readonly limits: KeepLimits;
}

/** What changed in the folder while a command ran. */
export interface SeenChanges {
  readonly changes: readonly {
    readonly path: string;
    readonly operation: 'create' | 'modify' | 'delete';
  }[];
  /** What wasn't looked at and what can't be undone, for the model and people; empty when all is as it should be. */
  readonly notes: readonly string[];
}

/** A look was taken before the command; call `end` when it has run, or `drop` when it never did. */
export interface CommandCover {
  /** `beside`: commands that ran at the same time in this window. */
  end(beside: readonly string[]): Promise<SeenChanges>;
  drop(): void;
}

interface Turn {
  readonly sessionId: SessionId;
  readonly checkpointId: CheckpointId;
}

/** Looks at the folder and keeps what the command may destroy. Rejects when the signal aborts meanwhile. */
export async function coverCommand(
  world: World,
  keeper: Keeper,
  turn: Turn,
  { command, signal, limits }: CoveredCommand,
): Promise<CommandCover> {
  const { store } = world;
  const also = store.operations.pathsOf(turn.sessionId);
  const others = listenForOthers(world, turn);
  try {
    const before = await keeper.look({ signal, also, limits });
    const run = store.commandRuns.begin(turn.checkpointId, command);
    const running = { turn, command, run, before, others, limits };
    return {
      end: (beside) => end(world, keeper, running, beside).finally(() => others.dispose()),
      drop() {
        others.dispose();
        store.commandRuns.drop(run);
      },
    };
  } catch (error) {
    others.dispose();
    throw error;
  }
}

interface Running {
  readonly turn: Turn;
  readonly command: string;
  readonly run: number;
  readonly before: Before;
  readonly others: Others;
  readonly limits: KeepLimits;
}

async function end(
  world: World,
  keeper: Keeper,
  running: Running,
  beside: readonly string[],
): Promise<SeenChanges> {
  const { before, others, limits } = running;
  const after = await keeper.lookAfter(before);
  const seen = changesBetween(before.scan, after);
  const builds = (await before.builds.changes(after)).map((change): Left => ({ change, why: 'build' }));
  const isMeanwhile = others.since(beside);
  const refusal = keeper.refusals(limits);
  const judgement = await judgeAll(world, before, seen.changes, { isMeanwhile, refusal });
  const left = [...judgement.left, ...builds];
  await record(world, running, {
    covered: judgement.covered,
    left,
    folders: beside.length > 0 ? undefined : { before: before.scan, after, seen },
  });
  const changes = [...judgement.covered, ...left]
    .map(({ change: { path, operation } }) => ({ path, operation }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { changes, notes: coverWords(seen, left) };
}

interface Outcome {
  readonly covered: readonly Covered[];
  readonly left: readonly Left[];
  /** Undefined where it isn't known whose they are. */
  readonly folders: Parameters<typeof recordFolders>[2] | undefined;
}

/** Rows in one transaction; then what they need of old contents is waited for. */
async function record(world: World, { turn, command, run }: Running, outcome: Outcome): Promise<void> {
  const { store } = world;
  const { checkpointId } = turn;
  await noteCommandChanges(
    world,
    checkpointId,
    outcome.left.map(({ change: { path, operation }, why }) => ({ path, operation, command, why })),
  );
  store.transaction(() => {
    if (outcome.folders) recordFolders(store, checkpointId, outcome.folders);
    for (const { change, before, after, lines } of outcome.covered) {
      const { path, operation: kind } = change;
      store.operations.addOfCommand({ checkpointId, kind, path, before, after, command, ...lines });
    }
    store.commandRuns.end(run);
  });
  await makeDurable(
    world,
    outcome.covered.map(({ before }) => before),
  );
}

/** Blobs that are waited for at the same time. */
const SIDE_BY_SIDE = 16;

async function makeDurable({ blobs, log }: World, states: readonly FileState[]): Promise<void> {
  const hashes = states.flatMap((state) => (state.kind === 'file' ? [state.sha256] : []));
  try {
    for (let at = 0; at < hashes.length; at += SIDE_BY_SIDE)
      await Promise.all(hashes.slice(at, at + SIDE_BY_SIDE).map((hash) => blobs.sync(hash)));
  } catch (error) {
    log.warn(`covering: what a command destroyed may not outlast a power cut: ${messageOf(error)}`);
  }
}
