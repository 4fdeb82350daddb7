import ignore from 'ignore';
import { BUILD_FOLDERS } from '#protocol/build-folders';
import type { RelativePath } from '#protocol/ids';
import { atAnyDepth } from '#protocol/settings';
import { absolutePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

/** Folders of what tools make and fetch: skipped even where no ignore file names them. */
const SKIPPED = [...BUILD_FOLDERS, '.svelte-kit', '.parcel-cache'];

/**
 * What no search walks into, as gitignore-style globs for ripgrep. Git's own folder always; build folders unless asked
 * for. Hidden files are searched, and an explicitly named folder is, whatever its name.
 */
export function skippedFolders(includeIgnored: boolean): readonly string[] {
  return includeIgnored ? ['.git'] : ['.git', ...SKIPPED.map((folder) => `${folder}/`)];
}

/** What a search leaves out because it is hidden, or this session may not read it without asking. */
export interface Unreadable {
  /** Patterns that ripgrep can skip at once. */
  readonly globs: readonly string[];
  has(path: RelativePath): boolean;
}

/**
 * The one predicate for files that a search must not show: what is hidden, and what the rules say where the gates hand them in,
 * else the list of likely secrets.
 */
export function unreadable(context: Pick<ToolPorts, 'workspace' | 'settings' | 'mayRead'>): Unreadable {
  const { mayRead } = context;
  const isHidden = hiddenIn(context);
  if (mayRead) return { globs: [], has: (path) => isHidden(path) || !mayRead.call(context, path) };
  const patterns = context.settings.secretFiles.map(atAnyDepth);
  const matcher = ignore().add(patterns);
  return { globs: patterns, has: (path) => isHidden(path) || matcher.ignores(path) };
}

/** Whether a file is kept from the agent, for the length of one search. */
export function hiddenIn({ workspace }: Pick<ToolPorts, 'workspace'>): (path: RelativePath) => boolean {
  const isHidden = workspace.hidden.once();
  return (path) => isHidden(absolutePath(workspace, path));
}
