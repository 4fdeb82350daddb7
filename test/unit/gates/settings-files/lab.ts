import { SettingsLoader } from '#gates/settings-files/load';
import type { Files, Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { Settings } from '#protocol/settings';
import { openStore } from '#store/store';
import { type MemoryHost, memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { type Bench, type BenchOptions, bench } from '#test/unit/gates/bench';

export interface LabOptions {
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Files of the user's home folder. */
  readonly home?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly policy?: string;
  readonly trusted?: () => boolean;
}

/** Settings files in real folders, with a store in memory. */
export interface Lab {
  readonly loader: SettingsLoader;
  readonly folder: TempFolder;
  readonly home: TempFolder;
  readonly host: MemoryHost;
  /** Accepts all that waits. */
  accept(): Promise<void>;
}

export async function settingsLab(options: LabOptions = {}): Promise<Lab> {
  const folder = tempFolder(options.files ?? {});
  const home = tempFolder(options.home ?? {});
  const host = memoryHost({ settings: options.settings ?? {} });
  const loader = loaderOf(host, { ...options, root: folder.path, home: home.path });
  await loader.refresh();
  const accept = async () => {
    for (const shown of loader.project()) await loader.answer(shown, 'accepted');
  };
  return { loader, folder, home, host, accept };
}

/** The gates of a bench with the settings files of its folder; all of them are accepted unless `accepted` says otherwise. */
export async function gatesWithFiles(
  files: Readonly<Record<string, string>>,
  more: BenchOptions &
    Pick<LabOptions, 'home' | 'policy'> & { readonly claude?: boolean; readonly accepted?: boolean } = {},
): Promise<Bench & { readonly loader: SettingsLoader }> {
  const { home, policy = '{}', claude = false, accepted = true, ...options } = more;
  const made: SettingsLoader[] = [];
  const gates = bench({
    ...options,
    files: { ...files, ...options.files },
    settingsFiles: (host, root) => {
      if (claude) host.configure({ claudeSettings: true });
      const loader = loaderOf(host, { policy, root, home: tempFolder(home ?? {}).path });
      made.push(loader);
      return loader;
    },
  });
  const [loader] = made;
  if (!loader) throw new Error('the bench made no loader');
  await loader.refresh();
  if (accepted) for (const shown of loader.project()) await loader.answer(shown, 'accepted');
  return { ...gates, loader };
}

export function loaderOf(
  host: Host,
  options: Pick<LabOptions, 'trusted'> & {
    /** The machine's own file where it is null. */
    readonly policy?: string | null | undefined;
    readonly root: AbsolutePath;
    readonly home: AbsolutePath;
    readonly disk?: Files;
  },
): SettingsLoader {
  const { root, home, policy = '{}', trusted = () => true } = options;
  const store = openStore({ path: ':memory:', log: host.log, clock: host.clock });
  if (!store.ok) throw new Error(store.error.message);
  const ports = {
    files: options.disk ?? host.files,
    settings: host.settings,
    clock: host.clock,
    log: host.log,
    trust: { isTrusted: trusted },
    environment: { ...host.environment, home },
  };
  return new SettingsLoader(ports, {
    root,
    policy: policy ?? undefined,
    acceptances: store.value.acceptances,
  });
}

/** A settings file with these lists. */
export function rules(lists: {
  readonly deny?: readonly unknown[];
  readonly allow?: readonly unknown[];
  readonly ask?: readonly unknown[];
}): string {
  return JSON.stringify({ permissions: lists }, null, 2);
}
