// Builds dist/: `node esbuild.mjs [--production] [--outdir FOLDER]`.
//
//   extension.js       what VS Code loads: activate() and all that it imports statically, one file
//   chunks/*.js        everything behind a dynamic import(), and the entries of three threads: the demo model's, the one that reads PDFs, and
//                      those that look at files
//   headless.js        the scenario and agent commands, with headless-chunks/*.js (not packed)
//   webview.js         the chat panel (browser code), with webview.css and codicon.ttf
//   bin/rg             ripgrep for this machine
//   bin/pty.node       the native part of PTYs, on Linux
//
// Whatever shall load on first use is written `await import('#room/module')`, nothing else.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { build } from 'esbuild';
import { englishZod } from './scripts/build/english-zod.mjs';
import { bundleForNode } from './scripts/build/node-bundle.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const ENTRIES = {
  extension: { file: 'src/extension.ts', chunks: 'chunks', isPacked: true },
  'chunks/trial-worker': { file: 'src/models/demo/trial/worker.ts', chunks: 'chunks', isPacked: true },
  'chunks/pdf-worker': { file: 'src/tools/formats/pdf-worker.ts', chunks: 'chunks', isPacked: true },
  'chunks/scan-worker': { file: 'src/disk/scan-worker.ts', chunks: 'chunks', isPacked: true },
  headless: { file: 'src/headless/main.ts', chunks: 'headless-chunks', isPacked: false },
};
const WEBVIEW = 'src/webview/main.tsx';
const DAY = 86_400_000;

/**
 * @param {{ production?: boolean, outdir?: string }} [options] production: minified, and only what is packed
 * @returns {Promise<Built[]>} the built files
 */
export async function buildAll({ production = false, outdir = path.join(root, 'dist') } = {}) {
  const begun = new Date();
  const wanted = Object.entries(ENTRIES).filter(([, { isPacked }]) => isPacked || !production);
  const bundles = wanted.map(([name, { file, chunks }]) =>
    bundleForNode({ root, name, file, chunks, production }),
  );
  const built = await Promise.all([...bundles, buildWebview(production, outdir)]);
  const files = [...built.flat(), ripgrep(), ...ptys()];
  for (const file of files) place(outdir, file);
  dropOldChunks(outdir, new Set(files.map((file) => file.name)));
  // Its time is the build's beginning: a source changed meanwhile is newer than the stamp, so the next run builds again.
  place(outdir, { name: '.built', contents: Buffer.from(begun.toISOString()) });
  utimesSync(path.join(outdir, '.built'), begun, begun);
  return files.map(({ name, inputs }) => ({ name, inputs }));
}

/**
 * @typedef {import('./scripts/build/node-bundle.mjs').Output & { mode?: number }} Output
 * @typedef {Pick<Output, 'name' | 'inputs'>} Built `name` is relative to `outdir`
 */

/**
 * @param {boolean} production
 * @param {string} outdir
 * @returns {Promise<Output[]>}
 */
export async function buildWebview(production, outdir) {
  if (!existsSync(path.join(root, WEBVIEW))) return [];
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { webview: WEBVIEW },
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    // The Chromium of Electron 37, which VS Code 1.106 (engines.vscode) has.
    target: 'chrome138',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [englishZod],
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    minify: production,
    sourcemap: production ? false : 'inline',
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  return outputFiles.map((file) => ({
    name: path.relative(outdir, file.path),
    contents: file.contents,
    inputs,
  }));
}

/** @returns {Output} */
function ripgrep() {
  const inputs = [path.relative(root, rgPath).split(path.sep).join('/')];
  return { name: `bin/${path.basename(rgPath)}`, contents: readFileSync(rgPath), inputs, mode: 0o755 };
}

/**
 * Of node-pty only what opens a PTY: its script isn't used.
 * @returns {Output[]}
 */
function ptys() {
  if (process.platform !== 'linux') return [];
  const input = `node_modules/@lydell/node-pty-${process.platform}-${process.arch}/pty.node`;
  if (!existsSync(path.join(root, input))) return [];
  return [
    { name: 'bin/pty.node', contents: readFileSync(path.join(root, input)), inputs: [input], mode: 0o755 },
  ];
}

/**
 * Replaces a file in one step and only when it differs: two builds at once, or a reader in between, never see half of one.
 * @param {string} outdir
 * @param {Omit<Output, 'inputs'>} output
 */
function place(outdir, { name, contents, mode = 0o644 }) {
  const file = path.join(outdir, name);
  if (existsSync(file) && sha256(readFileSync(file)) === sha256(contents)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, contents);
  chmodSync(partial, mode);
  renameSync(partial, file);
}

/**
 * Chunks carry their hash in their name, so old ones stay behind. They go after a day: a process that began before this build may
 * still load one.
 * @param {string} outdir
 * @param {ReadonlySet<string>} current
 */
function dropOldChunks(outdir, current) {
  for (const { chunks } of Object.values(ENTRIES)) {
    const folder = path.join(outdir, chunks);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const file = path.join(folder, name);
      if (!current.has(`${chunks}/${name}`) && Date.now() - statSync(file).mtimeMs > DAY)
        rmSync(file, { force: true });
    }
  }
}

/** @param {Uint8Array} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--outdir');
  const outdir = at > 0 ? { outdir: path.resolve(process.argv[at + 1] ?? 'dist') } : {};
  try {
    await buildAll({ production: process.argv.includes('--production'), ...outdir });
  } catch (error) {
    // esbuild has shown its own errors already.
    if (!(error instanceof Error && 'errors' in error)) console.error(error);
    process.exitCode = 1;
  }
}
