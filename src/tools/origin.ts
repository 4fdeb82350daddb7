import type { ToolDefinition, ToolOrigin } from './tool';

/** Somebody else's: it acts by itself, in another extension or in a server, where nothing of ours holds it. */
export function isOutside({ origin }: Pick<ToolDefinition, 'origin'>): boolean {
  return origin.kind !== 'built-in' && origin.kind !== 'session';
}

/** Whose tool it is, for people and for the model. A server's or an extension's id stands in it as it was given. */
export function ownerOf(origin: ToolOrigin): string {
  switch (origin.kind) {
    case 'built-in':
      return 'Belay';
    case 'session':
      return 'this session';
    case 'extension':
      return `the extension ${origin.id}`;
    case 'mcp':
      return `the MCP server ${origin.server}`;
    case 'plugin':
      return `the plugin ${origin.id}`;
  }
}

/** A tool of an MCP server by the names that the server and the person use. */
export interface McpNames {
  /** As it is written in the settings. */
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
}

/** What a call's facts say of it besides the name that the model sees: the names that rules and hooks may know it by. */
export function namedByServer({ origin }: Pick<ToolDefinition, 'origin'>): { readonly mcp?: McpNames } {
  return origin.kind === 'mcp' ? { mcp: { server: origin.server, tool: origin.tool } } : {};
}
