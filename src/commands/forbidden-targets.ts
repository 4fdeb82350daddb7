import { posix } from 'node:path';
import { ANY, isKnown, OUTPUT, SOME, SOMETHING, VARIABLE } from './expansion';

/** Where a line would run and what it must never take away. Absolute, without a trailing slash. */
export interface Ground {
  readonly workspaceRoot: string;
  readonly home: string;
}

const SYSTEM = [
  '/etc',
  '/boot',
  '/usr',
  '/proc',
  '/sys',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/System',
  '/Library',
  '/private/etc',
];
/** Their contents are anybody's to clear away. */
const LOOSE = new Set(['/tmp', '/mnt', '/media', '/srv']);
/** Whoever has them speaks to every service of the machine. */
const SERVICES = new Set([
  '/dev',
  '/run',
  '/var',
  '/var/run',
  '/var/lib',
  '/var/lib/docker',
  '/home',
  '/Users',
  '/root',
]);
const HARMLESS_DEVICE =
  /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|stdin|stdout|stderr|(fd|pts|shm|tcp|udp|mqueue)(\/.*)?)$/;

/**
 * Why removing, moving or changing all of `target` is never allowed: it is (or holds) a root, a home, a top-level
 * folder, the workspace root or what lies above it, or a variable that may be empty before a slash. `target` may hold
 * the marks of expansion.ts; undefined when nothing is against it. `cwd` is where the line would be then.
 */
export function wholesale(target: string, cwd: string | undefined, ground: Ground): string | undefined {
  if (target === '') return undefined;
  if (target.startsWith(`${VARIABLE}/`)) {
    return 'a variable that may be empty stands before a `/`; write the folder out';
  }
  if (target.startsWith(OUTPUT)) return emptyOutput(target, ground);
  const path = absolute(target, cwd);
  if (path === undefined) return undefined;
  const { folder, contents } = withoutGlobs(path);
  return contents ? contentsOf(folder, ground) : itself(folder, ground);
}

/** Why nothing is ever written at this path: the system's own folders and devices. */
export function systemWrite(target: string, cwd: string | undefined, ground: Ground): string | undefined {
  const path = absolute(target.replaceAll(ANY, '*').replaceAll(SOME, '*'), cwd);
  if (path === undefined || !isKnown(path.slice(0, 6))) return undefined;
  if (path.startsWith('/dev/') && !HARMLESS_DEVICE.test(path)) return 'it writes to a device';
  if (within(path, ground.workspaceRoot) || /^\/proc\/(self|\d+)\/fd\//.test(path)) return undefined;
  const folder = SYSTEM.find((system) => within(path, system));
  return folder === undefined ? undefined : `it writes under ${folder}`;
}

/** Whether a folder as a whole is the machine, the state of its services, a home, or holds one of these or the workspace. */
export function holdsMachine(path: string, ground: Ground): boolean {
  const folder = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (folder === '/' || SYSTEM.includes(folder) || SERVICES.has(folder) || isHome(folder, ground))
    return true;
  const above = (inner: string) => within(inner, folder) && !same(inner, folder);
  return above(ground.workspaceRoot) || above(ground.home);
}

/** The path that a word names, `..` resolved; undefined when where it starts isn't known. */
export function absolute(target: string, cwd: string | undefined): string | undefined {
  if (target.startsWith('/')) return posix.normalize(target.replace(/^\/+/, '/'));
  if (cwd === undefined || target.startsWith(VARIABLE) || target.startsWith(OUTPUT)) return undefined;
  return posix.join(cwd, target);
}

/** With nothing printed, what follows stands alone. */
function emptyOutput(target: string, ground: Ground): string | undefined {
  const rest = target.slice(OUTPUT.length);
  if (!rest.startsWith('/')) return undefined;
  const { folder, contents } = withoutGlobs(posix.normalize(rest));
  const bad = folder === '/' || SYSTEM.includes(folder) || same(folder, ground.home);
  return bad
    ? `with nothing printed by the substitution it means ${folder}${contents ? '/*' : ''}`
    : undefined;
}

function withoutGlobs(path: string): { readonly folder: string; readonly contents: boolean } {
  const parts = path.split('/').filter((part) => part !== '');
  let contents = false;
  while (parts.length > 0 && matchesAll(parts[parts.length - 1] ?? '')) {
    parts.pop();
    contents = true;
  }
  return { folder: `/${parts.join('/')}`, contents };
}

function matchesAll(part: string): boolean {
  return part.includes(ANY) && /^[.\ue003\ue004]+$/.test(part);
}

function itself(folder: string, ground: Ground): string | undefined {
  if (folder === '/') return 'it takes the whole disk';
  if (same(folder, ground.workspaceRoot)) return 'it takes the whole workspace';
  if (isHome(folder, ground)) return 'it takes a home folder';
  if (within(ground.workspaceRoot, folder)) return `it takes ${folder}, which holds the workspace`;
  if (/^\/[^/]+$/.test(folder) && folder !== `/${SOMETHING}`)
    return `it takes ${shown(folder)}, a top-level folder`;
  return undefined;
}

function contentsOf(folder: string, ground: Ground): string | undefined {
  const home = same(folder, ground.home);
  if (!home && (same(folder, ground.workspaceRoot) || LOOSE.has(folder))) return undefined;
  const why = itself(folder, ground);
  return why === undefined ? undefined : `${why} (all that is in it)`;
}

function isHome(folder: string, ground: Ground): boolean {
  return same(folder, ground.home) || folder === '/root' || /^\/(home|Users)\/[^/]+$/.test(folder);
}

function within(path: string, folder: string): boolean {
  const inner = path.toLowerCase();
  const outer = folder.toLowerCase();
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`);
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function shown(text: string): string {
  return text
    .replaceAll(VARIABLE, '$…')
    .replaceAll(OUTPUT, '$(…)')
    .replaceAll(ANY, '*')
    .replaceAll(SOME, '?')
    .replaceAll(SOMETHING, '…');
}
