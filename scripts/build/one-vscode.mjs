/**
 * Lets all modules of a file share one `require('vscode')`. By itself esbuild makes every `import * as vscode` a copy of the editor's whole
 * API, some hundred getters each: for two dozen modules that was most of the time in which `activate()` and what it imports loads.
 * @type {import('esbuild').Plugin}
 */
export const oneVscode = {
  name: 'one-vscode',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'one-vscode' ? { path, external: true } : { path, namespace: 'one-vscode' },
    );
    onLoad({ filter: /.*/, namespace: 'one-vscode' }, () => ({
      contents: "export const vscode = require('vscode');",
    }));
  },
};

/**
 * What esbuild wrote, with its imports of the editor's API turned to the shared one.
 * @param {string} text
 */
export function sharingVscode(text) {
  return text.replace(/^import \* as (\w+) from "vscode";$/gm, 'import { vscode as $1 } from "vscode";');
}
