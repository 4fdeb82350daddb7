import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addLanguagePack } from '#test/support/real-vscode/language-pack';

/** A user's whole world for one editor: home, settings, extensions, all under one temporary folder. */
export interface Profile extends Disposable {
  readonly root: string;
  /** The folder of installed extensions. */
  readonly extensions: string;
  /** With workspace trust a folder opens untrusted; without, every folder is trusted. */
  readonly workspaceTrust: boolean;
  /** The editor's display language; English without. */
  readonly language: string | undefined;
  /** User settings of the editor; what is set here is merged into what is there. */
  setSettings(settings: Readonly<Record<string, unknown>>): void;
}

export interface ProfileOptions {
  /** Keys of user settings beyond the quiet defaults below. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of machine scope, which a window on a server takes from here alone. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Off by default. */
  readonly workspaceTrust?: boolean;
  /** Display language of the editor, such as "zh-cn". */
  readonly language?: string | undefined;
  /** A folder of extensions that are installed already, shared with other profiles; else an empty one of its own. */
  readonly extensions?: string;
}

/** What a test's editor must not do by itself: greet, update, send, save. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  // Other programs of this machine listen too, and the editor would tell of them over the panel.
  'remote.autoForwardPorts': false,
  // The web's default is afterDelay, the desktop's is off.
  'files.autoSave': 'off',
  // Both sides of a diff, however narrow a test's window is.
  'diffEditor.useInlineViewWhenSpaceIsLimited': false,
};

export function createProfile(options: ProfileOptions = {}): Profile {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-vscode-')));
  for (const folder of ['home', 'data/User', 'data/Machine', 'extensions'])
    mkdirSync(path.join(root, folder), { recursive: true });
  const file = path.join(root, 'data/User/settings.json');
  const write = (settings: unknown) => writeJson(file, settings);
  const workspaceTrust = options.workspaceTrust ?? false;
  write({ ...QUIET, 'security.workspace.trust.enabled': workspaceTrust, ...options.settings });
  writeJson(path.join(root, 'data/Machine/settings.json'), options.machineSettings ?? {});
  writeFileSync(path.join(root, 'code-server.yaml'), 'auth: none\n');
  if (options.language) addLanguagePack(path.join(root, 'data'), options.language);
  return {
    root,
    extensions: options.extensions ?? path.join(root, 'extensions'),
    workspaceTrust,
    language: options.language,
    setSettings: (settings) => write({ ...JSON.parse(readFileSync(file, 'utf8')), ...settings }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The environment of every process of this profile's editor: nothing of a calling VS Code leaks in, all state is under its root. */
export function profileEnvironment({ root }: Profile): NodeJS.ProcessEnv {
  const home = path.join(root, 'home');
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|CODE_SERVER|npm_|VITEST)/.test(name) && !FOREIGN.has(name),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
  };
}

/** Variables of whoever runs the tests that would change what the server does. */
const FOREIGN = new Set([
  'NODE_OPTIONS',
  'NODE_ENV',
  'PORT',
  'PASSWORD',
  'INIT_CWD',
  'NODE',
  'TEST',
  'MODE',
  'PROD',
  'DEV',
]);
