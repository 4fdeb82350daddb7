import { readFileSync } from 'node:fs';
import { t } from '#base/l10n';
import type { Environment } from '#host';
import type { SandboxMode } from '#protocol/settings';
import { offerHosts } from '#sandbox/allowed-hosts/offer-hosts';
import { type NamespaceTools, namespaces } from '#sandbox/namespaces/namespaces';
import { bubblewrap } from './bubblewrap';
import { findProgram, identityOf } from './find-program';
import { outerSandbox } from './inside';
import { noSandbox } from './none';
import { clearPlaceholders } from './placeholders';
import { type KernelFacts, missing, noFallback, otherSystem, whyNot } from './remedies';
import type { Sandbox } from './sandbox';
import { SANDBOX_EXEC, seatbelt } from './seatbelt';
import { type TrialPlace, trial } from './trial';

export interface SandboxChoice {
  readonly mode: SandboxMode;
  readonly environment: Pick<Environment, 'platform' | 'variables' | 'home' | 'storage'>;
  /** Real path of the workspace folder. */
  readonly workspaceRoot: string;
  /** Names that stay read-only in it, so that the probe runs with what commands will run with. */
  readonly protectedNames: readonly string[];
  /** The setting `belay.sandbox.allowedHosts`; it counts in the mode `allow-list`. */
  readonly allowedHosts?: readonly string[];
}

/** What a host has to confine with, in order of preference. */
interface Launchers {
  readonly bubblewrap?: string;
  readonly namespaces?: NamespaceTools;
  readonly seatbelt?: string;
}

/**
 * One probe per host, folder and launcher: until somebody installs another one or this computer starts anew, the answer
 * stays. Who installs what was missing needn't reload the window.
 */
const PROBES = new WeakMap<object, Map<string, Promise<Sandbox>>>();

/**
 * The sandbox for the commands of one workspace. It is tried with the very flags that commands get before it is
 * offered; where it can't work, the answer is no sandbox and the reason with its remedy.
 */
export function chooseSandbox(choice: SandboxChoice): Promise<Sandbox> {
  const { environment, workspaceRoot } = choice;
  if (choice.mode === 'off')
    return Promise.resolve(noSandbox(t('switched off by the setting belay.sandbox.mode')));
  const launchers = findLaunchers(choice);
  const known = PROBES.get(environment) ?? new Map<string, Promise<Sandbox>>();
  PROBES.set(environment, known);
  const key = [workspaceRoot, launchers, isReadOnly(choice), ...filesOf(launchers).map(identityOf)];
  const once = (more: unknown, find: () => Promise<Sandbox>) => {
    const whole = JSON.stringify([...key, more]);
    const found = known.get(whole) ?? find();
    known.set(whole, found);
    return found;
  };
  const probed = once('', () => probe(choice, launchers));
  const entries = choice.mode === 'allow-list' ? (choice.allowedHosts ?? []) : [];
  if (entries.length === 0) return probed;
  const place = placeOf(choice);
  return once(entries, async () => offerHosts(await probed, { entries, node: process.execPath, place }));
}

function isReadOnly({ mode }: SandboxChoice): boolean {
  return mode === 'read-only';
}

/** It is tried as commands will run. */
function placeOf(choice: SandboxChoice): TrialPlace {
  const { environment, workspaceRoot, protectedNames } = choice;
  return { environment, workspaceRoot, protectedNames, workspaceReadOnly: isReadOnly(choice) };
}

function heldWords(choice: SandboxChoice): string {
  return isReadOnly(choice)
    ? t('commands can write neither to the workspace nor to the rest of this machine, credentials are hidden')
    : t('the workspace is writable, the rest of this machine read-only, credentials hidden');
}

/** By absolute path and never from the workspace. */
function findLaunchers({ environment, workspaceRoot }: SandboxChoice): Launchers {
  const path = environment.variables['PATH'] ?? '';
  const find = (name: string) => findProgram(name, path, workspaceRoot);
  if (environment.platform === 'darwin') {
    const file = find('sandbox-exec');
    return file === SANDBOX_EXEC ? { seatbelt: file } : {};
  }
  if (environment.platform !== 'linux') return {};
  const file = find('bwrap');
  const [setpriv, unshare, setsid, mount, ip] = ['setpriv', 'unshare', 'setsid', 'mount', 'ip'].map(find);
  return {
    ...(file ? { bubblewrap: file } : {}),
    ...(setpriv && unshare && setsid && mount ? { namespaces: { setpriv, unshare, setsid, mount, ip } } : {}),
  };
}

function filesOf({ bubblewrap: file, namespaces: tools, seatbelt: profile }: Launchers): readonly string[] {
  return [file, tools?.unshare, tools?.setpriv, profile].filter((one) => one !== undefined);
}

async function probe(choice: SandboxChoice, launchers: Launchers): Promise<Sandbox> {
  const { environment, workspaceRoot } = choice;
  clearPlaceholders(workspaceRoot, environment.storage);
  const outer = outerSandbox(environment.variables);
  if (outer !== undefined) {
    return noSandbox(
      t(
        'Belay itself runs inside a sandbox ({0}), which holds its commands too; sandboxes are not nested',
        outer,
      ),
    );
  }
  if (environment.platform === 'darwin') return probeSeatbelt(choice, launchers.seatbelt);
  if (environment.platform !== 'linux') return noSandbox(otherSystem(environment.platform));
  return probeLinux(choice, launchers);
}

async function probeLinux(choice: SandboxChoice, launchers: Launchers): Promise<Sandbox> {
  let why = missing();
  if (launchers.bubblewrap !== undefined) {
    const sandbox = bubblewrap(launchers.bubblewrap, t('bubblewrap: {0}', heldWords(choice)));
    const failure = await trial(sandbox, placeOf(choice));
    if (failure === undefined) return sandbox;
    why = whyNot(failure, kernelFacts());
  }
  if (launchers.namespaces === undefined) return noSandbox(why);
  const fallback = namespaces(
    launchers.namespaces,
    t('namespaces: {0}; system calls are not filtered ({1})', heldWords(choice), why),
  );
  const failure = await trial(fallback, placeOf(choice));
  if (failure === undefined) return fallback;
  return noSandbox(launchers.bubblewrap === undefined ? noFallback(failure, kernelFacts()) : why);
}

async function probeSeatbelt(choice: SandboxChoice, file: string | undefined): Promise<Sandbox> {
  if (file === undefined) return noSandbox(otherSystem('darwin'));
  const sandbox = seatbelt(file, t('seatbelt: {0}', heldWords(choice)));
  const failure = await trial(sandbox, placeOf(choice));
  return failure === undefined ? sandbox : noSandbox(t('sandbox-exec does not work here ({0})', failure));
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
