/**
 * Leaves the MCP SDK's default validator out: it makes code of the schemas that a server sends, and it is a third of the SDK. Belay hands
 * the SDK a validator of its own, so this one is never built; if it ever were, it would say so.
 * @type {import('esbuild').Plugin}
 */
export const noSchemaCompiler = {
  name: 'no-schema-compiler',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, () => ({
      path: 'mcp-shims',
      namespace: 'no-schema-compiler',
    }));
    onLoad({ filter: /.*/, namespace: 'no-schema-compiler' }, () => ({
      contents: [
        'export const CORS_IS_POSSIBLE = false;',
        'export class DefaultJsonSchemaValidator {',
        "  constructor() { throw new Error('schemas of servers are not compiled'); }",
        '}',
      ].join('\n'),
    }));
  },
};
