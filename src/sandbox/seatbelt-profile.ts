import { fromHome, hiddenPaths } from './credentials';
import { inOrder, type Mount, pinned } from './mounts';
import { isWithin, realPlace } from './paths';
import type { SandboxRequest } from './sandbox';

/** A profile of macOS's sandbox language and the paths it names as parameters, so that no path is ever part of its text. */
export interface SeatbeltProfile {
  readonly profile: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What programs need to run at all: processes of their own, what the system tells everybody, the usual devices. */
const BASE = [
  '(version 1)',
  '(deny default)',
  '(allow process-exec process-fork)',
  '(allow signal process-info* (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow ipc-posix-sem ipc-posix-shm*)',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
  '(allow file-read*)',
  '(allow file-ioctl file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
  '(allow file-write-data (regex #"^/dev/fd/"))',
  '(allow pseudo-tty)',
  '(allow file-ioctl file-write-data (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))',
];

/** Without it not even this machine is reached; with it all but the Unix sockets of other programs. */
const NETWORK = [
  '(allow network* system-socket)',
  '(deny network-outbound (remote unix-socket))',
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd.agent") (global-name "com.apple.SystemConfiguration.configd"))',
];

/** In a git folder these decide what git runs. */
const GIT = String.raw`\.git(/modules/.+|/worktrees/[^/]+)?/(hooks|config|config\.worktree|commondir)`;

/**
 * The profile for one command. The last rule that fits decides, so what is held follows what is allowed. Protected names
 * are held by pattern: also where they don't exist yet, at any depth. `unseen`: what is hidden in the workspace itself.
 */
export function seatbeltProfile(
  request: SandboxRequest,
  mounts: readonly Mount[],
  unseen: readonly Mount[] = [],
): SeatbeltProfile {
  const parameters: Record<string, string> = {};
  const named = (path: string) => {
    const name = `P${Object.keys(parameters).length}`;
    parameters[name] = path;
    return `(param "${name}")`;
  };
  const { workspaceRoot: root, workspaceReadOnly, caches, home, network } = request;
  const ordered = inOrder([
    ...(workspaceReadOnly ? [] : [{ kind: 'writable' as const, path: root }, ...mounts, ...unseen]),
    ...fromHome(home, workspaceReadOnly ? [] : request.writable).flatMap((path) => writable(path)),
  ]);
  const writing = ordered.filter(({ kind }) => kind === 'writable').map(({ path }) => path);
  const held = ordered.filter(({ kind }) => kind === 'read-only').map(({ path }) => path);
  const moved = [`${root}/.git`, ...pinned(ordered)];
  const hidden = [request.storage, ...hiddenPaths(home, request.hidden)].flatMap(real);
  const lines = [
    ...BASE,
    ...(network ? NETWORK : []),
    ...writing.map((path) => `(allow file-write* (subpath ${named(path)}))`),
    ...held.map((path) => `(deny file-write* (subpath ${named(path)}))`),
    ...patterns(request).map((pattern) => `(deny file-write* (regex #"${pattern}"))`),
    ...moved.map((path) => `(deny file-write-create file-write-unlink (literal ${named(path)}))`),
    ...hidden
      .filter((path) => path !== root && path !== '/')
      .map((path) => `(deny file-read* file-write* (subpath ${named(path)}))`),
    `(allow file-read* file-write* (subpath ${named(caches)}))`,
    // A workspace in a hidden folder stays reachable, as it is elsewhere.
    ...(hidden.some((path) => isWithin(root, path)) ? [`(allow file-read* (subpath ${named(root)}))`] : []),
    ...unseen.map(({ path }) => `(deny file-read* file-write* (subpath ${named(path)}))`),
  ];
  return { profile: `${lines.join('\n')}\n`, parameters };
}

function writable(path: string): readonly Mount[] {
  return real(path).map((found) => ({ kind: 'writable', path: found }));
}

function real(path: string): readonly string[] {
  const found = realPlace(path);
  return found ? [found.path] : [];
}

/** Regular expressions for the protected names and for git's own, below the workspace. */
function patterns({ workspaceRoot, workspaceReadOnly, protectedNames }: SandboxRequest): readonly string[] {
  if (workspaceReadOnly) return [];
  const under = `^${escaped(workspaceRoot)}/(.*/)?`;
  const names = protectedNames.map((name) => name.trim()).filter((name) => name !== '.git' && name !== '');
  return [GIT, ...names.map(patternOf)].map((pattern) => `${under}${anyCase(pattern)}(/|$)`);
}

/** `*.code-workspace`, `.vscode/`, `.github/workflows/`: the gitignore patterns that lists of names are made of. */
function patternOf(name: string): string {
  return escaped(name.replace(/^\/|\/$/g, ''))
    .replaceAll(String.raw`\*`, '[^/]*')
    .replaceAll(String.raw`\?`, '[^/]');
}

function escaped(text: string): string {
  // A quote would end the expression: no rule can hold such a name, and none is wanted.
  return text.replaceAll('"', '').replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** The usual file system of a Mac doesn't tell the case of letters. */
function anyCase(pattern: string): string {
  return pattern.replace(
    /(\[[^\]]*\])|([a-z])/gi,
    (_, set: string | undefined, letter: string) => set ?? `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}
