import type { RelativePath } from '#protocol/ids';
import type { ToolPorts } from '#tools/tool';
import { ignoredFolder } from './ignored-folder';
import { repositoryAround } from './repository';
import { worktreesBelow } from './worktrees';

/** What lies around the folder in which a search begins, and says what it leaves out. */
export interface Surroundings {
  /** The folder itself is ignored: it was named, so ignore files don't count. */
  readonly insideIgnored: boolean;
  /** Ignore files of the folders above it count: those of its repository, and of the workspace. Nobody else's do. */
  readonly ignoresFromAbove: boolean;
  /** Then `.gitignore` counts as far as the repository reaches; without one it counts as well, since nothing says that it doesn't. */
  readonly inRepository: boolean;
  /** Folders below it that hold another copy of the repository. */
  readonly worktrees: readonly RelativePath[];
}

/** Looks at a few files, and at none of what lies below but git's list of worktrees. */
export async function surroundingsOf(start: RelativePath, ports: ToolPorts): Promise<Surroundings> {
  const repository = await repositoryAround(ports);
  const { isIgnored, hasRules } = await ignoredFolder(start, ports, repository);
  const isOpened = start === '.';
  const countsOwn = !isOpened && (repository !== undefined || hasRules);
  return {
    // Where the opened folder itself is ignored, what it ignores of its own counts all the same.
    insideIgnored: isIgnored && !isOpened,
    ignoresFromAbove: countsOwn || (repository?.isAbove === true && !(isOpened && isIgnored)),
    inRepository: repository !== undefined,
    worktrees: await worktreesBelow(start, repository, ports),
  };
}
