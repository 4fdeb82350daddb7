import { join, relative, resolve } from 'node:path';
import { t } from '#base/l10n';
import type { Reads } from '#commands/classes/command-class';
import { type ClassifiedCommand, classifyCommand } from '#commands/classify';
import type { Understanding } from '#commands/shell-words';
import type { Standing } from '#gates/circumstances';
import { realPlaces } from '#gates/real-places';
import { expandWhole } from '#gates/rules/expand-glob';
import { relativeTo, slashed } from '#gates/rules/path-pattern';
import type { AbsolutePath } from '#protocol/ids';
import type { ToolPorts } from '#tools/tool';
import { foldersOf } from './folders';
import { filesOf, isHarmlessRepository, repositoryOf } from './git-repository';
import { guardingRules, hasGuardedFiles, isGuarded } from './guarded-files';

/** Which simple commands of a line nobody needs to be asked about. */
export interface FreeCommands {
  /** Why, in the order of the line's simple commands with words; undefined where one isn't free. */
  readonly why: readonly (string | undefined)[];
  /** The whole line only reads, so that it may be held to that. */
  readonly readsOnly: boolean;
}

export interface FreePlace {
  /** Where the line starts. */
  readonly start: AbsolutePath;
  readonly ports: ToolPorts;
  readonly standing: Standing;
  /** What only reads may go unasked: the setting, a sandbox, no network. Else only `cd` is free. */
  readonly reading: boolean;
}

/**
 * Finds the commands that surely only read files of the workspace, none of them secret or protected, and those that only go to
 * another of its folders. git is free only where the whole line only reads: then it is called in a way that overrules its
 * repository's configuration.
 */
export async function freeCommands(
  reading: Understanding,
  simple: readonly ClassifiedCommand[],
  place: FreePlace,
): Promise<FreeCommands> {
  const none = { why: simple.map(() => undefined), readsOnly: false };
  const isLined = reading.shape === 'command' || reading.shape === 'list';
  const known = new Map(simple.map((each) => [each.command, each]));
  // Redirects of a block stand without words and count too.
  const all = reading.commands.map((command) => known.get(command) ?? classifyCommand(command));
  if (!reading.understood || !isLined || !all.some(({ reads }) => reads !== undefined)) return none;
  const folders = foldersOf(reading, all, place.start);
  if (folders === undefined) return none;
  const free = new Map<ClassifiedCommand, boolean>();
  for (const each of all) free.set(each, await isFree(each, folders(each), place));
  if (all.some((each) => each.words.length === 0 && !isHarmlessBlock(each, free.get(each)))) return none;
  const readsOnly = place.reading && all.every((each) => free.get(each));
  const why = simple.map((each) => {
    if (!free.get(each) || (each.reads?.hardened && !readsOnly)) return undefined;
    return each.reads?.moves ? t('it only goes to another folder') : t('it only reads');
  });
  return { why, readsOnly };
}

/** A block's redirects; a bare assignment changes what later names mean. */
function isHarmlessBlock({ reads, class: own }: ClassifiedCommand, isFree: boolean | undefined): boolean {
  return reads === undefined ? own === 'workspace-write' : isFree === true;
}

async function isFree(
  { reads }: ClassifiedCommand,
  folders: readonly AbsolutePath[],
  place: FreePlace,
): Promise<boolean> {
  if (reads === undefined || !(place.reading || reads.moves)) return false;
  for (const folder of folders) {
    for (const path of reads.paths) if (!(await isOpenPath(folder, path, reads, place))) return false;
    if (reads.hardened && !(await isOpenRepository(folder, reads, place))) return false;
  }
  return true;
}

/** It runs nothing of its own there, and shows no file that is kept from reading. */
async function isOpenRepository(
  folder: AbsolutePath,
  { prints }: Reads,
  { ports: { files }, standing }: FreePlace,
): Promise<boolean> {
  const repository = await repositoryOf(folder, files);
  if (repository === undefined) return true;
  if (repository === 'unclear' || !(await isHarmlessRepository(repository, files))) return false;
  if (prints === undefined) return true;
  const tracked = await filesOf(repository, files);
  const rules = guardingRules(standing);
  const isHidden = standing.hidden.once();
  const under = prints.under?.map((path) => resolve(folder, path));
  return (
    tracked?.every((name) => {
      const path = join(repository.top, name) as AbsolutePath;
      if (under?.every((each) => relativeTo(each, path) === undefined)) return true;
      return !isHidden(path) && !isGuarded(path, rules, standing);
    }) ?? false
  );
}

/** Inside the workspace by name and in truth, and nothing that is kept from reading. */
async function isOpenPath(
  folder: AbsolutePath,
  { text, glob, deep, follows = false }: Reads['paths'][number],
  { moves }: Reads,
  { ports, standing }: FreePlace,
): Promise<boolean> {
  const path = resolve(folder, text) as AbsolutePath;
  const root = slashed(ports.workspace.root);
  if (!moves && (await climbsFromLink(folder, text, ports.files))) return false;
  const matches = glob ? await expandWhole(path, ports.files) : [];
  if (matches === undefined) return false;
  // A name that begins like a flag would be read as one, also a folder's before what is in it.
  if (/^[*?[]/.test(text) && matches.some((match) => relative(folder, match).startsWith('-'))) return false;
  for (const each of [path, ...matches]) {
    const { places } = await realPlaces(each, ports);
    if (places.some((at) => relativeTo(root, slashed(at)) === undefined)) return false;
    if (moves) continue;
    if (places.some((at) => standing.builtIns.secret(at) !== undefined || IN_GIT.test(slashed(at))))
      return false;
    if (deep && (await hasGuardedFiles(each, ports.files, { standing, follows }))) return false;
  }
  return true;
}

/** Addresses in a repository's own files may hold tokens. */
const IN_GIT = /(^|\/)\.git(\/|$)/i;

/** `link/../x` isn't `x`: a program goes up from where the link leads. `cd` doesn't, it only takes letters away. */
async function climbsFromLink(
  folder: AbsolutePath,
  text: string,
  files: ToolPorts['files'],
): Promise<boolean> {
  const parts = text.split('/');
  if (text.startsWith('/') && !parts.includes('..')) return false;
  let at: string = text.startsWith('/') ? '/' : folder;
  for (const part of parts) {
    if (part === '..') {
      const real = await files.realPath(at).catch(() => undefined);
      if (real !== undefined && real !== at) return true;
    }
    at = join(at, part);
  }
  return false;
}
