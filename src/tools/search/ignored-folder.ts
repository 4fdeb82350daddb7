import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { absolutePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';
import type { Repository } from './repository';

type Ports = Pick<ToolPorts, 'files' | 'workspace'>;

/** Stands for any file of a folder: `logs/*` ignores it, `*.log` doesn't. */
const ANY_FILE = 'any-file-of-this-folder';
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];
const LARGEST_RULES = 1024 * 1024;

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
