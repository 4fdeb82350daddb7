import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { ToHost, ToPanel } from '#protocol/wire';
import { buildWebview } from '../../../esbuild.mjs';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures', 'panel');
const ORIGIN = 'http://panel.test';

export const THEMES = ['light', 'dark', 'hc', 'hc-light', '2026-light', '2026-dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The built panel alone in a browser, with a test in the place of the extension. */
export interface PanelPage extends AsyncDisposable {
  readonly page: Page;
  readonly theme: Theme;
  readonly context: BrowserContext;
  part(testId: string): Locator;
  /** Sends messages as the extension would and waits until they are drawn. */
  tell(...messages: readonly ToPanel[]): Promise<void>;
  /** What the page has asked so far, without what it says of itself. */
  posted(): Promise<readonly ToHost[]>;
  /** Reloads the page as the editor does after hiding: the DOM is lost, its kept state isn't. */
  reload(): Promise<void>;
  /** What the page's security policy refused. */
  violations(): Promise<readonly string[]>;
}

interface Options {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  /** A language of which there is a bundle; else the page speaks English. */
  readonly language?: string;
  /** Without the page's policy nothing but the panel itself keeps things out. */
  readonly unguarded?: boolean;
}

/** What the page says of itself. */
const ABOUT_THE_PAGE: ReadonlySet<ToHost['type']> = new Set(['hello', 'keep', 'focus', 'editing']);

/** Opens the panel under the policy that the editor room gives it; nothing it loads comes from a network. */
export async function openPanelPage(
  browser: Browser,
  { theme = 'dark', width = 320, height = 800, scale = 1, language, unguarded = false }: Options = {},
): Promise<PanelPage> {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const files = await panelFiles({ theme, language, unguarded });
  await context.route(`${ORIGIN}/**`, (route) => {
    const file = files.get(new URL(route.request().url()).pathname);
    return file ? route.fulfill(file) : route.fulfill({ status: 404 });
  });
  const open = async () => {
    await page.goto(`${ORIGIN}/`);
    await page.waitForFunction('panel.posted.some(({ type }) => type === "hello")');
    await page.evaluate('document.fonts.ready.then(() => undefined)');
  };
  await open();
  return {
    page,
    theme,
    context,
    part: (testId) => page.getByTestId(testId),
    tell: async (...messages) => {
      for (const message of messages)
        await page.evaluate((told) => Reflect.get(globalThis, 'panel').tell(told), message);
      await settle(page);
    },
    posted: async () => {
      const all = await page.evaluate<readonly ToHost[]>('panel.posted');
      return all.filter(({ type }) => !ABOUT_THE_PAGE.has(type));
    },
    reload: open,
    violations: () => page.evaluate<readonly string[]>('panel.violations'),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** What a file of the fixtures answers when it is run in the page. */
export async function runInPage<T>(page: Page, fixture: string): Promise<T> {
  return page.evaluate<T>(readFileSync(path.join(FIXTURES, fixture), 'utf8'));
}

/** Two frames: the first draws what came, the second what that led to. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined))))',
  );
}

interface Shown {
  readonly theme: Theme;
  readonly language: string | undefined;
  readonly unguarded: boolean;
}

interface PanelFile {
  readonly contentType: string;
  readonly body: string | Buffer;
}

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };
let bundle: ReturnType<typeof buildWebview> | undefined;

async function panelFiles({ theme, language, unguarded }: Shown): Promise<ReadonlyMap<string, PanelFile>> {
  bundle ??= buildWebview(true, 'dist');
  const fixture = (name: string) => readFileSync(path.join(FIXTURES, name));
  const built = (await bundle).map(
    ({ name, contents }) => [`/${name}`, file(name, Buffer.from(contents))] as const,
  );
  const own = ['page.js', 'editor.css'].map((name) => [`/${name}`, file(name, fixture(name))] as const);
  const vars = JSON.stringify(JSON.parse(fixture('themes.json').toString())[theme]);
  const body = html(vars, language, unguarded);
  return new Map([...built, ...own, ['/', { contentType: 'text/html; charset=utf-8', body }]]);
}

function file(name: string, body: Buffer): PanelFile {
  return { contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', body };
}

/** The editor room's page (src/editor/panel/html.ts) with its policy, and the editor's own part before it. */
function html(theme: string, language: string | undefined, unguarded: boolean): string {
  const policy = `default-src 'none'; script-src 'nonce-n'; style-src ${ORIGIN}; font-src ${ORIGIN}; img-src 'none'; base-uri 'none'; form-action 'none'`;
  const guard = unguarded ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const words = language === undefined ? '' : ` data-words="${attribute(bundleOf(language))}"`;
  return `<!DOCTYPE html>
<html lang="${language ?? 'en'}"><head><meta charset="utf-8">${guard}
<link rel="stylesheet" href="/editor.css"><link rel="stylesheet" href="/webview.css"><title>Belay</title></head>
<body><div id="root"${words}></div>
<script type="application/json" id="theme" nonce="n">${theme}</script>
<script nonce="n" src="/page.js"></script><script nonce="n" src="/webview.js"></script></body></html>`;
}

/** The translations of a language, as JSON. */
export function bundleOf(language: string): string {
  const file = path.join(import.meta.dirname, '../../../l10n', `bundle.l10n.${language}.json`);
  return readFileSync(file, 'utf8');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
