import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedHttp } from '#addons/mcp/config/resolve';
import { fetchFor } from '#addons/mcp/connection/http-fetch';
import { attempt, connected } from '#test/support/mcp/connected';
import { everythingOver } from '#test/support/mcp/http-peer';

const signal = new AbortController().signal;
const call = { signal, timeoutMs: 20_000 };
const http = (url: string, more: Partial<ResolvedHttp> = {}): ResolvedHttp => ({
  kind: 'http',
  url,
  sse: false,
  headers: {},
  ...more,
});

/** A server of a few lines; its address, and what was asked of it. */
async function answering(handle: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    void Promise.resolve(handle(request, response)).then(() => request.resume());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

/** Greets, and takes what is only told. */
function greet(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(parts).toString()) as {
      readonly id?: number;
      readonly params?: { readonly protocolVersion?: string };
    };
    if (id === undefined) return void response.writeHead(202).end();
    const { protocolVersion } = params ?? {};
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'few lines', version: '1' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
}

test('a real server over streamable HTTP is greeted, listed and called, with its progress', async () => {
  const { url } = await everythingOver('streamableHttp');
  const { connection } = await connected(http(url));
  const tools = await connection.tools(signal);
  expect(tools.ok && tools.value.length).toBeGreaterThan(8);
  const lines: string[] = [];
  const onProgress = (line: string) => void lines.push(line);
  const slow = { duration: 0.2, steps: 2 };
  const answer = await connection.callTool('trigger-long-running-operation', slow, { ...call, onProgress });
  expect(JSON.stringify(answer)).toContain('Long running operation completed');
  expect(lines.length).toBeGreaterThan(0);
});

test('a server of the older transport is reached by it, without being told', async () => {
  const { url } = await everythingOver('sse');
  const { connection, logged } = await connected(http(url));
  expect(JSON.stringify(await connection.callTool('echo', { message: 'hi' }, call))).toContain('Echo: hi');
  expect(logged.join('\n')).toContain('trying the older one (SSE)');
});

test('the older transport alone, where the entry says so', async () => {
  const { url } = await everythingOver('sse');
  const { connection } = await connected(http(url, { sse: true }));
  expect(JSON.stringify(await connection.callTool('echo', { message: 'hi' }, call))).toContain('Echo: hi');
});

test('MC-03 a server that is gone fails the call, and the connection is over', async () => {
  const peer = await everythingOver('streamableHttp');
  const { connection } = await connected(http(peer.url));
  await peer.kill();
  expect(await connection.callTool('echo', { message: 'hi' }, call)).toMatchObject({
    ok: false,
    error: { kind: 'lost' },
  });
  expect(await connection.closed).toMatchObject({ kind: 'failed' });
});

test.each(['streamableHttp', 'sse'] as const)(
  'MC-03 a server over %s that goes while nobody calls is missed',
  async (kind) => {
    const peer = await everythingOver(kind);
    const { connection } = await connected(http(peer.url));
    await peer.kill();
    expect(await connection.closed).toMatchObject({ kind: 'failed' });
  },
);

test.each([
  [404, 'Session not found'],
  [400, 'Bad Request: No valid session ID provided'],
])('a server that says with a %i that it knows the session no more did nothing', async (status, words) => {
  const server = await answering(async (request, response) => {
    const asked = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    if (asked.method === 'tools/call') response.writeHead(status).end(words);
    else if (asked.method !== 'initialize') response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else {
      const { protocolVersion } = asked.params;
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }));
    }
  });
  const { connection } = await connected(http(`${server.url}/mcp`));
  const answer = await connection.callTool('echo', {}, call);
  expect(answer).toMatchObject({ ok: false, error: { kind: 'unknown-session' } });
});

test('nobody there is told with the reason', async () => {
  const { url, close } = await answering(() => undefined);
  await close();
  const { result } = await attempt(http(`${url}/mcp`));
  expect(result).toMatchObject({
    ok: false,
    error: { kind: 'failed', words: expect.stringContaining('ECONNREFUSED') },
  });
});

test('headers of the entry are sent, and no redirect takes them to another host', async () => {
  const other = await answering((_request, response) => response.end('{}'));
  const server = await answering((_request, response) => {
    response.writeHead(307, { location: `${other.url}/steal` }).end();
  });
  const { result } = await attempt(
    http(`${server.url}/mcp`, { headers: { Authorization: 'Bearer secret' } }),
  );
  expect(result).toMatchObject({ ok: false });
  expect({ first: server.asked[0], other: other.asked }).toEqual({
    first: 'POST /mcp Bearer secret',
    other: [],
  });
});

test('where the credentials of the entry are refused it is given up, and nobody is asked to sign in', async () => {
  const server = await answering((_request, response) => response.writeHead(401).end());
  const { result } = await attempt(http(`${server.url}/mcp`, { headers: { Authorization: 'Bearer old' } }));
  expect(result).toEqual({
    ok: false,
    error: { kind: 'hopeless', words: 'It refuses what it was given to be let in (HTTP 401).' },
  });
});

test('an answer without an end is cut off', async () => {
  const server = await answering((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => response.write('x'.repeat(1024 * 1024), () => setImmediate(more));
    more();
  });
  const { result } = await attempt(http(`${server.url}/mcp`));
  expect(result).toMatchObject({ ok: false, error: { words: expect.stringContaining('more than 16 MB') } });
});

test('a server that ends its stream and wants it opened anew at once is not asked without a pause', async () => {
  const opened: number[] = [];
  const server = await answering((request, response) => {
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    if (request.method === 'GET') {
      opened.push(performance.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end('id: 1\nretry: 0\ndata:\n\n');
    }
    greet(request, response);
  });
  await connected(http(`${server.url}/mcp`));
  await expect.poll(() => opened.length).toBeGreaterThan(11);
  // The first ten come at once. A busy machine makes the pauses longer, never shorter.
  expect((opened[11] ?? 0) - (opened[0] ?? 0)).toBeGreaterThan(1000);
});

test('what a server names on this machine is not reached, unless it is there itself', async () => {
  const there = fetchFor(new URL('https://server.example/mcp'));
  const doors = ['localhost:9', 'localhost.:9', '127.1:9', '[::1]:9', '0:9', '[::ffff:127.0.0.1]:9'];
  for (const address of [
    ...doors.map((door) => `https://${door}/`),
    'http://server.example/',
    'file:///etc/passwd',
  ])
    await expect(there(address)).rejects.toThrow('is not reached');
  const here = fetchFor(new URL('http://localhost:9/mcp'));
  await expect(here('http://127.0.0.1:9/x')).rejects.not.toThrow('is not reached');
});
