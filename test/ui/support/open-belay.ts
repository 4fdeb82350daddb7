import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { openPanel, type Panel } from '#test/support/panel';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { createProfile, type Profile } from '#test/support/real-vscode/profile';
import { type Server, startServer } from '#test/support/real-vscode/server';
import { openWorkbench, type Workbench } from '#test/support/real-vscode/workbench';
import { copySample } from '#test/support/sample';

export interface BelayOptions {
  /** Files of the workspace; without any it is a copy of the sample project. `mode` is set after writing, umask or not. */
  readonly files?: Readonly<
    Record<string, string | { readonly bytes: Uint8Array | string; readonly mode?: number }>
  >;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly workspaceTrust?: boolean;
  /** Variables that the extension host inherits, such as provider keys. */
  readonly env?: Readonly<Record<string, string>>;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A real VS Code window with the packed Belay installed. */
export interface OpenBelay {
  readonly workbench: Workbench;
  readonly server: Server;
  readonly profile: Profile;
  /** The workspace folder. */
  readonly folder: string;
  openPanel(): Promise<Panel>;
}

/** Opens VS Code for one test. When the test ends everything is closed; one that failed leaves a picture in .cache/ui-failures/. */
export async function openBelay(options: BelayOptions = {}): Promise<OpenBelay> {
  await using unfinished = new AsyncDisposableStack();
  const profile = unfinished.use(
    createProfile({
      extensions: inject('installedExtensions'),
      settings: options.settings ?? {},
      workspaceTrust: options.workspaceTrust ?? false,
    }),
  );
  const folder = path.join(profile.root, 'workspace');
  layOut(folder, options.files);
  const server = unfinished.use(await startServer(profile, { env: options.env ?? {}, idleSeconds: 600 }));
  const browser = unfinished.use(await launchBrowser());
  const viewport = options.viewport ?? { width: 1400, height: 900 };
  const workbench = await openWorkbench(server, browser, { folder, viewport });
  const opened = unfinished.move();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(workbench, task.name);
    await opened.disposeAsync();
  });
  return { workbench, server, profile, folder, openPanel: () => openPanel(workbench) };
}

function layOut(folder: string, files: BelayOptions['files']): void {
  if (files) mkdirSync(folder);
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

async function picture(workbench: Workbench, name: string): Promise<void> {
  const file = path.join('.cache', 'ui-failures', `${name.replace(/[^\w-]+/g, '-').slice(0, 80)}.png`);
  try {
    await workbench.page.screenshot({ path: file });
    console.error(`The window when it failed: ${file}`);
  } catch (error) {
    console.error(`No picture of the failure: ${error}`);
  }
}
