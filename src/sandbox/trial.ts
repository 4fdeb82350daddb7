import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Environment } from '#host';
import { BRIDGE_FD, type HostsOfCommand } from '#sandbox/allowed-hosts/allowed-hosts';
import { type Sandbox, type SandboxLaunch, SandboxRefusal } from './sandbox';

/** Where a sandbox is tried. */
export interface TrialPlace {
  readonly environment: Pick<Environment, 'home' | 'storage'>;
  /** Real path of the workspace folder. */
  readonly workspaceRoot: string;
  /** Names that stay read-only in it, so that the trial is made with what commands will run with. */
  readonly protectedNames: readonly string[];
  /** Commands will run so too. */
  readonly workspaceReadOnly?: boolean;
}

const TRIAL_MS = 10_000;
const MOST_SAID = 10_000;
/** The first descriptor of a launch's `files`. */
const FILES_FD = 4;

/**
 * Runs a shell with the very flags that commands get. Undefined when it found itself confined; else what the launcher
 * said.
 */
export async function trial(sandbox: Sandbox, place: TrialPlace): Promise<string | undefined> {
  const script = 'test ! -w / && echo confined';
  const ended = await tried(sandbox, place, { argv: ['/bin/sh', '-c', script], env: {} });
  if (typeof ended === 'string') return ended;
  if (ended === undefined || (ended.code === 0 && ended.stdout.trim() === 'confined')) return undefined;
  const { stderr, code } = ended;
  return stderr.trim() || (code === 0 ? 'it ran, but confined nothing' : endWords(ended));
}

/** Runs the bridge to allowed hosts inside. Undefined when it can be reached there; else why not. */
export async function trialOfBridge(
  sandbox: Sandbox,
  { place, way }: { readonly place: TrialPlace; readonly way: HostsOfCommand },
): Promise<string | undefined> {
  const ended = await tried(sandbox, place, {
    argv: [way.node, '-e', way.program],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    isDone: (stdout) => /^\d+$/.test(stdout),
  });
  if (typeof ended === 'string') return ended;
  if (ended === undefined || /^\d+$/.test(ended.stdout)) return undefined;
  const last = ended.stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return t('{0} does not run inside ({1})', way.node, last || endWords(ended));
}

function endWords({ code }: Ended): string {
  return code === null ? 'no answer in time' : `exit code ${code}`;
}

interface Tried {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** It has said enough and may be ended. */
  isDone?(stdout: string): boolean;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Undefined when this workspace can't be held, a message when nothing could be started. */
async function tried(sandbox: Sandbox, place: TrialPlace, what: Tried): Promise<Ended | string | undefined> {
  const { environment, workspaceRoot, protectedNames, workspaceReadOnly = false } = place;
  const caches = join(environment.storage, 'caches');
  await mkdir(caches, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const request = {
    argv: what.argv,
    cwd: workspaceRoot,
    env: { PATH: '/usr/bin:/bin', ...what.env },
    network: false,
    workspaceRoot,
    workspaceReadOnly,
    writable: [],
    hidden: [],
    protectedNames,
    home: environment.home,
    storage: environment.storage,
    caches,
  };
  try {
    const launch = await sandbox.wrap(request);
    try {
      return await endOf(launch, workspaceRoot, what);
    } finally {
      launch.release?.();
    }
  } catch (error) {
    // The sandbox works; this workspace can't be held. Each command will say so until that is mended.
    return error instanceof SandboxRefusal ? undefined : messageOf(error);
  }
}

function endOf(
  { file, args, env, files = [] }: SandboxLaunch,
  cwd: string,
  { isDone }: Tried,
): Promise<Ended> {
  const unused = Array<'ignore'>(BRIDGE_FD - FILES_FD - files.length).fill('ignore');
  const link = isDone ? ([...unused, 'pipe'] as const) : [];
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...files, ...link],
      timeout: TRIAL_MS,
      killSignal: 'SIGKILL',
    });
    child.once('error', reject);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => {
        if (said[name].length < MOST_SAID) said[name] += chunk.toString();
        if (isDone?.(said.stdout)) child.kill('SIGKILL');
      });
    const inner = child.stdio?.at(BRIDGE_FD) as Duplex | null | undefined;
    inner?.on('error', () => undefined);
    child.once('exit', () => inner?.destroy());
    child.once('close', (code) => resolve({ code, ...said }));
  });
}
