import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { World } from '#checkpoints/world';
import { type GitIndex, parseIndex } from '#disk/git/index-file';
import { RuleFiles } from '#disk/git/rule-files';
import { readNow } from '#disk/read-now';
import { look, type ScanEntry } from '#disk/scan-entry';
import type { Scan } from '#disk/scanned';
import type { Repository } from '#host/git';
import { BUILD_FOLDERS } from '#protocol/build-folders';
import { Backing } from './backing';
import { isOwn } from './looked-at';
import { type Held, isSameEntry, type KeepLimits, type Refusal, type Source, type Unknown } from './sources';

/** Says of files where their content comes from, before any of them is read. */
export interface ProvenanceAt {
  /** Undefined: it has to be kept now. */
  of(file: Unknown): Held | undefined;
}

/** Folders, relative to the one that is looked at; with the same key they are the same. */
export interface TrackedFolders {
  has(folder: string): boolean;
  readonly key: string;
}

/** A worktree as one look finds it. */
interface Place {
  /** What has to be put before a path relative to the folder, or taken from it, to be relative to the worktree. */
  relative(path: string): string;
  readonly repository: Repository | undefined;
  readonly index: GitIndex | undefined;
  readonly rules: RuleFiles;
}

/** Larger ones are of repositories in which every look would take long anyway. */
const LARGEST_INDEX = 256 * 1024 * 1024;

/** Knows the repositories of a folder from one look to the next. */
export class Provenance {
  /** Those that known contents would come from. */
  readonly backing: Backing;
  readonly #world: World;
  readonly #opened = new Map<string, Opened>();
  readonly #indexes = new Map<string, { readonly entry: ScanEntry; readonly index: GitIndex | undefined }>();
  #places: ReadonlyMap<string, Place> = new Map();

  constructor(world: World) {
    this.#world = world;
    this.backing = new Backing(world.git, (worktree) => this.#open(worktree));
  }

  /** Looks at the repositories that these files lie in. */
  async at(scan: Scan, files: readonly Unknown[], limits: KeepLimits): Promise<ProvenanceAt> {
    const worktrees = worktreesIn(this.#world.folder, scan);
    const places = new Map<string, Place>();
    const placeOf = (folder: string) => places.get(worktreeOf(folder, worktrees));
    for (const folder of new Set(files.map((file) => file.folder))) {
      const worktree = worktreeOf(folder, worktrees);
      if (!places.has(worktree)) places.set(worktree, await this.#place(worktree));
    }
    this.#places = places;
    return { of: (file) => provenanceOf(file, placeOf(file.folder), limits) };
  }

  /** Build folders by name that are no such thing here, since git has files of them: a project's own `build/`. */
  async trackedBuildFolders(): Promise<TrackedFolders> {
    const { folder } = this.#world;
    const worktree = lstatSync(`${folder}/.git`, { throwIfNoEntry: false }) ? '' : outerOf(folder);
    const { index, relative } = await this.#place(worktree);
    const tracked = index?.foldersNamed(BUILD_FOLDERS);
    return {
      has: (path) => tracked?.has(relative(path)) ?? false,
      key: JSON.stringify([worktree, ...(tracked ?? [])]),
    };
  }

  /** For what a command made: by the rules of before it, so that it can't make them up. */
  refusals(limits: KeepLimits): Refusal {
    const worktrees = [...this.#places.keys()];
    return (path, { bytes }) => {
      const place = this.#places.get(worktreeOf(dirname(path), worktrees));
      if (!place || bytes <= limits.ignoredBytes || place.index?.isTracked(place.relative(path)))
        return undefined;
      return place.rules.isIgnored(place.relative(path)) ? 'ignored' : undefined;
    };
  }

  /** `worktree`: relative to the folder; `..` and the like where the folder lies inside of it. */
  async #place(worktree: string): Promise<Place> {
    const root = absolute(this.#world.folder, worktree);
    const repository = await this.#open(root);
    const index = repository && this.#index(repository);
    const rules = new RuleFiles(root, repository ?? { attributeFiles: [], ignoreFiles: [] });
    const prefix = this.#world.folder.slice(root.length + 1);
    const relative = (path: string) => {
      if (root.length > this.#world.folder.length) return path.slice(worktree.length + 1);
      return prefix === '' ? path : `${prefix}/${path}`;
    };
    return { relative, repository, index, rules };
  }

  /** Asks git anew only when something has changed that it depends on. */
  async #open(root: string): Promise<Repository | undefined> {
    if (!look(`${root}/.git`)) return undefined;
    const known = this.#opened.get(root);
    if (known && known.state === stateOf(known.watched)) return known.repository;
    const found = await this.#world.git?.open(root);
    const repository = isDeepStrictEqual(found, known?.repository) ? known?.repository : found;
    // Of one that no longer opens too: it may be put back.
    const needed = repository?.watched ?? known?.watched ?? [`${root}/.git/config`, `${root}/.git/HEAD`];
    const watched = [...new Set([`${root}/.git`, ...needed])];
    this.#opened.set(root, { repository, watched, state: stateOf(watched) });
    return repository;
  }

  #index(repository: Repository): GitIndex | undefined {
    const path = `${repository.gitFolder}/index`;
    const entry = look(path);
    if (!entry) return undefined;
    const known = this.#indexes.get(path);
    if (known && isSameEntry(known.entry, entry)) return known.index;
    const read = readNow(path, LARGEST_INDEX);
    const options = { objectFormat: repository.objectFormat, writtenMs: entry.mtimeMs };
    const isSame =
      typeof read !== 'string' && read.stats.mtimeMs === entry.mtimeMs && read.stats.ino === entry.inode;
    const index = isSame ? parseIndex(read.bytes, options) : undefined;
    this.#indexes.set(path, { entry, index });
    return index;
  }
}

interface Opened {
  readonly repository: Repository | undefined;
  readonly watched: readonly string[];
  readonly state: string;
}

/** Of a folder only which one it is: git's own change with every commit. */
function stateOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const entry = look(path);
      if (entry?.kind === 'folder') return entry.inode;
      return entry ? `${entry.inode}:${entry.mtimeMs}:${entry.ctimeMs}:${entry.bytes}` : '';
    })
    .join(' ');
}

function provenanceOf(file: Unknown, place: Place | undefined, limits: KeepLimits): Held | undefined {
  const { entry, path } = file;
  const known = (source: Source, isLasting: boolean): Held => ({ source, isLasting });
  if (isOwn(path)) return known({ kind: 'none', why: 'own' }, false);
  if (entry.kind !== 'file' && entry.kind !== 'symlink')
    return known({ kind: 'none', why: 'special' }, false);
  if (!place || entry.kind === 'symlink') return undefined;
  const { index, repository, rules } = place;
  const relative = place.relative(path);
  const object = index?.cleanObject(relative, entry);
  if (object !== undefined && repository && !rules.converts(relative))
    return known({ kind: 'git', repository, object }, true);
  if (entry.bytes <= limits.ignoredBytes || index?.isTracked(relative)) return undefined;
  return rules.isIgnored(relative) ? known({ kind: 'none', why: 'ignored' }, false) : undefined;
}

/** Relative paths of the worktrees that the folder's files lie in: those in it, and the one around it or the folder itself. */
function worktreesIn(folder: string, scan: Scan): readonly string[] {
  const inside = [...scan.folders].flatMap(([path, { names }]) => (names.isRepository ? [path] : []));
  return inside.includes('') ? inside : [...inside, outerOf(folder)];
}

/** `..`, `../..` where a folder above is a worktree; '' where none is. */
function outerOf(folder: string): string {
  let up = '..';
  for (let at = dirname(folder); ; at = dirname(at), up += '/..') {
    if (lstatSync(`${at}/.git`, { throwIfNoEntry: false })) return up;
    if (at === dirname(at)) return '';
  }
}

/** The nearest around that folder. */
function worktreeOf(folder: string, worktrees: readonly string[]): string {
  const around = worktrees.filter(
    (worktree) => worktree !== '' && (folder === worktree || folder.startsWith(`${worktree}/`)),
  );
  const nearest = around.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  return nearest !== '' ? nearest : (worktrees.find((one) => one === '' || one.startsWith('..')) ?? '');
}

function absolute(folder: string, worktree: string): string {
  if (worktree === '') return folder;
  if (!worktree.startsWith('..')) return `${folder}/${worktree}`;
  return worktree.split('/').reduce((at) => dirname(at), folder);
}
