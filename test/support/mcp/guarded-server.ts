import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A server that lets in who has signed in at it, and the place to sign in. Everything on loopback, one process. */
export interface GuardedServer {
  readonly url: string;
  /** The tokens that it lets in; the test may take one back. */
  readonly valid: Set<string>;
  /** What the token endpoint was asked, by kind. */
  readonly grants: string[];
  /** What a browser would come back with from an address to sign in at. */
  browse(address: string): URLSearchParams;
}

/** Call it inside a test. */
export async function guardedServer(): Promise<GuardedServer> {
  const valid = new Set<string>();
  const grants: string[] = [];
  const challenges = new Map<string, string>();
  let tokens = 0;
  const grant = () => {
    tokens += 1;
    valid.add(`access-${tokens}`);
    return {
      access_token: `access-${tokens}`,
      token_type: 'Bearer',
      refresh_token: `refresh-${tokens}`,
      expires_in: 3600,
    };
  };
  const exchange = (asked: URLSearchParams) => {
    grants.push(asked.get('grant_type') ?? '');
    if (asked.get('grant_type') === 'refresh_token') return grant();
    const challenge = challenges.get(asked.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    return challenge === verifier ? grant() : undefined;
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${base}/mcp`,
    valid,
    grants,
    browse(address) {
      const asked = new URL(address).searchParams;
      const code = `code-${challenges.size}`;
      challenges.set(code, asked.get('code_challenge') ?? '');
      return new URLSearchParams({ code, state: asked.get('state') ?? '' });
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const json = (status: number, value: object, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    switch (new URL(request.url ?? '', base).pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(200, { resource: `${base}/mcp`, authorization_servers: [base] });
      case '/.well-known/oauth-authorization-server':
        return json(200, {
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      case '/register':
        return json(201, { ...JSON.parse(body), client_id: 'registered' });
      case '/token': {
        const granted = exchange(new URLSearchParams(body));
        return granted ? json(200, granted) : json(400, { error: 'invalid_grant' });
      }
      case '/mcp':
        return mcp(request, body, json);
      default:
        return json(404, {});
    }
  }

  function mcp(
    { method, headers: { authorization } }: IncomingMessage,
    body: string,
    json: (status: number, value: object, headers?: Record<string, string>) => void,
  ): void {
    if (!valid.has(authorization?.replace('Bearer ', '') ?? '')) {
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
      json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
      return;
    }
    if (method !== 'POST') {
      json(405, {});
      return;
    }
    const asked = JSON.parse(body) as { id?: number; method: string; params: { protocolVersion: string } };
    if (asked.id === undefined) {
      json(202, {});
      return;
    }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: asked.params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'secret', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'inside' }] },
    };
    json(200, { jsonrpc: '2.0', id: asked.id, result: results[asked.method] ?? {} });
  }
}
