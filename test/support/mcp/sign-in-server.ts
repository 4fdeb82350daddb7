import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An MCP server over HTTP that wants a sign-in, and the authorization server that gives one, on one port of this machine. */
export interface SignInServer {
  /** For `url` of a server's entry. */
  readonly url: string;
  /** What arrived: "authorize", "token", "call" with what came along. */
  readonly seen: readonly string[];
  close(): void;
}

const TOKEN = 'token-of-the-sign-in-server';
const CODE = 'code+with/signs=';

/** Whoever comes to its page is signed in at once. */
export async function startSignInServer(): Promise<SignInServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, seen).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, seen, close: () => void server.close() };
}

async function answer(request: IncomingMessage, response: ServerResponse, seen: string[]): Promise<void> {
  const base = `http://127.0.0.1:${request.socket.localPort}`;
  const { pathname, searchParams } = new URL(request.url ?? '/', base);
  const json = (value: unknown, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  switch (pathname) {
    case '/.well-known/oauth-protected-resource':
    case '/.well-known/oauth-protected-resource/mcp':
      return json({ resource: `${base}/mcp`, authorization_servers: [base] });
    case '/.well-known/oauth-authorization-server':
      return json(metadata(base));
    case '/register':
      return json({ ...JSON.parse(await text(request)), client_id: 'belay-test' }, 201);
    case '/authorize': {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', CODE);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      seen.push('authorize');
      return void response.writeHead(302, { location: back.href }).end();
    }
    case '/token': {
      const form = new URLSearchParams(await text(request));
      const fits = form.get('code') === CODE && (form.get('code_verifier') ?? '').length > 40;
      seen.push(`token ${fits}`);
      return fits
        ? json({ access_token: TOKEN, token_type: 'Bearer' })
        : json({ error: 'invalid_grant' }, 400);
    }
    case '/mcp':
      return mcp(request, response, { base, seen });
    default:
      return json({}, 404);
  }
}

function metadata(base: string): object {
  return {
    issuer: base,
    // Browsers know every such name as this machine, and editors in a browser leave its address as it is.
    authorization_endpoint: `${base.replace('127.0.0.1', 'sign-in.localhost')}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

async function mcp(
  request: IncomingMessage,
  response: ServerResponse,
  { base, seen }: { readonly base: string; readonly seen: string[] },
): Promise<void> {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    const where = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`;
    response.writeHead(401, { 'www-authenticate': where }).end();
    return;
  }
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(await text(request));
  seen.push(`call ${method}`);
  if (id === undefined) return void response.writeHead(202).end();
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'sign-in', version: '1' },
    },
    'tools/list': { tools: [{ name: 'open_ticket', inputSchema: { type: 'object' } }] },
  };
  const result = results[method] ?? {};
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
