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
