import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Checkpoints, createCheckpoints, type Recovery } from '#checkpoints/checkpoints';
import type { World } from '#checkpoints/world';
import { childWorld } from '../child-world';
import { SESSION } from '../hands';
import { lost } from '../prune-lab';
import { treeOf } from '../tree';
import type { Job } from './jobs';

/** A workspace and Belay's storage. */
export interface Place {
  readonly folder: string;
  readonly storage: string;
}

/** How a job of a process ended: killed at the point, or all points passed. */
export type End =
  | { readonly kind: 'killed' }
  | { readonly kind: 'ended'; readonly points: readonly string[] };

/** Places of one test file; `dispose` removes them all. */
export class Places {
  readonly #script: string;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-kill-')));
  #made = 0;

  constructor(script: string) {
    this.#script = script;
  }

  make(): Place {
    const root = join(this.#root, String(++this.#made));
    return { folder: join(root, 'workspace'), storage: join(root, 'storage') };
  }

  /** What is copied is prepared once. */
  copyOf(place: Place): Place {
    const copy = this.make();
    for (const part of ['folder', 'storage'] as const) copyFolder(place[part], copy[part], new Map());
    return copy;
  }

  remove({ folder, storage }: Place): void {
    for (const path of [folder, storage]) rmSync(path, { recursive: true });
  }

  /** `where`: the number of the point at which it is killed, or the name of the one behind which it is. */
  async run({ folder, storage }: Place, job: Job, where: number | string = 0): Promise<End> {
    // What it leaves in a folder for temporary files, when it is killed, goes with the places.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.#root, 'compiled'), TMPDIR: this.#root };
    const child = spawn(process.execPath, [this.#script, folder, storage, job, String(where)], { env });
    const said: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].on('data', (data: Buffer) => {
        said[stream] += data.toString();
      });
    const signal = await new Promise<string | null>((resolve) =>
      child.on('close', (_code, by) => resolve(by)),
    );
    if (signal === 'SIGKILL') return { kind: 'killed' };
    if (said.stderr !== '' || said.stdout === '')
      throw new Error(`${job} ${where}: ${signal} ${said.stderr}`);
    return { kind: 'ended', points: JSON.parse(said.stdout) };
  }

  dispose(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Two names of one file stay that: a rename that was cut off leaves them. */
function copyFolder(from: string, to: string, copies: Map<number, string>): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyFolder(source, target, copies);
      continue;
    }
    if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target);
      continue;
    }
    const { ino, atime, mtime } = statSync(source);
    const known = copies.get(ino);
    if (known !== undefined) linkSync(known, target);
    else {
      copyFileSync(source, target);
      utimesSync(target, atime, mtime);
      copies.set(ino, target);
    }
  }
  chmodSync(to, statSync(from).mode & 0o7777);
}

/** The next start on a place, and what it finds. */
export interface Restarted {
  readonly world: World;
  readonly checkpoints: Checkpoints;
  readonly recovery: Recovery;
  readonly storage: string;
  tree(): Record<string, string>;
  close(): void;
}

export async function restart({ folder, storage }: Place): Promise<Restarted> {
  const { world, close } = childWorld({ folder, storage });
  const checkpoints = createCheckpoints(world);
  const recovery = await checkpoints.recover(SESSION);
  return { world, checkpoints, recovery, storage, tree: () => treeOf(folder), close };
}

/** What the store says that isn't so, and what lies about that nobody will take away; empty when all agrees. */
export async function disagreements({ world, storage, tree }: Restarted): Promise<string[]> {
  const { store } = world;
  const missing = await lost(world, storage);
  return [
    ...(store.checkpoints.hasOpen(SESSION) ? ['a turn is open'] : []),
    ...store.restores.unfinished(SESSION).map(({ kind }) => `an ${kind} is unfinished`),
    ...(store.setAside === undefined ? [] : ['the database was damaged']),
    ...missing.map((hash) => `a content is missing: ${hash}`),
    ...Object.keys(tree()).filter((path) => /\.belay-\d+-/.test(path)),
  ];
}
