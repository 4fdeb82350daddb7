import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROTECTED_FILES } from '#protocol/settings';
import { bubblewrap } from '#sandbox/bubblewrap';
import type { Sandbox, SandboxLaunch, SandboxRequest } from '#sandbox/sandbox';
import { requireBubblewrap } from './bubblewrap';

/** A host of one's own: workspace with git, home with secrets, storage, and a folder outside; as root or as somebody. */
export interface SandboxLab {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly storage: string;
  readonly outside: string;
  readonly caches: string;
  launch(script: string, request?: Partial<SandboxRequest>): Promise<SandboxLaunch>;
  /** Runs a script of sh inside and returns all that it said, stderr included. */
  run(
    script: string,
    request?: Partial<SandboxRequest>,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
  write(path: string, text: string, mode?: number): string;
  dispose(): void;
}

/** Not under /tmp, which is hidden inside, and where any user may go, so that a lab can be given away. */
function usualBase(): string {
  const checkout = realpathSync(join(import.meta.dirname, '..', '..'));
  const isRoot = process.getuid?.() === 0;
  if (isHidden(checkout)) return isRoot ? '/var/lib' : homedir();
  const base = join(checkout, 'node_modules', '.cache');
  mkdirSync(base, { recursive: true });
  for (let folder = base; folder !== '/'; folder = dirname(folder)) {
    if (isRoot && (statSync(folder).mode & 0o001) === 0) return '/var/lib';
  }
  return base;
}

function isHidden(folder: string): boolean {
  return ['/tmp/', '/var/tmp/', '/run/'].some((place) => folder.startsWith(place));
}

export interface LabUser {
  readonly uid: number;
  readonly gid: number;
}

export interface LabOptions {
  readonly user?: LabUser;
  readonly base?: string;
  /** Bubblewrap where nothing else is said. */
  readonly sandbox?: Sandbox;
}

export function sandboxLab(options: LabOptions = {}): SandboxLab {
  const sandbox = options.sandbox ?? bubblewrap(requireBubblewrap(), 'test');
  const root = realpathSync(mkdtempSync(join(options.base ?? usualBase(), 'sandbox-lab-')));
  chmodSync(root, 0o755);
  const folder = (...names: string[]) => {
    const path = join(root, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const [workspace, home, storage, outside] = [
    folder('workspace'),
    folder('home'),
    folder('storage'),
    folder('outside'),
  ];
  const caches = folder('storage', 'caches', 'one');
  execFileSync('git', ['init', '-q', workspace]);
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
    return join(root, path);
  };
  const requestFor = (script: string, more: Partial<SandboxRequest>): SandboxRequest => ({
    argv: ['/bin/sh', '-c', script],
    cwd: workspace,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    network: false,
    workspaceRoot: workspace,
    writable: [],
    hidden: [],
    protectedNames: PROTECTED_FILES,
    home,
    storage,
    caches,
    ...more,
  });
  const launch = (script: string, more: Partial<SandboxRequest> = {}) => {
    if (options.user) own(root, options.user);
    return sandbox.wrap(requestFor(script, more));
  };
  return {
    root,
    workspace,
    home,
    storage,
    outside,
    caches,
    write,
    launch,
    async run(script, more) {
      const launched = await launch(`exec 2>&1; ${script}`, more);
      try {
        return await outputOf(launched, { cwd: workspace, ...options.user });
      } finally {
        launched.release?.();
      }
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Runs what a sandbox made of a command; stdin is empty. */
async function outputOf(
  { file, args, env, files = [] }: SandboxLaunch,
  options: { readonly cwd: string } & Partial<LabUser>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(file, [...args], {
    ...options,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...files],
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: Buffer.concat(parts).toString() };
}

/** Gives everything to that user, links excepted. */
function own(path: string, user: LabUser): void {
  chownSync(path, user.uid, user.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) own(inner, user);
    else if (entry.isFile()) chownSync(inner, user.uid, user.gid);
  }
}
