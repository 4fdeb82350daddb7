import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const resolve = createRequire(import.meta.url).resolve;

/** The main file of an official server among the packages. */
export function officialServer(name: 'everything' | 'filesystem' | 'memory'): string {
  const folder = dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`));
  return join(folder, 'dist', 'index.js');
}

/** The setting `mcpServers` for one of our own small servers (`test/support/mcp/NAME`), or any script. */
export function nodeServer(script: string, ...args: readonly string[]) {
  return { command: process.execPath, args: [script, ...args] };
}

/** A hostile or odd server of this folder. */
export function oddServer(name: string): string {
  return join(import.meta.dirname, name);
}
