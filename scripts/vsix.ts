import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { thirdPartyNotices } from '#scripts/notices';
import { buildAll } from '../esbuild.mjs';
import { runQuietly } from './bootstrap/process.mjs';

/** The checkout. */
export const root = path.dirname(import.meta.dirname);

/** The platform that this machine's vsix is for, in vsce's words: a vsix holds one platform's ripgrep. */
export const target = `${process.platform}-${process.arch}`;

/** What goes into the package beside dist/ and package.json, before .vscodeignore has its say. */
const COPIED = [
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'l10n', 'media', '.vscodeignore'],
  ...['package.nls.json', 'package.nls.zh-cn.json'],
  // The page that *MCP Servers* opens.
  'docs/mcp.md',
];

/** Parts of package.json that mean something in the checkout only. */
const CHECKOUT_ONLY = new Set(['private', 'scripts', 'imports', 'dependencies', 'devDependencies']);

/**
 * Lays out the extension as it will be installed, with production bundles. In a folder of its own, because dist/ in the checkout may
 * be in use by another run.
 */
export async function stageExtension(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const built = await buildAll({ production: true, outdir: path.join(folder, 'dist') });
  const inputs = built.flatMap((file) => file.inputs);
  writeFileSync(path.join(folder, 'ThirdPartyNotices.txt'), thirdPartyNotices(root, inputs));
  for (const name of COPIED) {
    if (existsSync(path.join(root, name)))
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  const manifest = Object.entries(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const kept = Object.fromEntries(manifest.filter(([key]) => !CHECKOUT_ONLY.has(key)));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
}

/** Packs the extension for this machine's platform into the file `vsix`. */
export async function packExtension(vsix: string): Promise<void> {
  const stage = mkdtempSync(path.join(os.tmpdir(), 'belay-stage-'));
  try {
    await stageExtension(stage);
    await runQuietly(
      process.execPath,
      [
        path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce'),
        ...['package', '--no-dependencies', '--target', target, '--out', vsix],
        ...['--allow-missing-repository', '--no-rewrite-relative-links'],
      ],
      { cwd: stage, what: 'Packing the extension' },
    );
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
