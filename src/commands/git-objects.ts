import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Disposable } from '#base/disposable';
import type { GitReader, Repository } from '#host/git';
import { hardenedGit } from './git-hardening';
import { LiveGit } from './git-live';
import { openRepository } from './git-open';

/** Asking for sizes that takes longer isn't worth its answer. */
const PATIENCE_MS = 5000;
/** For objects: some may have to be put together from long chains. */
const PATIENCE_FOR_OBJECTS_MS = 60_000;

/** Where git is, and what it is started with. */
export interface GitPlace {
  /** Absolute path of git, outside the workspace; undefined where there is none. */
  program(): string | undefined;
  /** The environment Belay was started with. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Reads repositories by git itself, which runs nothing that they name, writes nothing and fetches nothing. */
export function gitReader(place: GitPlace): GitReader {
  const live = new LiveGits((program, { worktree, gitFolder, objectFormat }) => {
    const args = [`--git-dir=${gitFolder}`, 'cat-file', '--batch'];
    const idLength = objectFormat === 'sha256' ? 64 : 40;
    return new LiveGit({ program, args, cwd: worktree, env: readOnly(place), idLength });
  });
  return {
    async open(worktree) {
      const program = place.program();
      if (program === undefined) return undefined;
      try {
        return await openRepository({ program, worktree, env: environment(place) });
      } catch {
        // Not a repository to this git, broken, somebody else's: files are kept beforehand then.
        return undefined;
      }
    },
    async sizes(repository, ids) {
      const program = place.program();
      if (ids.length === 0) return new Map();
      if (program === undefined) return sizesIn('', ids);
      const { output, isLate } = await objectSizes(program, repository, { env: readOnly(place), ids });
      return sizesIn(output.toString('latin1'), isLate ? [] : ids);
    },
    async contents(repository, wanted) {
      const program = place.program();
      if (program === undefined || wanted.length === 0) return new Map();
      const ids = wanted.map(({ object }) => object);
      const output = await live.of(program, repository).objects(ids, PATIENCE_FOR_OBJECTS_MS);
      return parsed(output, repository.objectFormat);
    },
    forget(repository) {
      live.end(repository);
    },
    dispose() {
      live.dispose();
    },
  };
}

/** So many repositories have a process that is kept for the next question. */
const MOST_LIVE = 4;

/** The processes that are kept, one a repository; the first started is the first to go. */
class LiveGits implements Disposable {
  readonly #start: (program: string, repository: Repository) => LiveGit;
  readonly #live = new Map<Repository, LiveGit>();

  constructor(start: (program: string, repository: Repository) => LiveGit) {
    this.#start = start;
  }

  /** A repository that was opened anew, since its configuration has changed, gets a new one. */
  of(program: string, repository: Repository): LiveGit {
    const known = this.#live.get(repository);
    if (known) return known;
    const made = this.#start(program, repository);
    this.#live.set(repository, made);
    const [oldest] = this.#live.keys();
    if (this.#live.size > MOST_LIVE && oldest) this.end(oldest);
    return made;
  }

  end(repository: Repository): void {
    this.#live.get(repository)?.dispose();
    this.#live.delete(repository);
  }

  dispose(): void {
    for (const one of this.#live.values()) one.dispose();
    this.#live.clear();
  }
}

function environment({ variables }: GitPlace): Record<string, string> {
  const kept = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'SystemRoot', 'USERPROFILE'];
  const pairs = kept.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]]));
  return { ...Object.fromEntries(pairs), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' };
}

/** For reading objects: nothing is replaced or fetched. */
function readOnly(place: GitPlace): Record<string, string> {
  return { ...environment(place), ...hardenedGit(), ...withoutTransport(), GIT_NO_REPLACE_OBJECTS: '1' };
}

/** Added to what is overruled already. */
function withoutTransport(): Record<string, string> {
  const count = Number(hardenedGit()['GIT_CONFIG_COUNT']);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'protocol.allow',
    [`GIT_CONFIG_VALUE_${count}`]: 'never',
  };
}

/** What `cat-file` prints of them. A process of its own each time: one that is kept would go on answering from a pack that is gone. */
function objectSizes(
  program: string,
  { worktree, gitFolder }: Repository,
  { env, ids }: { readonly env: Record<string, string>; readonly ids: readonly string[] },
): Promise<{ readonly output: Buffer; readonly isLate: boolean }> {
  const args = [`--git-dir=${gitFolder}`, 'cat-file', '--batch-check', '--buffer'];
  const child = spawn(program, args, {
    cwd: worktree,
    env,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  child.on('error', () => undefined);
  // No room for one more process, or for its pipes: then it has none of them.
  if (child.pid === undefined) return Promise.resolve({ output: Buffer.alloc(0), isLate: false });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${ids.join('\n')}\n`);
  return new Promise((resolve) => {
    child.once('close', () => resolve({ output: Buffer.concat(chunks), isLate: child.signalCode !== null }));
  });
}

/** A line that the end of patience cut off says nothing yet. Of the `all` that it says nothing of, git has nothing. */
function sizesIn(output: string, all: readonly string[]): Map<string, number> {
  const sizes = new Map(all.map((id) => [id, 0]));
  for (const line of output.split('\n').slice(0, -1)) {
    const [id = '', type, size] = line.split(' ');
    sizes.set(id, type === 'blob' ? Number(size) : 0);
  }
  return sizes;
}

/** Blobs by id. The id is computed anew over the bytes: that it is the same proves that they are the right ones. */
function parsed(output: Buffer, format: Repository['objectFormat']): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < output.byteLength; ) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined || !/^\d+$/.test(size)) continue;
    const bytes = output.subarray(at, at + Number(size));
    at += Number(size) + 1;
    const isWhole = bytes.byteLength === Number(size);
    if (isWhole && type === 'blob' && idOf(bytes, format) === id) found.set(id, bytes);
  }
  return found;
}

function idOf(bytes: Uint8Array, format: Repository['objectFormat']): string {
  return createHash(format).update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
