import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { runQuietly } from '#scripts/bootstrap/process.mjs';
import { STEP_LIMIT_MS } from '#test/support/real-vscode/patience';
import { canInstallPackages, findProgram, installPackages } from '#test/support/real-vscode/system-packages';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
/** No first-run work, no look-ups: a test's browser talks to the loopback alone. `--no-sandbox` because CI runs as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless Chromium; whoever launches it closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await ensureBrowser();
  return chromium.launch({ executablePath, headless: true, args: FLAGS, timeout: STEP_LIMIT_MS });
}

/** The path of a Chromium: an installed one, else Debian's, else Playwright's. `BELAY_BROWSER` names another. */
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser();
  if (found) return found;
  const why = await installPackages('chromium', 'fonts-dejavu-core');
  const installed = findBrowser();
  if (installed) return installed;
  const failure = await installPlaywrightsOwn();
  const own = findBrowser();
  if (own) return own;
  throw new Error(
    `No Chromium was found and none could be installed. Install Chromium or Chrome, or name one in BELAY_BROWSER.\n` +
      `apt-get: ${why ?? 'installed, but no chromium came'}\nplaywright: ${failure ?? 'installed, but not where expected'}`,
  );
}

function findBrowser(): string | undefined {
  const named = process.env['BELAY_BROWSER'];
  if (named && !existsSync(named)) throw new Error(`BELAY_BROWSER names ${named}, which does not exist.`);
  return (
    named ??
    NAMES.map(findProgram).find((file) => file !== undefined) ??
    [...PLACES, chromium.executablePath()].find((file) => existsSync(file))
  );
}

async function installPlaywrightsOwn(): Promise<string | undefined> {
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
    'cli.js',
  );
  process.stderr.write('belay: installing Chromium (playwright)\n');
  const libraries = canInstallPackages() ? ['--with-deps'] : [];
  try {
    await runQuietly(process.execPath, [cli, 'install', ...libraries, 'chromium'], {
      what: 'Installing Chromium',
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
