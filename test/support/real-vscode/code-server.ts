import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cached } from '#scripts/bootstrap/cache.mjs';
import { ensureNodePackage } from '#scripts/bootstrap/node.mjs';
import { runNpm } from '#scripts/bootstrap/process.mjs';
import { canInstallPackages, findProgram, installPackages } from '#test/support/real-vscode/system-packages';

/** VS Code 1.139.1: its real workbench and its real extension host, from the npm registry. */
const VERSION = '4.139.1';

/** How to start the editor's server: this Node with this script. */
export interface CodeServer {
  readonly node: string;
  readonly script: string;
}

/** Brings code-server into the cache (a minute and 0.8 GB, once) and says how to start it. */
export async function ensureCodeServer(): Promise<CodeServer> {
  if (process.platform === 'win32') {
    throw new Error('code-server does not run on Windows. Use desktop VS Code: npm start -- --desktop');
  }
  const nodePackage = await ensureNodePackage();
  const folder = await cached(`code-server-${VERSION}-${process.platform}-${process.arch}`, (partial) =>
    install(partial, nodePackage),
  );
  return {
    node: path.join(nodePackage, 'bin', 'node'),
    script: path.join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
  };
}

/** The version of VS Code that this is. */
export async function editorVersion(): Promise<string> {
  const { script } = await ensureCodeServer();
  const product = path.join(path.dirname(script), '..', '..', 'lib', 'vscode', 'product.json');
  return JSON.parse(readFileSync(product, 'utf8')).version;
}

async function install(folder: string, nodePackage: string): Promise<void> {
  process.stderr.write(`belay: fetching VS Code (code-server ${VERSION}), about a minute\n`);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund'];
  const what = 'Fetching code-server';
  // No install script runs: code-server's own would build native modules that a test never touches and need more tools.
  await runNpm(['install', '--ignore-scripts', ...quiet, `code-server@${VERSION}`], { cwd: folder, what });
  const server = path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const locked = ['install', '--omit=dev', '--ignore-scripts', ...quiet];
  await runNpm(locked, { cwd: server, what });
  await runNpm(locked, { cwd: path.join(server, 'extensions'), what });
  linkHelpers(server);
  await buildNativeModules(server, nodePackage);
}

/** What code-server's install script would have linked. */
function linkHelpers(server: string): void {
  const flavour = process.platform === 'darwin' ? 'darwin' : 'linux';
  for (const [link, target] of [
    ['bin/remote-cli/code-server', `code-${flavour}.sh`],
    ['bin/helpers/browser.sh', `browser-${flavour}.sh`],
  ] as const) {
    const place = path.join(server, link);
    rmSync(place, { force: true });
    symlinkSync(target, place);
  }
}

/**
 * Two native modules matter: without spdlog output channels stay empty, without native-watchdog an extension host outlives a killed
 * server. The editor works without them, so a machine that can't compile only gets told.
 */
async function buildNativeModules(server: string, nodePackage: string): Promise<void> {
  const tools = ['python3', 'make', 'g++'].filter((tool) => !findProgram(tool));
  if (tools.length > 0 && canInstallPackages()) await installPackages(...tools);
  try {
    await runNpm(['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], {
      cwd: server,
      what: 'Building native modules',
      env: {
        ...process.env,
        PATH: `${path.join(nodePackage, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
        // node-gyp takes these headers instead of downloading them.
        npm_config_nodedir: nodePackage,
      },
    });
  } catch (error) {
    process.stderr.write(
      `belay: going on without output channels. ${error instanceof Error ? error.message : error}\n`,
    );
  }
  const built = path.join(server, 'node_modules', '@vscode', 'spdlog', 'build', 'Release', 'spdlog.node');
  if (!existsSync(built)) process.stderr.write('belay: spdlog was not built; output channels stay empty\n');
}
