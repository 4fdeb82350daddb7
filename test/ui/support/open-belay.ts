import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { root } from '#scripts/vsix';
import { openPanel, type Panel } from '#test/support/panel';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { createProfile, type Profile } from '#test/support/real-vscode/profile';
import { type Server, startServer } from '#test/support/real-vscode/server';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '#test/support/real-vscode/workbench';
import { copySample } from '#test/support/sample';

export type Files = Readonly<
  Record<string, string | { readonly bytes: Uint8Array | string; readonly mode?: number }>
>;

export interface BelayOptions {
  /** Files of the workspace; without any it is a copy of the sample project. `mode` is set after writing, umask or not. */
  readonly files?: Files;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of machine scope, which a window on a server takes from no other file. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly workspaceTrust?: boolean;
  /** Display language of the editor, such as "zh-cn"; English without. */
  readonly language?: string;
  /** Variables that the extension host inherits, such as provider keys. */
  readonly env?: Readonly<Record<string, string>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Pixels of the screen for one of the page. */
  readonly scale?: number;
  /** Name of the workspace's folder; "workspace" without. */
  readonly name?: string;
  /** Folders of the workspace that the editor can read but not write, whoever runs it. */
  readonly readOnly?: readonly string[];
}

/** A real VS Code with the packed Belay installed: windows of one person, on one machine. */
export interface Editor {
  readonly server: Server;
  readonly profile: Profile;
  /** A folder for workspaces. */
  readonly folder: string;
  /** Where Belay keeps its database. It doesn't exist before Belay has been used. */
  readonly storage: string;
  open(options: WorkbenchOptions): Promise<BelayWindow>;
}

export interface BelayWindow {
  readonly workbench: Workbench;
  openPanel(): Promise<Panel>;
  /** As a person reloads the window: the old extension host ends, a new one begins. */
  reload(): Promise<void>;
}

/** One window on a folder. */
export type OpenBelay = Editor & BelayWindow;

/** Opens VS Code on one folder for one test. */
export async function openBelay(options: BelayOptions = {}): Promise<OpenBelay> {
  const editor = await openEditor(options);
  return { ...editor, ...(await editor.open({ folder: editor.folder })) };
}

/** Starts VS Code for one test. When the test ends everything is closed; one that failed leaves pictures in .cache/ui-failures/. */
export async function openEditor(options: BelayOptions = {}): Promise<Editor> {
  await using unfinished = new AsyncDisposableStack();
  const profile = unfinished.use(
    createProfile({
      extensions: inject('installedExtensions'),
      settings: options.settings ?? {},
      machineSettings: options.machineSettings ?? {},
      workspaceTrust: options.workspaceTrust ?? false,
      language: options.language,
    }),
  );
  const folder = path.join(profile.root, options.name ?? 'workspace');
  layOut(folder, options.files);
  const readOnly = (options.readOnly ?? []).map((name) => path.join(folder, name));
  const server = unfinished.use(
    await startServer(profile, { env: options.env ?? {}, idleSeconds: 600, readOnly, hidden: root }),
  );
  const browser = unfinished.use(await launchBrowser());
  const opened = unfinished.move();
  const windows: Workbench[] = [];
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      for (const window of windows) await picture(window, task.name);
      showLog(profile);
    }
    await opened.disposeAsync();
  });
  return {
    server,
    profile,
    folder,
    storage: path.join(profile.root, 'data/User/globalStorage/belay.belay'),
    async open(place) {
      const viewport = options.viewport ?? { width: 1400, height: 900 };
      const workbench = await openWorkbench(server, browser, {
        viewport,
        scale: options.scale ?? 1,
        ...place,
      });
      windows.push(workbench);
      return {
        workbench,
        openPanel: () => openPanel(workbench),
        reload: () => workbench.reload(),
      };
    },
  };
}

/** Writes files below a folder, which may be there already; without any, it becomes a copy of the sample project. */
export function layOut(folder: string, files: Files | undefined): void {
  if (files) mkdirSync(folder, { recursive: true });
  else copySample(folder);
  for (const [name, file] of Object.entries(files ?? {})) {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    const { bytes, mode } =
      typeof file === 'string' ? { bytes: file, mode: undefined } : { mode: undefined, ...file };
    writeFileSync(place, bytes);
    if (mode !== undefined) chmodSync(place, mode);
  }
}

/** What Belay itself wrote: the reason is mostly there. */
function showLog({ root }: Profile): void {
  for (const file of globSync('data/logs/**/Belay.log', { cwd: root }))
    console.error(`${file}:\n${readFileSync(path.join(root, file), 'utf8').slice(-4000)}`);
}

async function picture(workbench: Workbench, name: string): Promise<void> {
  const file = path.join('.cache', 'ui-failures', `${name.replace(/[^\w-]+/g, '-').slice(0, 80)}.png`);
  try {
    await workbench.page.screenshot({ path: file });
    console.error(`The window when it failed: ${file}`);
  } catch (error) {
    console.error(`No picture of the failure: ${error}`);
  }
}
