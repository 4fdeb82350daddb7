import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { BUILD_FOLDERS } from '#protocol/build-folders';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { atAnyDepth } from '#protocol/settings';
import { absolutePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';
import type { Repository } from './repository';

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

/** What ignore files of the workspace say of a folder. */
export interface FolderRules {
  /** They leave out what is inside. An explicitly named folder is searched nevertheless: the search has to switch them off. */
  readonly isIgnored: boolean;
  /** There are such files on the way to it. */
  readonly hasRules: boolean;
}

/**
 * Asks the ignore files on the way: from the workspace folder on or, where that is a folder inside a repository, from the repository's
 * top; and what the repository excludes for this machine alone. In the folder where the way begins none stands above.
 */
export async function ignoredFolder(
  folder: RelativePath,
  ports: Ports,
  repository?: Pick<Repository, 'top' | 'shared'>,
): Promise<FolderRules> {
  const top = repository?.top ?? ports.workspace.root;
  const inside = relative(top, absolutePath(ports.workspace, folder)).split(sep).join('/');
  if (inside === '') return { isIgnored: false, hasRules: false };
  const names = inside.split('/');
  const rules: { readonly base: string; readonly matcher: Ignore }[] = [];
  const excluded = repository?.shared && (await rulesIn([join(repository.shared, 'info', 'exclude')], ports));
  if (excluded) rules.push({ base: '', matcher: excluded });
  for (let depth = 0; depth <= names.length; depth++) {
    const base = names.slice(0, depth).join('/');
    const files = IGNORE_FILES.map((name) => join(top, base, name));
    const matcher = await rulesIn(files, ports);
    if (matcher) rules.push({ base, matcher });
    const within = `${names.slice(0, depth + 1).join('/')}/`;
    if (decide(rules, depth < names.length ? within : `${inside}/${ANY_FILE}`))
      return { isIgnored: true, hasRules: true };
  }
  return { isIgnored: false, hasRules: rules.length > 0 };
}

type Ports = Pick<ToolPorts, 'files' | 'workspace'>;

/** Stands for any file of a folder: `logs/*` ignores it, `*.log` doesn't. */
const ANY_FILE = 'any-file-of-this-folder';
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];
const LARGEST_RULES = 1024 * 1024;

/** Those of all these files together; a later one counts more. Undefined when there is none. */
async function rulesIn(paths: readonly string[], { files }: Ports): Promise<Ignore | undefined> {
  let matcher: Ignore | undefined;
  for (const path of paths) {
    const read = await files.read(path as AbsolutePath, { maxBytes: LARGEST_RULES });
    if (read.ok) matcher = (matcher ?? ignore()).add(new TextDecoder().decode(read.value.bytes));
  }
  return matcher;
}

/** The deepest file that says something about the path decides. */
function decide(
  rules: readonly { readonly base: string; readonly matcher: Ignore }[],
  path: string,
): boolean {
  for (const { base, matcher } of rules.toReversed()) {
    const inside = base === '' ? path : path.slice(base.length + 1);
    if (inside === '') continue;
    const verdict = matcher.test(inside);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
