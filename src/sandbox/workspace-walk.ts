import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Ignore } from 'ignore';
import { IGNORE_FILE, IgnoreFiles, stampOf } from '#disk/ignore-files';
import type { IgnoreRules } from '#disk/ignore-rules';
import { realPlace } from './paths';

/** Entries looked at in one walk; breadth first, so what is left out lies deepest. */
const MOST_ENTRIES = 50_000;
/** Where something is hidden, nothing may be left out: beyond this many the walk isn't whole. */
const MOST_WITH_HIDDEN = 300_000;
/** Nobody waits longer for a command to begin; patterns and folders can be made to be slow. */
const MOST_MS = 30_000;
/** After so many milliseconds others get their turn. */
const AT_ONCE_MS = 10;
/** Installed code: thousands of folders, none of which the editor opens. */
const SKIPPED = new Set(['node_modules', '.venv', 'venv', '__pycache__', '.tox', 'bower_components']);

/** Whether a rule keeps that absolute path from being read. The same function as long as the rules are the same. */
export type DeniedReads = (path: string, isFolder: boolean) => boolean;

/** What a look at the workspace found; paths are relative to its root. */
export interface Found {
  readonly gits: readonly string[];
  readonly guarded: readonly string[];
  readonly hidden: readonly string[];
  /** A `.belayignore` that hides something was met, or rules deny reading. */
  readonly hides: boolean;
  /** Nothing was left out but what is skipped by its name. */
  readonly whole: boolean;
}

/** The `.belayignore` files that speak of what lies in a folder, the nearest first. */
interface Speaking {
  readonly rules: IgnoreRules;
  /** Where the file lies; '' for the root. */
  readonly folder: string;
  readonly above: Speaking | undefined;
}

/** One folder as it was judged; it stands while nothing that it depends on has changed. */
interface Judged extends Pick<Found, 'gits' | 'guarded' | 'hidden'> {
  readonly stamp: string | undefined;
  readonly denied: DeniedReads | undefined;
  readonly above: Speaking | undefined;
  readonly speaking: Speaking | undefined;
  readonly hasFile: boolean;
  readonly isHeld: boolean;
  readonly folders: readonly string[];
  /** Protected as a whole: of what is in them only what must not be seen matters. */
  readonly held: readonly string[];
  readonly entries: number;
}

/** A folder to look at. */
interface Waiting {
  readonly folder: string;
  readonly above: Speaking | undefined;
  /** It is protected already, or lies in what is. */
  readonly isHeld: boolean;
}

/**
 * Looks through a workspace for git folders, protected names and what commands must not see. A folder that hasn't changed
 * since the last walk isn't read again, so that repeating a walk costs a look at each folder.
 */
export class WorkspaceWalk {
  readonly #root: string;
  readonly #guarded: Ignore;
  readonly #files = new IgnoreFiles();
  #known: ReadonlyMap<string, Judged> = new Map();

  constructor(root: string, guarded: Ignore) {
    this.#root = root;
    this.#guarded = guarded;
  }

  /** Whether the root's own `.belayignore` hides anything now. */
  hidesAtTop(): boolean {
    return this.#files.of(this.#root) !== undefined;
  }

  /** The root's own entries alone, read anew. */
  top(): Found {
    const { gits, guarded, hidden } = this.#judge(ROOT, { denied: undefined });
    return { gits, guarded, hidden, hides: false, whole: false };
  }

  /** Everything, level by level; what is protected as a whole comes last, so that it takes nothing from the rest. */
  async all(denied: DeniedReads | undefined): Promise<Found> {
    const known = this.#known;
    const judged = new Map<string, Judged>();
    const queue: Waiting[] = [ROOT];
    const later: Waiting[] = [];
    const end = performance.now() + MOST_MS;
    let hides = denied !== undefined;
    let seen = 0;
    let turn = performance.now() + AT_ONCE_MS;
    for (let at = 0; at < queue.length; at++) {
      const waiting = queue[at] ?? ROOT;
      const one = this.#judge(waiting, { denied, known: known.get(waiting.folder) });
      judged.set(waiting.folder, one);
      const { speaking: above, isHeld } = one;
      for (const folder of one.folders) queue.push({ folder, above, isHeld });
      for (const folder of one.held) later.push({ folder, above, isHeld: true });
      if (at === queue.length - 1) queue.push(...later.splice(0));
      hides ||= one.speaking !== undefined;
      seen += one.entries;
      if (seen >= (hides ? MOST_WITH_HIDDEN : MOST_ENTRIES)) break;
      if (performance.now() < turn) continue;
      if (hides && performance.now() > end) break;
      await setImmediate();
      turn = performance.now() + AT_ONCE_MS;
    }
    this.#known = judged;
    const each = [...judged.values()];
    return {
      gits: each.flatMap(({ gits }) => gits),
      guarded: each.flatMap(({ guarded }) => guarded),
      hidden: each.flatMap(({ hidden }) => hidden),
      hides,
      whole: judged.size === queue.length + later.length,
    };
  }

  #judge(
    { folder, above, isHeld }: Waiting,
    { denied, known }: { readonly denied: DeniedReads | undefined; readonly known?: Judged | undefined },
  ): Judged {
    const path = folder === '' ? this.#root : `${this.#root}/${folder}`;
    const stamp = folderStamp(path);
    const isSame = known?.isHeld === isHeld && known.denied === denied;
    if (known && isSame && stamp !== undefined && known.stamp === stamp) {
      const rules = known.hasFile ? this.#files.of(path) : undefined;
      if (known.above === above && speakingIn(folder, rules, { above, known }) === known.speaking)
        return known;
    }
    const entries = namesIn(path);
    const hasFile = entries.some(({ name }) => name === IGNORE_FILE);
    const speaking = speakingIn(folder, hasFile ? this.#files.of(path) : undefined, { above, known });
    const parts = this.#sorted(entries, { folder, speaking, denied, isHeld });
    return { ...parts, stamp, denied, above, speaking, hasFile, isHeld, entries: entries.length };
  }

  #sorted(
    entries: readonly Dirent[],
    { folder, speaking, denied, isHeld }: Pick<Judged, 'speaking' | 'denied' | 'isHeld'> & { folder: string },
  ): Pick<Judged, 'gits' | 'guarded' | 'hidden' | 'folders' | 'held'> {
    const parts = { gits: [], guarded: [], hidden: [], folders: [], held: [] } as Record<
      'gits' | 'guarded' | 'hidden' | 'folders' | 'held',
      string[]
    >;
    const isOut = (inner: string, asFolder: boolean) =>
      isHidden(speaking, asFolder ? `${inner}/` : inner) || denied?.(`${this.#root}/${inner}`, asFolder);
    for (const entry of entries) {
      const inner = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      const isEntered = isFolder && !SKIPPED.has(entry.name);
      if (isOut(inner, isFolder)) parts.hidden.push(inner);
      // A name for folders counts for a link to one: what is asked for by that name lies there.
      else if (entry.isSymbolicLink() && isOut(inner, true) && this.#leadsToFolder(inner))
        parts.hidden.push(inner);
      else if (entry.name === '.git' && !isHeld) parts.gits.push(inner);
      else if (!isHeld && this.#guarded.ignores(isFolder ? `${inner}/` : inner)) {
        parts.guarded.push(inner);
        if (isEntered) parts.held.push(inner);
      } else if (isEntered && entry.name !== '.git') parts.folders.push(inner);
    }
    return parts;
  }

  #leadsToFolder(inner: string): boolean {
    return realPlace(`${this.#root}/${inner}`)?.isFolder ?? false;
  }
}

const ROOT: Waiting = { folder: '', above: undefined, isHeld: false };

/** The same object as before where nothing has changed, so that what depends on it stands. */
function speakingIn(
  folder: string,
  rules: IgnoreRules | undefined,
  { above, known }: { readonly above: Speaking | undefined; readonly known: Judged | undefined },
): Speaking | undefined {
  if (rules === undefined) return above;
  const before = known?.speaking;
  if (before?.rules === rules && before.above === above && before.folder === folder) return before;
  return { rules, folder, above };
}

function isHidden(speaking: Speaking | undefined, path: string): boolean {
  for (let each = speaking; each !== undefined; each = each.above) {
    const below = each.folder === '' ? path : path.slice(each.folder.length + 1);
    if (each.rules.hides(below)) return true;
  }
  return false;
}

function folderStamp(path: string): string | undefined {
  try {
    const stat: BigIntStats | undefined = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat && stampOf(stat);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
