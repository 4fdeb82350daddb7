import { onTestFinished } from 'vitest';
import { type McpOptions, McpServers } from '#addons/mcp/servers';
import { legalName } from '#addons/mcp/tools/names';
import type { McpServerRow, McpState } from '#protocol/mcp';
import type { ToolResult } from '#protocol/tool-result';
import { eventually } from '#test/support/eventually';
import { type MemoryHost, type MemoryHostOptions, memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { toolBench } from '#test/support/tool-context';
import { memoryStore } from '#test/unit/store/lab';
import { normalizeResult } from '#tools/result';
import type { ToolContext, ToolDefinition } from '#tools/tool';

/** The MCP servers of a real folder, with a host in the test's hands. */
export interface McpLab {
  readonly folder: TempFolder;
  readonly host: MemoryHost;
  readonly servers: McpServers;
  /** How long it would have waited before each new start, in milliseconds. */
  readonly pauses: number[];
  row(name: string): McpServerRow | undefined;
  /** The tools that models may use, by the names that they use. */
  tool(name: string): ToolDefinition | undefined;
  /** Calls a server's tool as the loop would after the gates; a failure of ours becomes a result too. */
  call(server: string, tool: string, input?: unknown, more?: Partial<ToolContext>): Promise<ToolResult>;
  /** Fulfilled once the server is in that state. */
  until(name: string, state: McpState): Promise<McpServerRow>;
}

/** What the servers of a lab live in. */
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
    acceptances: memoryStore().acceptances,
    isForbidden: () => false,
    redact: (text) => text,
    hide: () => undefined,
    pause: async (ms) => void pauses.push(ms),
    ...mcp,
  });
  onTestFinished(() => servers.close());
  await servers.refresh();
  const row = (name: string) => servers.servers().find((server) => server.name === name);
  const tool = (name: string) =>
    servers
      .living()
      .flatMap(({ offer }) => offer.definitions)
      .find((definition) => definition.name === name);
  return {
    folder,
    host,
    servers,
    pauses,
    row,
    tool,
    async call(server, original, input = {}, more = {}) {
      const definition = tool(legalName({ server, tool: original }));
      if (!definition) throw new Error(`${server} offers no ${original}:\n${servers.log(server)}`);
      const { context } = toolBench({}, { context: more });
      return normalizeResult(await definition.execute(input, context));
    },
    until: (name, state) =>
      eventually(() => {
        const found = row(name);
        if (found?.state !== state)
          throw new Error(`${name}: ${found?.state} ${found?.detail}\n${servers.log(name)}`);
        return found;
      }),
  };
}
