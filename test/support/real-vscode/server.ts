import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type CodeServer, ensureCodeServer } from '#test/support/real-vscode/code-server';
import { extensionHostOf } from '#test/support/real-vscode/processes';
import { type Profile, profileEnvironment } from '#test/support/real-vscode/profile';

/** A running editor server on a loopback port that the system chose. */
export interface Server extends AsyncDisposable {
  readonly origin: string;
  readonly host: string;
  readonly profile: Profile;
  /** What the server printed so far. */
  log(): string;
  /** The process of the first extension host, once a window is open. */
  extensionHostPid(): Promise<number | undefined>;
}

export interface ServerOptions {
  /** Variables for the server, which the extension host inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** The server ends by itself after so many seconds without a window, should nobody be left to stop it. */
  readonly idleSeconds?: number;
  /** A folder that the server must not reach. */
  readonly hidden?: string;
  /** Folders that nothing in the editor can write to, root or not (Linux). */
  readonly readOnly?: readonly string[];
}

const START_LIMIT_MS = 180_000;
/** After SIGTERM extension hosts get 5 s for their `deactivate`; then whatever is left is killed. */
const STOP_LIMIT_MS = 7_000;
const LOG_LIMIT = 200_000;

export async function startServer(profile: Profile, options: ServerOptions = {}): Promise<Server> {
  const codeServer = await ensureCodeServer();
  const child = spawnServer(codeServer, profile, options);
  let log = '';
  const keep = (chunk: Buffer) => {
    log = (log + chunk).slice(-LOG_LIMIT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const killAtExit = () => killGroup(child, 'SIGKILL');
  process.on('exit', killAtExit);
  const stop = async () => {
    await stopGroup(child);
    process.off('exit', killAtExit);
  };
  try {
    const origin = await started(child, () => log);
    return {
      origin,
      host: new URL(origin).host,
      profile,
      log: () => log,
      extensionHostPid: () => extensionHostOf(child.pid ?? 0),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Installs a packed extension, as `code --install-extension` does. */
export async function installExtension(profile: Profile, vsix: string): Promise<void> {
  const { node, script } = await ensureCodeServer();
  const args = [script, ...profileArguments(profile), '--install-extension', vsix, '--force'];
  await promisify(execFile)(node, args, { env: profileEnvironment(profile), cwd: profile.root });
}

function profileArguments({ root, extensions }: Profile): string[] {
  const config = path.join(root, 'code-server.yaml');
  return ['--config', config, '--user-data-dir', path.join(root, 'data'), '--extensions-dir', extensions];
}

function spawnServer({ node, script }: CodeServer, profile: Profile, options: ServerOptions): ChildProcess {
  const args = [
    script,
    ...profileArguments(profile),
    ...['--auth', 'none', '--bind-addr', '127.0.0.1:0'],
    ...[
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      '--ignore-last-opened',
    ],
    ...(profile.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(profile.language ? ['--locale', profile.language] : []),
    ...(options.idleSeconds ? ['--idle-timeout-seconds', String(options.idleSeconds)] : []),
  ];
  const view = [...withoutFolder(options.hidden), ...readOnlyView(options.readOnly ?? [])];
  const [file, ...words] = [...view, node, ...args];
  return spawn(file ?? node, words, {
    env: { ...profileEnvironment(profile), ...options.env },
    cwd: profile.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that all its children can be stopped with it.
    detached: true,
  });
}

/** A mount namespace in which this folder is empty. Only root may make one; others rely on the folder lying elsewhere. */
function withoutFolder(folder: string | undefined): string[] {
  if (folder === undefined || process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  const script = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"';
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, folder];
}

/** A mount namespace in which these folders lie on a read-only disk: modes of files would not stop root. */
function readOnlyView(folders: readonly string[]): string[] {
  if (folders.length === 0) return [];
  const binds = folders.flatMap((folder) => ['--ro-bind', folder, folder]);
  return ['bwrap', '--dev-bind', '/', '/', ...binds, '--die-with-parent', '--'];
}

async function started(child: ChildProcess, log: () => string): Promise<string> {
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode)
      throw new Error(`The VS Code server ended at once:\n${log()}`);
    const origin = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log())?.[1];
    if (origin && (await isHealthy(origin))) return origin;
    await sleep(50);
  }
  throw new Error(`The VS Code server did not answer within ${START_LIMIT_MS / 1000} s:\n${log()}`);
}

async function isHealthy(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz`)).ok;
  } catch {
    return false;
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  const gone =
    child.exitCode !== null || child.signalCode
      ? Promise.resolve()
      : new Promise((resolve) => child.once('exit', resolve));
  killGroup(child, 'SIGTERM');
  const limit = new AbortController();
  await Promise.race([
    gone,
    sleep(STOP_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined),
  ]);
  limit.abort();
  killGroup(child, 'SIGKILL');
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
