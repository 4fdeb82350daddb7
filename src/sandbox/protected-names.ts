import ignore from 'ignore';
import { atAnyDepth } from '#protocol/settings';
import { gitMounts } from './git-mounts';
import { demandNoSecondNames } from './hard-links';
import { hiddenMounts } from './hidden-mounts';
import type { Mount } from './mounts';
import { isWithin, realPlace } from './paths';
import type { SandboxRequest } from './sandbox';
import { type DeniedReads, type Found, WorkspaceWalk } from './workspace-walk';

/** Where nothing is hidden, the deep walk is repeated when it is older than this: a command doesn't wait for it every time. */
const FRESH_MS = 10_000;

const NOTHING: ReadonlySet<string> = new Set();

/** What a workspace's walk is for. */
export type HeldWorkspace = Pick<
  SandboxRequest,
  'workspaceRoot' | 'protectedNames' | 'deniedReads' | 'workspaceReadOnly'
>;

/** What must be held in a workspace for one command. */
export interface HeldNames {
  /** Git's own and the protected names that exist, at any depth. None where the workspace is read-only anyway. */
  readonly guarded: readonly Mount[];
  /** What the command must not see. */
  readonly hidden: readonly Mount[];
}

interface Look {
  readonly at: number;
  readonly found: Promise<Found>;
  /** Of what was found; made when it is first wanted. */
  guarded?: readonly Mount[];
}

/** A search for second names, and of what. */
interface LinkLook {
  readonly at: number;
  readonly mounts: string;
  readonly looked: Promise<void>;
}

interface Known {
  readonly root: string;
  readonly walk: WorkspaceWalk;
  last?: Look;
  links?: LinkLook;
}

/** Finds what must stay read-only in a workspace and what must not be seen there. */
export class ProtectedNames {
  readonly #known = new Map<string, Known>();

  /**
   * Where something is hidden, the whole workspace is looked at anew. Else its top is, and deeper levels may be some
   * seconds old. Rejects with a SandboxRefusal when a protected or hidden file can be reached by another name, or not all
   * that is hidden can be masked. `held`: what is known to stand in for names at the top.
   */
  async look(place: HeldWorkspace, held: ReadonlySet<string> = NOTHING): Promise<HeldNames> {
    const known = this.#of(place);
    const { deniedReads: denied, workspaceReadOnly } = place;
    const last = known.last;
    const isFirst = last === undefined;
    const mayHide = denied !== undefined || known.walk.hidesAtTop() || (last && (await last.found).hides);
    const found = await (last === undefined || mayHide ? walk(known, denied) : last).found;
    if (!found.hides) return workspaceReadOnly ? NONE : this.#guarded(known, held, isFirst);
    const names = {
      guarded: workspaceReadOnly ? [] : guardedMounts(known.root, found, held),
      hidden: hiddenMounts(known.root, found),
    };
    await noSecondNames(known, [...names.guarded, ...names.hidden]);
    return names;
  }

  /** Where nothing is hidden. */
  async #guarded(known: Known, held: ReadonlySet<string>, isFirst: boolean): Promise<HeldNames> {
    const last = known.last ?? walk(known, undefined);
    if (performance.now() - last.at > FRESH_MS) walk(known, undefined).found.catch(() => undefined);
    const found = await last.found;
    last.guarded ??= guardedMounts(known.root, found);
    const deep = last.guarded;
    await noSecondNames(known, deep);
    if (isFirst) return { guarded: deep, hidden: [] };
    // At once: a command waits for it, and a trip through the thread pool would cost more than the look.
    const top = guardedMounts(known.root, known.walk.top(), held);
    // A name that is gone since the walk would stop the launcher: there is nothing to mount.
    return {
      guarded: [...top, ...deep.filter((mount) => realPlace(mount.path)?.path === mount.path)],
      hidden: [],
    };
  }

  #of({ workspaceRoot: root, protectedNames }: HeldWorkspace): Known {
    const key = JSON.stringify([root, protectedNames]);
    const known = this.#known.get(key) ?? {
      root,
      walk: new WorkspaceWalk(root, ignore({ ignorecase: true }).add(protectedNames.map(atAnyDepth))),
    };
    this.#known.set(key, known);
    return known;
  }
}

const NONE: HeldNames = { guarded: [], hidden: [] };

function walk(known: Known, denied: DeniedReads | undefined): Look {
  const look: Look = { at: performance.now(), found: known.walk.all(denied) };
  known.last = look;
  return look;
}

function guardedMounts(
  root: string,
  { gits, guarded }: Found,
  held: ReadonlySet<string> = NOTHING,
): readonly Mount[] {
  return [
    ...gits.filter((name) => !held.has(name)).flatMap((name) => gitMounts(`${root}/${name}`)),
    ...guarded.filter((name) => !held.has(name)).flatMap((name) => readOnly(`${root}/${name}`, root)),
  ];
}

/** Where a symlink leads out of the workspace everything is read-only anyway. */
function readOnly(path: string, root: string): readonly Mount[] {
  const place = realPlace(path);
  return place && isWithin(place.path, root) ? [{ kind: 'read-only', path: place.path }] : [];
}

/** Commands wait for the search when there is something new to search for; else it is renewed beside them. */
async function noSecondNames(known: Known, mounts: readonly Mount[]): Promise<void> {
  const names = mounts.map(({ kind, path }) => `${kind} ${path}`).join('\n');
  const last = known.links;
  if (last?.mounts !== names) return lookForLinks(known, mounts, names).looked;
  if (performance.now() - last.at > FRESH_MS) lookForLinks(known, mounts, names);
  // A refusal is looked into once more: the second name may have been removed since.
  await last.looked.catch(() => lookForLinks(known, mounts, names).looked);
}

function lookForLinks(known: Known, mounts: readonly Mount[], names: string): LinkLook {
  const look = { at: performance.now(), mounts: names, looked: demandNoSecondNames(known.root, mounts) };
  // Who waits for it is told; a look that nobody waits for must not end the process.
  look.looked.catch(() => undefined);
  known.links = look;
  return look;
}
