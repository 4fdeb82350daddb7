import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { Disposable } from '#base/disposable';
import type { GitReader, Repository } from '#host/git';
import { hardenedGit } from './git-hardening';
import { LiveGit } from './git-live';
import { runProgram } from './program';

/** A question about a repository that takes longer isn't worth its answer. */
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
        return await open({ program, worktree, env: environment(place) });
      } catch {
        // Not a repository to this git, broken, somebody else's: files are kept beforehand then.
        return undefined;
      }
    },
    async sizes(repository, ids) {
      const program = place.program();
      if (program === undefined || ids.length === 0) return new Map();
      const output = await objectSizes(program, repository, { env: readOnly(place), ids });
      return sizesIn(output.toString('latin1'));
    },
    async contents(repository, wanted) {
      const program = place.program();
      if (program === undefined || wanted.length === 0) return new Map();
      const ids = wanted.map(({ object }) => object);
      const output = await live.of(program, repository).objects(ids, PATIENCE_FOR_OBJECTS_MS);
      return parsed(output, repository.objectFormat);
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
    if (this.#live.size > MOST_LIVE && oldest) {
      this.#live.get(oldest)?.dispose();
      this.#live.delete(oldest);
    }
    return made;
  }

  dispose(): void {
    for (const one of this.#live.values()) one.dispose();
    this.#live.clear();
  }
}

interface Asked {
  readonly program: string;
  readonly worktree: string;
  readonly env: Readonly<Record<string, string>>;
}

async function open(asked: Asked): Promise<Repository | undefined> {
  const args = [
    'rev-parse',
    '--absolute-git-dir',
    '--git-common-dir',
    '--show-toplevel',
    '--show-object-format',
  ];
  const [gitFolder = '', common = '', top = '', format = ''] = (await ask(asked, args)).trimEnd().split('\n');
  // A path with a line feed in it comes apart here, and isn't used.
  if (top !== asked.worktree || (format !== 'sha1' && format !== 'sha256')) return undefined;
  const commonFolder = isAbsolute(common) ? common : join(asked.worktree, common);
  const values = configOf(await ask(asked, ['config', '--list', '-z', '--show-origin']));
  const { worktree, env } = asked;
  // Objects may be elsewhere, or line ends differ on the disk.
  if (values.has('extensions.partialclone') || values.has('core.eol')) return undefined;
  if (/^(true|input|yes|on|1)$/i.test(values.get('core.autocrlf') ?? '')) return undefined;
  const home = env['HOME'] ?? '';
  const own = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git');
  const named = (key: string, usual: string) => fromHome(values.get(key), home) ?? usual;
  return {
    worktree,
    gitFolder,
    configFiles: [...values.origins].map((file) => (isAbsolute(file) ? file : join(worktree, file))),
    objectFormat: format,
    attributeFiles: [
      '/etc/gitattributes',
      named('core.attributesfile', join(own, 'attributes')),
      join(commonFolder, 'info', 'attributes'),
    ],
    ignoreFiles: [named('core.excludesfile', join(own, 'ignore')), join(commonFolder, 'info', 'exclude')],
  };
}

async function ask({ program, worktree, env }: Asked, args: readonly string[]): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const outcome = await runProgram({ file: program, args, cwd: worktree, env, signal });
  if (outcome.exitCode !== 0) throw new Error(outcome.stderr);
  return outcome.stdout;
}

/** The last value of each key, and the files they are in. */
function configOf(listed: string): Map<string, string> & { readonly origins: ReadonlySet<string> } {
  const origins = new Set<string>();
  const values = Object.assign(new Map<string, string>(), { origins });
  const parts = listed.split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [origin = '', pair = ''] = [parts[at], parts[at + 1]];
    if (origin.startsWith('file:')) origins.add(origin.slice('file:'.length));
    const end = pair.indexOf('\n');
    // A key alone is a yes.
    values.set(end < 0 ? pair : pair.slice(0, end), end < 0 ? 'true' : pair.slice(end + 1));
  }
  return values;
}

function fromHome(path: string | undefined, home: string): string | undefined {
  return path?.startsWith('~/') ? join(home, path.slice(2)) : path;
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

/** What `cat-file` prints of them; as much as it got to, when it fails on the way. */
function objectSizes(
  program: string,
  { worktree, gitFolder }: Repository,
  { env, ids }: { readonly env: Record<string, string>; readonly ids: readonly string[] },
): Promise<Buffer> {
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
  // No room for one more process, or for its pipes: then it has none.
  if (child.pid === undefined) return Promise.resolve(Buffer.alloc(0));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${ids.join('\n')}\n`);
  return new Promise((resolve) => {
    child.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** A line that the end of patience cut off says nothing yet. */
function sizesIn(output: string): Map<string, number> {
  const lines = output.split('\n').slice(0, -1);
  return new Map(
    lines.map((line) => {
      const [id = '', type, size] = line.split(' ');
      return [id, type === 'blob' ? Number(size) : 0];
    }),
  );
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
