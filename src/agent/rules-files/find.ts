import { absolutePath } from '#tools/paths';
import { type Candidate, FOLDERS, fixedCandidates, foldersTo } from './candidates';
import { type Reading, type RulesFile, readRulesFile, type Unusable } from './read';

/** Files in one of the folders that are looked at. */
const MOST_IN_FOLDER = 50;

/** What a look came to. */
export interface FoundRules {
  /** Weak to strong. */
  readonly files: readonly RulesFile[];
  readonly unusable: readonly Unusable[];
  /** Some are for certain files alone, so any other path may bring one more. */
  readonly hangsOnPaths: boolean;
}

/** All rules files that hold for work on these paths, and those that can't be taken. */
export async function findRulesFiles(touched: ReadonlySet<string>, reading: Reading): Promise<FoundRules> {
  const folders = new Set([...touched].flatMap(foldersTo).sort(byDepth));
  const candidates = [...fixedCandidates(folders), ...(await listed(reading))];
  const files: RulesFile[] = [];
  const unusable: Unusable[] = [];
  for (const candidate of candidates) {
    const read = await readRulesFile(candidate, reading);
    if (!read) continue;
    const taken = 'why' in read || !read.conditional ? read : await ifItApplies(read, touched);
    if (!taken) continue;
    if ('why' in taken) unusable.push(taken);
    // CLAUDE.md is often a link to AGENTS.md, or a copy of it.
    else if (!files.some((file) => file.sha256 === taken.sha256)) files.push(taken);
  }
  const hangsOnPaths = candidates.some(({ conditional }) => conditional);
  return {
    files: files.sort((one, other) => depth(one.scope) - depth(other.scope)),
    unusable,
    hangsOnPaths,
  };
}

async function listed({ workspace, files }: Reading): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const { folder, ending } of FOLDERS) {
    const place = absolutePath(workspace, folder);
    // A link to a folder elsewhere isn't followed.
    if ((await files.stat(place))?.kind !== 'folder') continue;
    const names = (await files.list(place))
      .flatMap(({ name, kind }) => (name.endsWith(ending) && kind !== 'folder' ? [name] : []))
      .sort()
      .slice(0, MOST_IN_FOLDER);
    const conditional = folder === '.github/instructions' ? ({ conditional: true } as const) : {};
    for (const name of names) found.push({ path: `${folder}/${name}`, scope: '', ...conditional });
  }
  return found;
}

/** YAML is loaded with the first file that has a head. */
async function ifItApplies(
  file: RulesFile,
  touched: ReadonlySet<string>,
): Promise<RulesFile | Unusable | undefined> {
  const { appliesTo } = await import('#agent/rules-files/apply-to');
  const { body, to, problem } = appliesTo(file.text);
  if (problem !== undefined) return { path: file.path, why: problem };
  const isFor = to !== undefined && [...touched].some(to);
  return isFor && body.trim() !== '' ? { ...file, text: body } : undefined;
}

function depth(scope: string): number {
  return scope === '' ? 0 : scope.split('/').length;
}

function byDepth(one: string, other: string): number {
  return depth(one) - depth(other) || (one < other ? -1 : 1);
}
