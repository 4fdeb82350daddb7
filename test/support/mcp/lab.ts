import { onTestFinished, vi } from 'vitest';
import { type McpOptions, McpServers } from '#addons/mcp/servers';
import type { McpServerRow, McpState } from '#protocol/mcp';
import { type MemoryHost, type MemoryHostOptions, memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

/** The MCP servers of a real folder, with a host in the test's hands. */
export interface McpLab {
  readonly folder: TempFolder;
  readonly host: MemoryHost;
  readonly servers: McpServers;
  /** How long it would have waited before each new start, in milliseconds. */
  readonly pauses: number[];
  row(name: string): McpServerRow | undefined;
  /** Fulfilled once the server is in that state. */
  until(name: string, state: McpState): Promise<McpServerRow>;
}

export interface McpLabOptions extends MemoryHostOptions {
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly files?: never;
  readonly workspace?: Readonly<Record<string, string>>;
  readonly mcp?: Partial<McpOptions>;
  /** What of a host is another than the memory host's. */
  readonly ports?: Partial<MemoryHost>;
}

/** Call it inside a test; all servers end with it. */
export async function mcpLab({
  mcpServers = {},
  workspace = {},
  mcp = {},
  ports = {},
  ...options
}: McpLabOptions = {}): Promise<McpLab> {
  const folder = tempFolder(workspace);
  const host = { ...memoryHost({ ...options, settings: { ...options.settings, mcpServers } }), ...ports };
  const pauses: number[] = [];
  const servers = new McpServers({
    host,
    root: folder.path,
    isForbidden: () => false,
    redact: (text) => text,
    pause: async (ms) => void pauses.push(ms),
    ...mcp,
  });
  onTestFinished(() => servers.close());
  await servers.refresh();
  const row = (name: string) => servers.servers().find((server) => server.name === name);
  return {
    folder,
    host,
    servers,
    pauses,
    row,
    until: (name, state) =>
      vi.waitFor(
        () => {
          const found = row(name);
          if (found?.state !== state)
            throw new Error(`${name}: ${found?.state} ${found?.detail}\n${servers.log(name)}`);
          return found;
        },
        { timeout: 20_000, interval: 20 },
      ),
  };
}
