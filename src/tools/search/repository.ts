import { dirname, join, resolve } from 'node:path';
import type { AbsolutePath } from '#protocol/ids';
import type { ToolPorts } from '#tools/tool';

type Ports = Pick<ToolPorts, 'files' | 'workspace'>;

/** Bytes of a file in which git wrote one path. */
const LONGEST_PATH = 8192;

/** The repository that the workspace belongs to. */
export interface Repository {
  /** Its top folder, absolute. */
  readonly top: string;
  /** The workspace is a folder inside it. */
  readonly isAbove: boolean;
  /** The folder of git's that all its worktrees share; undefined where git's files don't tell. */
  readonly shared: string | undefined;
}

/** Undefined without a repository. What can't be looked at counts as one above: its ignore files are read if they can be. */
export async function repositoryAround({ files, workspace }: Ports): Promise<Repository | undefined> {
  try {
    for (let at: string = workspace.root; ; at = dirname(at)) {
      const git = join(at, '.git');
      const kind = (await files.stat(git as AbsolutePath))?.kind;
      const isAbove = at !== workspace.root;
      if (kind === 'folder') return { top: at, isAbove, shared: git };
      if (kind !== undefined)
        return { top: at, isAbove, shared: kind === 'file' ? await sharedFolderOf(git, files) : undefined };
      if (dirname(at) === at) return undefined;
    }
  } catch {
    return { top: workspace.root, isAbove: true, shared: undefined };
  }
}

/** Where the workspace is itself a linked worktree, or a submodule. */
async function sharedFolderOf(git: string, files: Ports['files']): Promise<string | undefined> {
  const own = await targetOf(git, files);
  if (own === undefined) return undefined;
  const common = await pathIn(join(own, 'commondir'), files);
  if (common === undefined) return own;
  return isNetwork(common) ? undefined : resolve(own, common);
}

/** Where a `.git` that is a file leads. */
export async function targetOf(git: string, files: Ports['files']): Promise<string | undefined> {
  const text = await pathIn(git, files);
  const target = text?.startsWith('gitdir: ') ? text.slice('gitdir: '.length) : undefined;
  return target === undefined || isNetwork(target) ? undefined : resolve(dirname(git), target);
}

/** The one path in a file of git's; it may hold line feeds. */
export async function pathIn(file: string, files: Ports['files']): Promise<string | undefined> {
  const read = await files.read(file as AbsolutePath, { maxBytes: LONGEST_PATH });
  if (!read.ok || read.value.more) return undefined;
  return (
    Buffer.from(read.value.bytes)
      .toString('utf8')
      .replace(/[\r\n]+$/, '') || undefined
  );
}

/** A look at another machine's folder would tell it who looks. */
function isNetwork(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}
