import type { App } from '#app';

/** What the window sees and steers of a folder's MCP servers. */
export type Mcp = Omit<App['mcp'], 'dispose'>;

/** What of a place where servers are written down can't be used. */
export type McpProblem = ReturnType<Mcp['problems']>[number];
