import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Repository } from '#host/git';
import { runProgram } from './program';

/** A question about a repository that takes longer isn't worth its answer. */
const PATIENCE_MS = 5000;

/** A worktree to be opened, by which git and in which environment. */
export interface Asked {
  readonly program: string;
  readonly worktree: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined where contents can't be trusted to be as they are on the disk; rejects where git opens nothing, or not in time. */
export async function openRepository(asked: Asked): Promise<Repository | undefined> {
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
  const from = (path: string) => (isAbsolute(path) ? path : join(asked.worktree, path));
  const commonFolder = from(common);
  const values = configOf(await ask(asked, ['config', '--list', '-z', '--show-origin']));
  const { worktree, env } = asked;
  // Objects may be elsewhere, or line ends differ on the disk.
  if (values.has('extensions.partialclone') || values.has('core.eol')) return undefined;
  if (/^(true|input|yes|on|1)$/i.test(values.get('core.autocrlf') ?? '')) return undefined;
  const home = env['HOME'] ?? '';
  const own = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git');
  const named = (key: string, usual: string) => fromHome(values.get(key), home) ?? usual;
  const objectFolders = await objectFoldersOf(asked, join(commonFolder, 'objects'));
  const watched = [
    ...[...values.origins].map(from),
    // Without these it is no repository to git.
    ...[gitFolder, join(gitFolder, 'HEAD'), join(gitFolder, 'commondir'), join(commonFolder, 'refs')],
    ...objectFolders,
    ...objectFolders.map(alternatesOf),
  ];
  return {
    worktree,
    gitFolder,
    objectFolders,
    watched,
    objectFormat: format,
    attributeFiles: [
      '/etc/gitattributes',
      named('core.attributesfile', join(own, 'attributes')),
      join(commonFolder, 'info', 'attributes'),
    ],
    ignoreFiles: [named('core.excludesfile', join(own, 'ignore')), join(commonFolder, 'info', 'exclude')],
  };
}

/** Where the other folders are named that one borrows objects from. */
function alternatesOf(objectFolder: string): string {
  return join(objectFolder, 'info', 'alternates');
}

/** Git itself follows the names, from one folder to the next; that counts all objects, so it is asked only where there are any. */
async function objectFoldersOf(asked: Asked, own: string): Promise<readonly string[]> {
  if (!lstatSync(alternatesOf(own), { throwIfNoEntry: false })) return [own];
  const counted = await ask(asked, ['count-objects', '-v']);
  const borrowed = [...counted.matchAll(/^alternate: (.*)$/gm)].map(([, path = '']) => path);
  if (!borrowed.every(isAbsolute)) throw new Error('a name that git has to quote');
  return [own, ...borrowed];
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
