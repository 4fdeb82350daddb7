import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Where bundles of tests lie: below the packages, so that what stays outside of them is found. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/** Makes one file that plain Node runs out of a test's child, `folder/name`: for a process that is to be killed. */
export async function childScript(folder: string, name: string): Promise<string> {
  const outfile = join(CACHE, `belay-${basename(name, '.ts')}.mjs`);
  await build({
    entryPoints: [join(folder, name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // As the real build does: its main file can't be followed.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // It looks for its binary beside itself.
    external: ['@vscode/ripgrep'],
    // Packages in CommonJS ask for node's modules by require.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  return outfile;
}
