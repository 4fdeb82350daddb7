import { build } from 'esbuild';

/**
 * A server's script as one file without packages, for editors that can't see this checkout. Started with node, it speaks stdio.
 * `file` as `officialServer` and `oddServer` give it.
 */
export async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`nothing was built of ${file}`);
  return output.text;
}
