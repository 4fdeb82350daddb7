// One entry for Node as CommonJS: a single file for what it imports statically, and a chunk for each dynamic import().
//
// esbuild splits code only for ESM output, but the extension host is surest with CommonJS: `require('vscode')` works in every
// release, and `require.cache` tells what has been loaded. So the first pass splits as ESM, the second turns its files into CommonJS
// and joins the entry with every chunk that the entry needs at once. Other chunks get those from the entry's exports
// (`require('../entry.js').chunks`), so a module lives in exactly one file, and classes, brands and caches are the same for all.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { englishZod } from './english-zod.mjs';
import { noSchemaCompiler } from './no-schema-compiler.mjs';
import { oneVscode, sharingVscode } from './one-vscode.mjs';

/**
 * @typedef {{ name: string, contents: Uint8Array, inputs: string[] }} Output `inputs` are the files it was made of, relative to the root
 * @typedef {{ root: string, name: string, file: string, chunks: string, production: boolean }} Entry
 * `file` is the source, `name` the bundle's name without `.js`, `chunks` the folder of its chunks
 */

const TARGET = {
  platform: /** @type {const} */ ('node'),
  target: 'node22',
  logLevel: /** @type {const} */ ('warning'),
};

/**
 * @param {Entry} entry
 * @returns {Promise<Output[]>} the entry and its chunks
 */
export async function bundleForNode(entry) {
  if (!existsSync(path.join(entry.root, entry.file))) return [];
  const split = await splitAsEsm(entry);
  const atOnce = staticClosure(split, `${entry.name}.js`);
  const alone = [...split.keys()].filter((name) => name === `${entry.name}.js` || !atOnce.has(name));
  return (await Promise.all(alone.map((name) => toCommonJs(name, { split, atOnce, entry })))).flat();
}

/** @typedef {Map<string, { text: string, imports: string[], inputs: string[] }>} Split each file by its name, with its static imports */

/**
 * @param {Entry} entry
 * @returns {Promise<Split>}
 */
async function splitAsEsm({ root, name, file, chunks, production }) {
  const result = await build({
    ...TARGET,
    absWorkingDir: root,
    entryPoints: { [name]: file },
    outdir: root,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['vscode'],
    // Its main file is UMD, whose require() no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [englishZod, noSchemaCompiler],
    chunkNames: `${chunks}/[name]-[hash]`,
    minifySyntax: production,
    sourcemap: production ? false : 'inline',
  });
  return new Map(
    result.outputFiles.map((output) => {
      const relative = path.relative(root, output.path).split(path.sep).join('/');
      const { imports = [], inputs = {} } = result.metafile.outputs[relative] ?? {};
      return [
        relative,
        {
          text: output.text,
          imports: imports.filter((i) => !i.external && i.kind === 'import-statement').map((i) => i.path),
          inputs: Object.keys(inputs),
        },
      ];
    }),
  );
}

/**
 * @param {Split} split
 * @param {string} start
 * @param {Set<string>} seen
 */
function staticClosure(split, start, seen = new Set()) {
  if (seen.has(start)) return seen;
  seen.add(start);
  for (const name of split.get(start)?.imports ?? []) staticClosure(split, name, seen);
  return seen;
}

/** @typedef {{ split: Split, atOnce: Set<string>, entry: Entry }} Pass */

/**
 * @param {string} name
 * @param {Pass} pass
 * @returns {Promise<Output[]>} the file, and where it isn't minified its source map
 */
async function toCommonJs(name, pass) {
  const isEntry = name === `${pass.entry.name}.js`;
  const result = await build({
    ...TARGET,
    stdin: {
      contents: isEntry ? entryWithChunks(name, pass.atOnce) : `export * from './${name}'`,
      resolveDir: pass.entry.root,
    },
    outfile: path.join(pass.entry.root, name),
    write: false,
    bundle: true,
    format: 'cjs',
    // Turns import() into a require() that happens at the same moment.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    minify: pass.entry.production,
    keepNames: pass.entry.production,
    // Beside the file: inside it, whoever runs the file would hold the map in memory too, three times as large.
    sourcemap: pass.entry.production ? false : 'linked',
    plugins: [oneVscode, firstPassFiles(name, pass)],
  });
  const joined = isEntry ? [...pass.atOnce] : [name];
  const inputs = joined.flatMap((file) => pass.split.get(file)?.inputs ?? []);
  return result.outputFiles.map((file) => ({
    name: path.relative(pass.entry.root, file.path).split(path.sep).join('/'),
    contents: file.contents,
    inputs,
  }));
}

/**
 * @param {string} name
 * @param {Set<string>} atOnce
 */
function entryWithChunks(name, atOnce) {
  const chunks = [...atOnce].filter((chunk) => chunk !== name);
  return [
    `export * from './${name}';`,
    ...chunks.map((chunk, index) => `import * as chunk${index} from './${chunk}';`),
    `export const chunks = { ${chunks.map((chunk, index) => `'${chunk}': chunk${index}`).join(', ')} };`,
  ].join('\n');
}

/**
 * Resolves imports among the files of the first pass, as seen from the file that is being written.
 * @param {string} writing
 * @param {Pass} pass
 * @returns {import('esbuild').Plugin}
 */
function firstPassFiles(writing, { split, atOnce, entry }) {
  const isEntry = writing === `${entry.name}.js`;
  const up = writing.includes('/') ? '../' : './';
  return {
    name: 'first-pass-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path: wanted, importer, namespace }) => {
        const name = path.posix.join(path.posix.dirname(importer || '.'), wanted);
        if (!wanted.startsWith('.') || namespace === 'from-entry') return { path: wanted, external: true };
        if (name === writing || (isEntry && atOnce.has(name)))
          return { path: name, namespace: 'file-of-first-pass' };
        if (atOnce.has(name)) return { path: name, namespace: 'from-entry' };
        return { path: `${up}${name}`, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'file-of-first-pass' }, ({ path: name }) => ({
        contents: sharingVscode(split.get(name)?.text ?? ''),
      }));
      onLoad({ filter: /.*/, namespace: 'from-entry' }, ({ path: name }) => ({
        contents: `module.exports = require('${up}${entry.name}.js').chunks['${name}'];`,
      }));
    },
  };
}
