import { dirname } from 'node:path';
import { keepOutCommonFolders } from './common-folder';
import { fromHome, hiddenPaths } from './credentials';
import { demandSeen, isUnder } from './hidden-mounts';
import { type Mount, mountOf } from './mounts';
import { isWithin, realPlace } from './paths';
import { placeholders } from './placeholders';
import type { ProtectedNames } from './protected-names';
import { replacedFiles } from './replaced-files';
import type { SandboxRequest } from './sandbox';

/** Hold sockets of agents, buses and daemons, and other programs' files: each command gets empty ones. */
const PRIVATE = ['/tmp', '/var/tmp', '/run'];
/** Parts of /run that programs are found through. */
const KEPT_IN_RUN = ['/run/current-system', '/run/opengl-driver', '/run/booted-system'];

/** What one command sees of the host's disk. */
export interface MountPlan {
  /** The host read-only, and these on top of it. */
  readonly mounts: readonly Mount[];
  /** What of the workspace is masked. */
  readonly masked: readonly string[];
  /** Which held files somebody has replaced since. */
  replaced(): readonly string[];
  /** Once, when the command has ended: takes away what stood in for names that weren't there. */
  release(): void;
}

/** Throws a SandboxRefusal when something in the workspace would make the protection an illusion. */
export async function planMounts(request: SandboxRequest, names: ProtectedNames): Promise<MountPlan> {
  const place = request.workspaceReadOnly ? { mounts: [], release: () => undefined } : placeholders(request);
  try {
    const { guarded, hidden } = await names.look(request, heldAt(request.workspaceRoot, place.mounts));
    demandSeen(request.cwd, hidden);
    const mounts = [
      ...PRIVATE.flatMap((path) => mountOf(path, 'private')),
      ...KEPT_IN_RUN.flatMap((path) => mountOf(path, 'read-only')),
      ...runtimeMounts(),
      ...(request.network ? resolverMounts() : []),
      ...seen([...workspace(request), ...guarded, ...place.mounts], { hidden, caches: request.caches }),
      ...hidden,
      ...hiding(request),
    ];
    const keepOut = request.workspaceReadOnly ? () => undefined : keepOutCommonFolders(mounts);
    return {
      mounts,
      masked: hidden.map(({ path }) => path),
      replaced: replacedFiles([...guarded, ...hidden]),
      release() {
        keepOut();
        place.release();
      },
    };
  } catch (error) {
    place.release();
    throw error;
  }
}

/** What Belay itself runs on: helpers inside run on it too, also where the editor was put into a folder of which commands get an empty one. */
export function runtimeMounts(program = process.execPath): readonly Mount[] {
  if (!PRIVATE.some((folder) => isWithin(program, folder))) return [];
  const folder = dirname(program);
  return mountOf(PRIVATE.includes(folder) ? program : folder, 'read-only');
}

/** Names are resolved by a file that often is a link into /run, where everything else is hidden. */
export function resolverMounts(file = '/etc/resolv.conf'): readonly Mount[] {
  return mountOf(file, 'read-only').filter(({ path }) => PRIVATE.some((folder) => isWithin(path, folder)));
}

function workspace({
  workspaceRoot: root,
  workspaceReadOnly,
  caches,
  home,
  writable,
}: SandboxRequest): readonly Mount[] {
  if (workspaceReadOnly) return [...mountOf(root, 'read-only'), ...mountOf(caches, 'writable')];
  return [root, caches, ...fromHome(home, writable)].flatMap((path) => mountOf(path, 'writable'));
}

/** What stands in for names at the top, by these names. */
function heldAt(root: string, standIns: readonly Mount[]): ReadonlySet<string> {
  return new Set(standIns.map(({ path }) => path.slice(root.length + 1)));
}

/** Without what lies in a folder that the command must not see: it would open that folder again. Only its caches it needs. */
function seen(
  mounts: readonly Mount[],
  { hidden, caches }: { readonly hidden: readonly Mount[]; readonly caches: string },
): readonly Mount[] {
  if (hidden.length === 0) return mounts;
  const needed = realPlace(caches)?.path;
  return mounts.filter(({ path }) => path === needed || !isUnder(path, hidden));
}

/** A hidden path that holds the workspace would take it away as well: it stays, and only what lies beside is hidden. */
function hiding(request: SandboxRequest): readonly Mount[] {
  return [request.storage, ...hiddenPaths(request.home, request.hidden)].flatMap((path) => {
    const found = realPlace(path);
    if (found === undefined || found.path === '/' || found.path === request.workspaceRoot) return [];
    return [
      { kind: found.isFolder ? ('hidden-folder' as const) : ('hidden-file' as const), path: found.path },
    ];
  });
}
