import { type Browser, errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import type { Server } from '#test/support/real-vscode/server';

/** One window of the real workbench, with the moves a person makes in it. */
export interface Workbench extends AsyncDisposable {
  readonly page: Page;
  /** Runs a command by typing its title into the palette. */
  runCommand(title: string): Promise<void>;
  /** The notification toast that shows this text. */
  notification(text: string | RegExp): Locator;
  /** The button with this label of a notification, a dialog or a quick pick's row: whatever a person would click. */
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

const STEP_LIMIT_MS = 30_000;

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
    notification: (text) => page.locator('.notification-toast', { hasText: text }),
    button: (within, label) => within.locator('.monaco-button', { hasText: label }),
    reload: async () => {
      await page.reload();
      await drawn();
    },
    webview: (index = 0) =>
      page.frameLocator('iframe.webview').nth(index).frameLocator('iframe#active-frame'),
    [Symbol.asyncDispose]: () => context.close(),
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
 * Tries again and again: commands of extensions come into the palette some seconds after the workbench is drawn, an open palette
 * doesn't notice, and whatever takes the focus meanwhile closes it.
 */
async function runCommand(page: Page, title: string): Promise<void> {
  const end = Date.now() + STEP_LIMIT_MS;
  while (Date.now() < end) {
    if (await tryCommand(page, title)) return;
    await page.keyboard.press('Escape');
  }
  throw new Error(`The palette has no command "${title}"`);
}

async function tryCommand(page: Page, title: string): Promise<boolean> {
  const soon = { timeout: 1000 };
  const label = page
    .locator('.quick-input-list .monaco-list-row .label-name')
    .filter({ hasText: wholeText(title) });
  try {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().fill(`>${title}`, soon);
    await label.first().click(soon);
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

function wholeText(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
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
