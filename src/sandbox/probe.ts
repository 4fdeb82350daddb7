import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { t } from '#base/l10n';
import type { Environment } from '#host';
import type { SandboxMode } from '#protocol/settings';
import { bubblewrap } from './bubblewrap';
import { noSandbox } from './none';
import { isWithin, realPlace } from './paths';
import { type KernelFacts, missing, otherSystem, whyNot } from './remedies';
import { INSIDE, type Sandbox, type SandboxRequest } from './sandbox';

export interface SandboxChoice {
  readonly mode: SandboxMode;
  readonly environment: Pick<Environment, 'platform' | 'variables' | 'home' | 'storage'>;
  /** Real path of the workspace folder. */
  readonly workspaceRoot: string;
  /** Names that stay read-only in it, so that the probe runs with what commands will run with. */
  readonly protectedNames: readonly string[];
}

const PROBE_MS = 10_000;
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];

/** One probe per host and folder: the kernel doesn't change its mind while a window is open. */
const PROBES = new WeakMap<object, Map<string, Promise<Sandbox>>>();

/**
 * The sandbox for the commands of one workspace. It is tried with the very flags that commands get before it is
 * offered; where it can't work, the answer is no sandbox and the reason with its remedy.
 */
export function chooseSandbox(choice: SandboxChoice): Promise<Sandbox> {
  const { environment, workspaceRoot } = choice;
  if (choice.mode === 'off')
    return Promise.resolve(noSandbox(t('switched off by the setting belay.sandbox.mode')));
  const known = PROBES.get(environment) ?? new Map<string, Promise<Sandbox>>();
  PROBES.set(environment, known);
  const probed = known.get(workspaceRoot) ?? probe(choice);
  known.set(workspaceRoot, probed);
  return probed;
}

async function probe(choice: SandboxChoice): Promise<Sandbox> {
  const { environment, workspaceRoot } = choice;
  if (environment.platform !== 'linux') return noSandbox(otherSystem(environment.platform));
  if (environment.variables[INSIDE] !== undefined) {
    return noSandbox(
      t('Belay itself runs inside a sandbox, which holds its commands too; sandboxes are not nested'),
    );
  }
  const file = findBubblewrap(environment.variables['PATH'] ?? '', workspaceRoot);
  if (file === undefined) return noSandbox(missing());
  const sandbox = bubblewrap(
    file,
    t('bubblewrap: the workspace is writable, the rest of this machine read-only, credentials hidden'),
  );
  const failure = await trial(sandbox, choice);
  return failure === undefined ? sandbox : noSandbox(whyNot(failure, kernelFacts()));
}

/** By absolute path and never from the workspace, where anybody may have put a program of that name. */
export function findBubblewrap(path: string, workspaceRoot: string): string | undefined {
  const folders = [...path.split(delimiter).filter(isAbsolute), ...USUAL_FOLDERS];
  return folders
    .map((folder) => join(folder, 'bwrap'))
    .find((file) => {
      const place = realPlace(file);
      return (
        place !== undefined &&
        !place.isFolder &&
        ![file, place.path].some((one) => isWithin(one, workspaceRoot)) &&
        isExecutable(file)
      );
    });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined when a confined shell ran and found the disk's root read-only; else what the launcher said. */
async function trial(sandbox: Sandbox, choice: SandboxChoice): Promise<string | undefined> {
  const { environment, workspaceRoot } = choice;
  const caches = join(environment.storage, 'caches');
  await mkdir(caches, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const request: SandboxRequest = {
    argv: ['/bin/sh', '-c', 'test ! -w / && echo confined'],
    cwd: workspaceRoot,
    env: { PATH: '/usr/bin:/bin' },
    network: false,
    workspaceRoot,
    writable: [],
    hidden: [],
    protectedNames: choice.protectedNames,
    home: environment.home,
    storage: environment.storage,
    caches,
  };
  const { file, args, env } = await sandbox.wrap(request);
  return new Promise((resolve) => {
    const options = {
      cwd: workspaceRoot,
      env: { ...env },
      timeout: PROBE_MS,
      killSignal: 'SIGKILL' as const,
    };
    const child = execFile(file, [...args], options, (error, stdout, stderr) => {
      if (!error && stdout.trim() === 'confined') resolve(undefined);
      else resolve(stderr.trim() || error?.message || 'it ran, but confined nothing');
    });
    child.stdin?.end();
  });
}

function kernelFacts(): KernelFacts {
  const version = kernelText('/proc/version');
  return {
    appArmorRestricts: kernelText('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1',
    cloneForbidden: kernelText('/proc/sys/kernel/unprivileged_userns_clone') === '0',
    noNamespaces: kernelText('/proc/sys/user/max_user_namespaces') === '0',
    wsl1: /Microsoft/.test(version) && !/WSL2|microsoft-standard/.test(version),
  };
}

function kernelText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
