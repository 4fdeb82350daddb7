// First: what is loaded after it calls the disk through it.
import '#test/support/disk-faults';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCheckpoints } from '#checkpoints/checkpoints';
import type { World } from '#checkpoints/world';
import { beforeDiskCalls, systemError } from '#test/support/disk-faults';
import { childWorld, TURN } from './child-world';
import { type Hands, handsOf, SESSION } from './hands';
import { treeOf } from './tree';

// A process of its own: `kill FOLDER STORAGE NTH` dies right before the nth call that changes the disk; `fail CODE` lets one call after
// the other fail with that code and prints what came of it, as JSON.
const [job = '', ...rest] = process.argv.slice(2);

export interface Failure {
  /** Which call failed, and as which of all. */
  readonly call: string;
  readonly nth: number;
  /** What each change came to: "ok" or its error's kind. */
  readonly outcomes: readonly string[];
  readonly tree: Record<string, string>;
  readonly undone: string;
  readonly treeAfterUndo: Record<string, string>;
}

const CHANGES: readonly ((hands: Hands) => Promise<void>)[] = [
  (hands) => hands.edit('a.txt', 'A'.repeat(5000)),
  (hands) => hands.rename('b.txt', 'd/b.txt'),
  (hands) => hands.remove('c.txt'),
  (hands) => hands.create('e/f.txt', 'F'),
];

async function turn(world: World, onChange: (outcome: string) => void): Promise<void> {
  const journal = createCheckpoints(world).open(TURN);
  const hands = handsOf(world, journal);
  for (const change of CHANGES)
    onChange(
      await change(hands).then(
        () => 'ok',
        (error: Error) => error.message,
      ),
    );
  await journal.seal('sealed');
}

async function kill(folder = '', storage = '', nth = ''): Promise<void> {
  const { world, close } = childWorld({ folder, storage });
  let calls = 0;
  beforeDiskCalls((_name, changes) => {
    if (changes && ++calls === Number(nth)) process.kill(process.pid, 'SIGKILL');
    return undefined;
  });
  await turn(world, () => undefined);
  beforeDiskCalls(undefined);
  close();
}

async function fail(code = ''): Promise<void> {
  const failures: Failure[] = [];
  for (let nth = 1; ; nth++) {
    const failure = await failing(code, nth);
    if (failure === undefined) break;
    failures.push(failure);
  }
  console.log(JSON.stringify(failures));
}

/** Undefined when there is no such call any more. */
async function failing(code: string, nth: number): Promise<Failure | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'belay-fault-'));
  const [folder, storage] = [join(root, 'workspace'), join(root, 'storage')];
  for (const path of [folder, storage]) mkdirSync(path);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.txt`), name);
  const { world, close } = childWorld({ folder, storage });
  let calls = 0;
  let failed: string | undefined;
  beforeDiskCalls((name, changes) => {
    // What a full or read-only disk refuses is a change; a broken one fails looks too.
    if ((changes || code === 'EIO') && ++calls === nth) {
      failed = name;
      return systemError(code, name);
    }
    return undefined;
  });
  const outcomes: string[] = [];
  await turn(world, (outcome) => outcomes.push(outcome)).catch((error: Error) =>
    outcomes.push(`seal: ${error.message}`),
  );
  beforeDiskCalls(undefined);
  const tree = treeOf(folder);
  const checkpoints = createCheckpoints(world);
  await checkpoints.recover(SESSION);
  const { outcome } = await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  const treeAfterUndo = treeOf(folder);
  close();
  rmSync(root, { recursive: true });
  return failed === undefined
    ? undefined
    : { call: failed, nth, outcomes, tree, undone: outcome.status, treeAfterUndo };
}

if (job === 'kill') await kill(...rest);
else await fail(...rest);
