import { join } from 'node:path';
import ignore from 'ignore';
import { atAnyDepth } from '#protocol/settings';
import { type Claim, Claims } from './claims';
import { EmptyFolders, isEmptyFolder } from './empty-folders';
import type { Mount } from './mounts';
import { exists, realPlace } from './paths';

/** Protected names that a command must not bring into being at the workspace's top: the editor or git would run what they say. */
const HELD = '.git .vscode .idea .husky .belay .claude .agents .mcp.json .envrc'.split(' ');

/** What stands in for names that aren't there, and how to take it away again. */
export interface Placeholders {
  readonly mounts: readonly Mount[];
  /** Once. */
  release(): void;
}

interface HeldPlace {
  readonly workspaceRoot: string;
  readonly protectedNames: readonly string[];
  readonly storage: string;
}

/**
 * Empty folders on the host in place of protected names that aren't there, because only what exists can be mounted
 * over. They go with the last command that needs them, unless somebody has put something in meanwhile. Commands share
 * them, also those of other windows; what a crash has left is used by the next command and goes with it.
 */
export function placeholders({ workspaceRoot: root, protectedNames, storage }: HeldPlace): Placeholders {
  const wanted = [...heldNames(protectedNames), ...hooksOf(root)];
  const claims = new Claims(storage, root);
  const absent = () => wanted.filter((name) => !exists(join(root, name)));
  // Asked twice: a name that is there may be another command's placeholder that was made since the first time.
  if (claims.areFree() && absent().length === 0 && claims.areFree()) return NONE;
  const folders = new EmptyFolders(claims.spareFolder);
  const placed = new Set<string>();
  const claim = claims.enter(absent, (name) => {
    if (folders.put(join(root, name))) placed.add(name);
  });
  return {
    mounts: mountsOf(root, claim, placed),
    release: () => claim.leave((name) => folders.take(join(root, name))),
  };
}

/** Takes away what a crash has left in this workspace, unless commands of another window need it. */
export function clearPlaceholders(workspaceRoot: string, storage: string): void {
  const claims = new Claims(storage, workspaceRoot);
  const folders = new EmptyFolders(claims.spareFolder);
  claims.sweep((name) => folders.take(join(workspaceRoot, name)));
}

const NONE: Placeholders = { mounts: [], release: () => undefined };
const NAMES = new Map<string, readonly string[]>();

/** Of the names above those that the user's list protects. */
function heldNames(protectedNames: readonly string[]): readonly string[] {
  const key = protectedNames.join('\n');
  const known = NAMES.get(key);
  if (known) return known;
  const matcher = ignore({ ignorecase: true }).add(protectedNames.map(atAnyDepth));
  const names = HELD.filter((name) => matcher.ignores(name) || matcher.ignores(`${name}/`));
  NAMES.set(key, names);
  return names;
}

/** A repository may have been made without them. */
function hooksOf(root: string): readonly string[] {
  return exists(join(root, '.git', 'HEAD')) ? ['.git/hooks'] : [];
}

/** `placed`: names where one has just been put. */
function mountsOf(root: string, { made }: Claim, placed: ReadonlySet<string>): readonly Mount[] {
  return made.flatMap((name): readonly Mount[] => {
    const path = join(root, name);
    // Where it couldn't be made for want of rights, a command can't make it either.
    if (!placed.has(name) && !isEmptyFolder(path)) return [];
    // The root has no links in it, but a `.git` may be one.
    return [{ kind: 'held', path: name.includes('/') ? (realPlace(path)?.path ?? path) : path }];
  });
}
