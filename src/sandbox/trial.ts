import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '#base/result';
import type { Environment } from '#host';
import { type Sandbox, type SandboxLaunch, SandboxRefusal } from './sandbox';

/** Where a sandbox is tried. */
export interface TrialPlace {
  readonly environment: Pick<Environment, 'home' | 'storage'>;
  /** Real path of the workspace folder. */
  readonly workspaceRoot: string;
  /** Names that stay read-only in it, so that the trial is made with what commands will run with. */
  readonly protectedNames: readonly string[];
}

const TRIAL_MS = 10_000;
const MOST_SAID = 10_000;

/**
 * Runs a shell with the very flags that commands get. Undefined when it found itself confined; else what the launcher
 * said.
 */
export async function trial(sandbox: Sandbox, place: TrialPlace): Promise<string | undefined> {
  const { environment, workspaceRoot, protectedNames } = place;
  const caches = join(environment.storage, 'caches');
  await mkdir(caches, { recursive: true, mode: 0o700 }).catch(() => undefined);

  const script = 'test ! -w / && echo confined';
  const request = {
    argv: ['/bin/sh', '-c', script],
    cwd: workspaceRoot,
    env: { PATH: '/usr/bin:/bin' },
    network: false,
    workspaceRoot,
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
      return await saidBy(launch, workspaceRoot);
    } finally {
      launch.release?.();
    }
  } catch (error) {
    // The sandbox works; this workspace can't be held. Each command will say so until that is mended.
    return error instanceof SandboxRefusal ? undefined : messageOf(error);
  }
}

function saidBy({ file, args, env, files = [] }: SandboxLaunch, cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...files],
      timeout: TRIAL_MS,
      killSignal: 'SIGKILL',
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => {
        if (said[name].length < MOST_SAID) said[name] += chunk.toString();
      });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => {
      if (code === 0 && said.stdout.trim() === 'confined') return resolve(undefined);
      resolve(said.stderr.trim() || (code === 0 ? 'it ran, but confined nothing' : `exit code ${code}`));
    });
  });
}
