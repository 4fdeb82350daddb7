import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { answered, buttonIn, told } from '#test/support/real-vscode/notifications';
import { STEP_LIMIT_MS } from '#test/support/real-vscode/patience';
import { pick, runCommand } from '#test/support/real-vscode/quick-input';
import type { Server } from '#test/support/real-vscode/server';

/** One window of the real workbench, with the moves a person makes in it. */
export interface Workbench extends AsyncDisposable {
  readonly page: Page;
  /** Runs a command by typing its title into the palette. */
  runCommand(title: string): Promise<void>;
  /** Picks the row that holds this text in the list that is open, or about to open. */
  pick(text: string): Promise<void>;
  /** Waits until a notification with this text has been shown. */
  told(text: string | RegExp): Promise<void>;
  /** Waits for the notification with this text and answers it by the button with this label. */
  answer(text: string | RegExp, label: string): Promise<void>;
  /** The button with this label of a notification or a dialog. */
  button(within: Locator, label: string): Locator;
  /** Reloads the page and waits until the workbench is drawn again. Its extension host ends, a new one begins. */
  reload(): Promise<void>;
  /** The document of the nth webview, counted as they lie in the page. */
  webview(index?: number): FrameLocator;
}

export interface WorkbenchOptions {
  /** Absolute path of a folder or of a `.code-workspace` file; none opens an empty window. */
  readonly folder?: string;
  readonly workspace?: string;
  /** Extensions to load from their sources, and the module of a suite to run in the extension host (`extensionTestsPath`). */
  readonly development?: { readonly extensions: readonly string[]; readonly tests?: string };
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Pixels of the screen for one of the page. */
  readonly scale?: number;
  /** Called before the page loads. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Opens a window in a context of its own (no state is shared with other windows) and waits until the workbench is drawn. */
export async function openWorkbench(
  server: Server,
  browser: Browser,
  options: WorkbenchOptions = {},
): Promise<Workbench> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1400, height: 900 },
    deviceScaleFactor: options.scale ?? 1,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_LIMIT_MS);
  if (options.development) await injectDevelopment(page, server, options.development);
  await options.prepare?.(page);
  const drawn = () => page.locator('.monaco-workbench .part.statusbar').waitFor();
  await page.goto(workbenchUrl(server, options));
  await drawn();
  return {
    page,
    runCommand: (title) => runCommand(page, title),
    pick: (text) => pick(page, text),
    told: (text) => told(page, text),
    answer: (text, label) => answered(page, text, label),
    button: buttonIn,
    reload: async () => {
      await page.reload();
      await drawn();
    },
    webview: (index = 0) =>
      page.frameLocator('iframe.webview').nth(index).frameLocator('iframe#active-frame'),
    async [Symbol.asyncDispose]() {
      // Leaving the page lets it say goodbye to the server, as closing a window does; a context that is just closed may be gone before, and
      // then the server keeps the extension host for a window that might come back.
      await page.goto('about:blank').catch(() => undefined);
      await context.close();
    },
  };
}

/** The address of a window on a folder or a workspace. */
export function workbenchUrl(
  server: Server,
  { folder, workspace }: Pick<WorkbenchOptions, 'folder' | 'workspace'>,
): string {
  const address = new URL(server.origin);
  if (folder) address.searchParams.set('folder', folder);
  else if (workspace) address.searchParams.set('workspace', workspace);
  else address.searchParams.set('ew', 'true');
  address.searchParams.set(
    'payload',
    JSON.stringify([
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
    ]),
  );
  return address.href;
}

/**
 * Adds `developmentOptions` to the configuration which the page's own script reads from an attribute: the embedder interface of VS
 * Code for the web. The server has no flag for it but the smoke-test one, and that hides notifications.
 */
async function injectDevelopment(
  page: Page,
  server: Server,
  { extensions, tests }: NonNullable<WorkbenchOptions['development']>,
): Promise<void> {
  const uri = (path: string) => ({ $mid: 1, scheme: 'vscode-remote', authority: server.host, path });
  const development = {
    extensions: extensions.map(uri),
    ...(tests ? { extensionTestsPath: uri(tests) } : {}),
  };
  await page.addInitScript({ content: `(${ADD_DEVELOPMENT_OPTIONS})(${JSON.stringify(development)})` });
}

/** Source text, since this project is compiled without the DOM's types. */
const ADD_DEVELOPMENT_OPTIONS = `(added) => {
  if (window !== window.top) return;
  const read = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
    const value = read.call(this, name);
    if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || !value) return value;
    Element.prototype.getAttribute = read;
    const configuration = JSON.parse(value);
    return JSON.stringify({ ...configuration, developmentOptions: { ...configuration.developmentOptions, ...added } });
  };
}`;
